"""What a transcript says, in words that every host's transcript is put into."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

EPOCH: Final = datetime.fromtimestamp(0, UTC)
# What an entry is.
MESSAGE: Final = "message"
TOOL_RESULT: Final = "tool_result"
COMPACTION: Final = "compaction"
CUSTOM: Final = "custom"
OTHER: Final = "other"
# What a tool call does with a file.
READ: Final = "read"
EDIT: Final = "edit"
WRITE: Final = "write"
MEMORY_WRITE: Final = "memory_write"

Lines = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Touch:
    """A file that a tool call reads or changes, as the host names it.

    `lines` are first and last lines, where the call or its result tells.
    """

    path: str
    kind: str
    lines: tuple[Lines, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool, or in a result the call that it answers."""

    id: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    touch: Touch | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a transcript; `position` counts lines from the file's beginning.

    `kind` is message, tool_result, compaction, custom or other: a message may hold tool
    calls, and what a subagent did is other, with its calls. `role` is user, assistant,
    tool or system.
    """

    id: str
    session: str
    at: datetime
    kind: str
    role: str = ""
    text: str = ""
    calls: tuple[Call, ...] = ()
    parent: str = ""
    position: int = 0


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation in a host, and the file that the host keeps of it.

    `parent` is the session that it was forked from, where the file tells. One that
    `is_part` is what a subagent did, in a file beside its session's.
    """

    host: str
    id: str
    path: str
    cwd: str
    started: datetime
    parent: str = ""
    is_part: bool = False


def moment(text: object) -> datetime:
    """Read a time as hosts write it; what is none is the epoch."""
    try:
        found = datetime.fromisoformat(str(text))
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return EPOCH


def branch(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Give the branch that the last entry ends, from its root; a tree has others."""
    known = {each.id: each for each in entries if each.id}
    found: list[Entry] = []
    at = next(reversed(known.values()), None)
    while at is not None:
        found.append(at)
        # An entry that came back to itself would never end.
        del known[at.id]
        at = known.get(at.parent)
    return tuple(reversed(found))
