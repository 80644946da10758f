"""Say where in a file the work was lately; pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gitmem.hosts.entry import EDIT, READ
from gitmem.hosts.work import Access

MOST_RANGES: Final = 5


@dataclass(frozen=True, slots=True)
class Focus:
    """Lines of a file that were read, or changed."""

    kind: str
    first: int
    last: int


def focus(accesses: Iterable[Access]) -> tuple[Focus, ...]:
    """Give the lines that one file's accesses name, merged, the newest first."""
    newest = sorted(accesses, key=lambda each: (each.at, each.ordinal), reverse=True)
    found: list[Focus] = []
    for each in newest:
        if each.kind in {READ, EDIT}:
            for first, last in reversed(each.lines):
                _add(found, Focus(each.kind, first, last))
    return tuple(found[:MOST_RANGES])


def _add(found: list[Focus], new: Focus) -> None:
    """Let a range grow by what meets it, in the place of the newest of them."""
    place = len(found)
    for index in range(len(found) - 1, -1, -1):
        each = found[index]
        if each.kind == new.kind and _meet(each, new):
            first, last = min(each.first, new.first), max(each.last, new.last)
            new = Focus(new.kind, first, last)
            del found[index]
            place = index
    found.insert(place, new)


def _meet(one: Focus, other: Focus) -> bool:
    return one.first <= other.last + 1 and other.first <= one.last + 1
