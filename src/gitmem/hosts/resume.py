"""The command with which a host goes on with a session, as a person types it; pure."""

import re
import shlex
from collections.abc import Callable
from typing import Final

from gitmem.hosts.entry import Session

# What every host's ids look like; anything else came from somewhere else.
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,127}")
# As `claude --help`, `pi --help` and `codex resume --help` have it.
_COMMANDS: Final[dict[str, Callable[[str], tuple[str, ...]]]] = {
    "claude-code": lambda session: ("claude", "--resume", session),
    "pi": lambda session: ("pi", "--session", session),
    "codex": lambda session: ("codex", "resume", session),
}


def command(session: Session) -> str:
    """Say how to go on with a session; empty where that cannot be said safely.

    Hosts look for a session in the folder that it was begun in.
    """
    compose = _COMMANDS.get(session.host)
    if compose is None or not _ID.fullmatch(session.id):
        return ""
    resumed = shlex.join(compose(session.id))
    if not session.cwd:
        return resumed
    if not session.cwd.startswith("/") or not session.cwd.isprintable():
        return ""
    return f"cd {shlex.quote(session.cwd)} && {resumed}"
