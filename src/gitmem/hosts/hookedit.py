"""Put one entry of gitmem's among the hooks of a person's; pure."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gitmem.hosts import jsonedit
from gitmem.hosts.edit import document, emptied

_CLIENT: Final = "/gitmem/hook/client.py"
_ISOLATING: Final = frozenset({"-I", "-S"})
_CODE: Final = "-c"


@dataclass(frozen=True, slots=True)
class Hook:
    """An entry in a group of hooks, as Codex and Claude Code write them.

    `group` is the group with this entry alone. An older one of gitmem's is known by
    its command; what stands beside it in a group is the person's.
    """

    path: Path
    keys: tuple[str, ...]
    group: dict[str, Any]

    def apply(self, text: str) -> str:
        """Add it, or bring it up to date."""
        put = jsonedit.put_hook
        return put(document(text), self.keys, self.group, self._is_ours)

    def revoke(self, text: str, original: str | None) -> str:
        """Remove it, and every older one."""
        if not text.strip():
            return text
        drop = jsonedit.drop_hook
        out = drop(text, self.keys, self.group, self._is_ours, original)
        return emptied(out, original)

    def _is_ours(self, found: object) -> bool:
        [entry] = self.group[jsonedit.HOOKS]
        return _called(entry) == _called(found) != ()


def _called(entry: object) -> tuple[str, ...]:
    """Say for which host and event an entry calls gitmem's client, if it does.

    Only Python may stand before the client: a command that wraps it is the person's.
    """
    match _words(entry):
        case [*before, client, host, event] if client.endswith(_CLIENT):
            options = before[1:]
        case _:
            return ()
    if _CODE in options:
        at = options.index(_CODE)
        options = [*options[:at], *options[at + 2 :]]
    return (host, event) if _ISOLATING.issuperset(options) else ()


def _words(entry: object) -> list[str]:
    """Split the command of an entry; none where it cannot be understood."""
    command = entry.get("command") if isinstance(entry, dict) else None
    try:
        return shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return []
