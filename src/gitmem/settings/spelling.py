"""Find the setting that a key means, in today's spelling or an older one; pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from gitmem.settings.model import keys

# A stranger's file may nest without end.
DEEPEST: Final = 4
_KNOWN: Final = MappingProxyType({k.dotted.replace("_", ""): k.dotted for k in keys()})
_OLD: Final = {
    "injection": "delivery.mode",
    "repourl": "memory_dir.repo_url",
    "localpath": "memory_dir.local_path",
    "globalmemory": "memory_dir.global_memory",
    "autosync.onsessionstart": "hooks.session_start",
    "tape.context.alwaysinclude": "tape.context.whitelist",
}
_OLD_VALUES: Final = {"sessionBridge": "session_bridge"}


@dataclass(frozen=True)
class Spelled:
    """One key as it was written, and the setting it means (empty: none)."""

    written: str
    key: str
    value: object

    @property
    def is_old(self) -> bool:
        """Say whether the key has another spelling today."""
        return self.key not in {"", self.written}


def spelled(document: Mapping[str, object]) -> Iterator[Spelled]:
    """Walk a document down to its settings, the current spellings last.

    Who takes the pairs in order ends with the current spelling where both are given.
    """
    found = sorted(_walk(document, ""), key=lambda item: not item.is_old)
    yield from found


def meant(written: str) -> str:
    """Name the setting that a key means, or nothing."""
    squashed = _squash(written)
    return _KNOWN.get(squashed) or _OLD.get(squashed, "")


def nearest(written: str) -> str:
    """Name the setting that is spelled most like an unknown key, or nothing."""
    import difflib  # rarely needed

    squashed = _squash(written)
    close = [known for known in _KNOWN if known.endswith(f".{squashed}")]
    close += difflib.get_close_matches(squashed, list(_KNOWN), 1, 0.75)
    return _KNOWN[close[0]] if close else ""


def is_section(written: str) -> bool:
    """Say whether a key names a section, and so cannot have a value."""
    return any(known.startswith(f"{_squash(written)}.") for known in _KNOWN)


def _walk(table: Mapping[str, object], prefix: str) -> Iterator[Spelled]:
    for name, value in table.items():
        written = f"{prefix}{name}"
        if key := meant(written):
            yield Spelled(written, key, _modern(_squash(written), value))
        elif _squash(written) == "delivery" and isinstance(value, str):
            yield Spelled(written, "delivery.mode", value)
        elif isinstance(value, dict) and written.count(".") < DEEPEST:
            yield from _walk(value, f"{written}.")
        else:
            yield Spelled(written, "", value)


def _modern(squashed: str, value: object) -> object:
    if squashed == "autosync.onsessionstart" and isinstance(value, bool):
        return ["pull"] if value else []
    if squashed == "hooks.beforeagentstart" and isinstance(value, list):
        return [_OLD_VALUES.get(v, v) if isinstance(v, str) else v for v in value]
    return value


def _squash(written: str) -> str:
    return written.replace("_", "").replace("-", "").casefold()
