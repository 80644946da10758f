"""Read the lines of a transcript from where an earlier reading ended."""

import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

# A longer line is passed over, but for its beginning.
LONGEST_BYTES: Final = 16 * 1024 * 1024
KEPT_BYTES: Final = 4096
_CHUNK_BYTES: Final = 1024 * 1024
_NAMED: Final = re.compile(
    rb'"(type|id|uuid|parentId|parentUuid|timestamp)":\s*"([\w:.+-]{1,64})"'
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file a line begins: its byte, and how many lines are before it."""

    offset: int = 0
    position: int = 0


START: Final = Place()


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is complete, and the place behind it."""

    data: bytes
    place: Place
    behind: Place
    is_whole: bool = True

    def read(self) -> dict[str, Any]:
        """Read the object in it; of one that is too long, what can be told of it."""
        if not self.is_whole:
            return _told(self.data)
        try:
            found = json.loads(self.data.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}


def lines(path: str, since: Place = START) -> Iterator[Line]:
    """Read the complete lines since a place; nothing where the file cannot be read.

    The last line is left for later while its end is missing. Only one is in memory.
    """
    with opened(path) as file:
        if file is None:
            return
        file.seek(since.offset)
        place = since
        while (line := _line(file, place)) is not None:
            yield line
            place = line.behind


@contextmanager
def opened(path: str) -> Iterator[BinaryIO | None]:
    """Open a transcript to read it; None for what is no plain file of its own.

    A link could lead anywhere, and a pipe must not hold anybody up.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError):
        yield None
        return
    with os.fdopen(descriptor, "rb") as file:
        yield file if stat.S_ISREG(os.fstat(descriptor).st_mode) else None


def _line(file: BinaryIO, place: Place) -> Line | None:
    try:
        data = file.readline(LONGEST_BYTES)
        size, end, is_whole = len(data), data[-1:], data.endswith(b"\n")
        if not is_whole:
            data = data[:KEPT_BYTES]
        while end != b"\n" and (more := file.readline(_CHUNK_BYTES)):
            size, end = size + len(more), more[-1:]
    except OSError:
        return None
    if end != b"\n":
        return None
    behind = Place(place.offset + size, place.position + 1)
    return Line(data, place, behind, is_whole)


def _told(data: bytes) -> dict[str, Any]:
    """Find the names and the time of an entry whose text is not read."""
    found: dict[str, Any] = {}
    for name, text in _NAMED.findall(data):
        found.setdefault(name.decode("ascii"), text.decode("ascii"))
    return found
