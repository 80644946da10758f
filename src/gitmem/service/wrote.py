"""Look at what an agent wrote with its own tools, and say what it should mend."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.delivery.view import Turn
from gitmem.errors import NotFound, PathRefused
from gitmem.files.names import confine, shown
from gitmem.memory.findings import Finding
from gitmem.memory.hashes import hash_of
from gitmem.memory.inspection import inspect
from gitmem.memory.layout import is_memory
from gitmem.memory.load import load
from gitmem.memory.memory import Severity
from gitmem.service import claiming, telling
from gitmem.service.answers import Visit

if TYPE_CHECKING:
    from gitmem.service.rooms import Rooms

NAMED: Final = 3
# What an agent is told of besides errors, by the contract that is set.
_TOLD: Final = {
    "free": frozenset({"no-description"}),
    "strict": frozenset({"no-description", "bad-tags", "duplicate-tag"}),
}


@dataclass(frozen=True, slots=True)
class Wrote:
    """Which of the files that an agent wrote are memories, and what to tell it."""

    paths: tuple[PurePosixPath, ...]
    text: str


def look(rooms: "Rooms", visit: Visit, paths: Sequence[str]) -> Wrote:
    """Look at what an agent wrote, and say what it should mend."""
    found = tuple(dict.fromkeys(_memories(rooms, paths)))
    hashes: dict[str, str] = {}
    written: dict[PurePosixPath, bytes] = {}
    findings: list[Finding] = []
    tree, rules = rooms.tree(), rooms.rules()
    for path in found:
        with suppress(NotFound, PathRefused):
            data = tree.read(path, limit_bytes=rules.max_file_bytes + 1)
            hashes[str(path)] = hash_of(data)
            written[path] = data
            memory = load(path, data, path.parts[0], len(data))
            findings += inspect(memory, data, rules)
    claiming.note(rooms, visit.host, visit.id, written)
    told = telling.change(
        rooms, visit.host, visit.id, lambda now: now.with_given(hashes)
    )
    said = tuple(_mends(findings, _TOLD[rules.tag_contract]))
    seen = Turn(status=said if told is None or not told.is_paused else ())
    return Wrote(found, telling.turn(rooms, visit, seen))


def _memories(rooms: "Rooms", paths: Sequence[str]) -> Iterator[PurePosixPath]:
    """Find which of the paths that a host named are memories."""
    root = rooms.root.resolve()
    for name in paths:
        with suppress(ValueError, OSError, PathRefused):
            given = Path(rooms.cwd, name)
            # The last part may be a link, which a memory is not.
            path = given.parent.resolve() / given.name
            inside = confine(path.relative_to(root).as_posix())
            if is_memory(inside) and len(inside.parts) > 1:
                yield inside


def _mends(findings: Sequence[Finding], told: frozenset[str]) -> Iterator[str]:
    urgent = [
        each
        for each in findings
        if each.severity is Severity.ERROR or each.code in told
    ]
    for each in urgent[:NAMED]:
        line = f", line {each.line}" if each.line else ""
        yield f"Mend what you wrote to {shown(str(each.path))}{line}: {each.message}"
