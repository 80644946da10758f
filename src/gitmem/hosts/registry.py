"""The hosts that gitmem knows, by name."""

import importlib
from typing import Final

from gitmem.errors import UsageError
from gitmem.hosts.host import Host

# The module of each host's events and its class; None speaks through files only.
_HOSTS: Final[dict[str, tuple[str, str] | None]] = {
    "claude-code": ("gitmem.hosts.claude_code.events", "ClaudeCode"),
    "pi": ("gitmem.hosts.pi.events", "Pi"),
    "codex": ("gitmem.hosts.codex.events", "Codex"),
    "opencode": ("gitmem.hosts.opencode.events", "OpenCode"),
    "agents-md": None,
}


def names() -> tuple[str, ...]:
    """Name every host, in the order in which people are told."""
    return tuple(_HOSTS)


def host(name: str) -> Host:
    """Give the host of that name that hooks speak for.

    Raises UsageError where there is none.
    """
    known = _HOSTS.get(name)
    if known is None:
        hooked = ", ".join(each for each, found in _HOSTS.items() if found)
        raise UsageError(f"No hook speaks for {name!r}.", f"Hosts are: {hooked}.")
    module, kind = known
    found: Host = getattr(importlib.import_module(module), kind)()
    return found
