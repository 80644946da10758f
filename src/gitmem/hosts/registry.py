"""The hosts that gitmem knows, by name."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import UsageError
from gitmem.hosts.host import Host

if TYPE_CHECKING:
    # A hook asks here, too: it installs nothing.
    from gitmem.hosts.place import Installation, Plan, Where, Wishes


@dataclass(frozen=True, slots=True)
class _Known:
    """A host's package, the class of its events, and the program that it is.

    What has neither speaks through files only. `is_legible` where the package can read
    the host's transcripts.
    """

    package: str
    events: str = ""
    program: str = ""
    is_legible: bool = False


_HOSTS: Final = {
    "claude-code": _Known(
        "gitmem.hosts.claude_code", "ClaudeCode", "claude", is_legible=True
    ),
    "pi": _Known("gitmem.hosts.pi", "Pi", "pi", is_legible=True),
    "codex": _Known("gitmem.hosts.codex", "Codex", "codex", is_legible=True),
    "opencode": _Known("gitmem.hosts.opencode", "OpenCode", "opencode"),
    "agents-md": _Known("gitmem.hosts.agents_md"),
}


def names() -> tuple[str, ...]:
    """Name every host, in the order in which people are told."""
    return tuple(_HOSTS)


def program(name: str) -> str:
    """Name the program of a host; empty where it is none."""
    return _known(name).program


def host(name: str) -> Host:
    """Give the host of that name that hooks speak for.

    Raises UsageError where there is none.
    """
    known = _HOSTS.get(name)
    if known is None or not known.events:
        hooked = ", ".join(each for each, found in _HOSTS.items() if found.events)
        raise UsageError(f"No hook speaks for {name!r}.", f"Hosts are: {hooked}.")
    module = importlib.import_module(f"{known.package}.events")
    found: Host = getattr(module, known.events)()
    return found


def events(name: str) -> tuple[str, ...]:
    """Name the events of a host of which gitmem knows."""
    known = _known(name)
    if not known.events:
        return ()
    module = importlib.import_module(f"{known.package}.events")
    return tuple(module.KINDS)


def said(name: str) -> Callable[[Mapping[str, Any]], str] | None:
    """Give what reads an entry of the host's transcripts; None where nothing does."""
    known = _HOSTS.get(name)
    if known is None or not known.is_legible:
        return None
    module = importlib.import_module(f"{known.package}.transcript")
    found: Callable[[Mapping[str, Any]], str] = module.said
    return found


def plan(
    name: str, where: "Where", installation: "Installation", wishes: "Wishes"
) -> "Plan":
    """Say what putting gitmem into that host takes; nothing is read or written."""
    module = importlib.import_module(f"{_known(name).package}.install")
    found: Plan = module.plan(where, installation, wishes)
    return found


def _known(name: str) -> _Known:
    if name not in _HOSTS:
        message = f"There is no host {name!r}."
        raise UsageError(message, f"Hosts are: {', '.join(_HOSTS)}.")
    return _HOSTS[name]
