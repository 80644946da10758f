"""Merge append-only records, one JSON value a line, byte for byte as written; pure.

Lines are counted, not interpreted: two that differ in a byte are two. Of a line that
the base has n times, what a side removed is gone, and what a side added is added. The
same line added by both is one where it has an `id`, or says nothing; two where it may
be two events: a line too many can be deleted, and one too few cannot be found.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

_BOM: Final = b"\xef\xbb\xbf"
_LINE: Final = re.compile(rb"[^\n]*\n|[^\n]+")
_TEXT: Final = re.compile(rb'"(?:[^"\\]|\\.)*"')
# How deep json reads depends on the Python; what a machine merges must not.
_DEPTH_LIMIT: Final = 200
_BEFORE_ALL: Final = -1
_BEHIND_ALL: Final = -2


@dataclass(frozen=True, slots=True)
class _Line:
    """A line as written, and which line of the base it is, if any."""

    text: bytes
    place: int | None

    @property
    def record(self) -> bytes:
        return _record(self.text)


def are_records(*versions: bytes) -> bool:
    """Say whether each line of all of them is one whole JSON value, or blank."""
    records = {
        _record(line)
        for version in versions
        for line in _LINE.findall(version.removeprefix(_BOM))
    }
    return all(map(_is_value, records))


def merge_records(base: bytes, winner: bytes, loser: bytes) -> bytes:
    """Merge three files of records; the order of a side stays, and times decide."""
    before = _LINE.findall(base.removeprefix(_BOM))
    ours, theirs = _placed(winner, before), _placed(loser, before)
    mine = {line.place: line.text for line in ours if line.place is not None}
    yours = {line.place: line.text for line in theirs if line.place is not None}
    # A line end is no part of a record: whoever changed it decides.
    kept = {
        place: yours[place] if text == before[place] else text
        for place, text in mine.items()
        if place in yours
    }
    order = _order(theirs if _is_moved(theirs) and not _is_moved(ours) else ours, kept)
    here, there = _added(ours, kept), _added(_not_twice(ours, theirs), kept)
    lines: list[bytes] = []
    for place in (_BEFORE_ALL, *order, _BEHIND_ALL):
        lines += [kept[place]] if place in kept else []
        lines += _woven(here.get(place, ()), there.get(place, ()))
    changed = loser if winner.startswith(_BOM) == base.startswith(_BOM) else winner
    mark = _BOM if changed.startswith(_BOM) else b""
    return mark + b"".join(_ended(lines, winner))


def _record(line: bytes) -> bytes:
    return line.rstrip(b"\r\n")


def _is_value(record: bytes) -> bool:
    if not record.strip():
        return True
    if _depth(record) > _DEPTH_LIMIT:
        return False
    try:
        _parsed(record)
    except ValueError:
        return False
    return True


def _depth(record: bytes) -> int:
    if record.count(b"[") + record.count(b"{") <= _DEPTH_LIMIT:
        return 0
    depth = deepest = 0
    for character in _TEXT.sub(b"", record):
        depth += (character in b"[{") - (character in b"]}")
        deepest = max(deepest, depth)
    return deepest


@cache
def _decoder() -> json.JSONDecoder:
    # Numbers stay text: some are too long to be read.
    return json.JSONDecoder(parse_int=str, parse_float=str)


def _parsed(record: bytes) -> object:
    return _decoder().decode(record.decode())


def _field(record: bytes, name: str) -> str:
    value = _parsed(record) if record.strip() else None
    return str(value.get(name) or "") if isinstance(value, dict) else ""


def _placed(data: bytes, before: Sequence[bytes]) -> list[_Line]:
    """Find the lines of a side in the base: of equal lines the n-th is the n-th."""
    places: dict[bytes, list[int]] = {}
    for place in reversed(range(len(before))):
        places.setdefault(_record(before[place]), []).append(place)
    return [
        _Line(text, left.pop() if (left := places.get(_record(text))) else None)
        for text in _LINE.findall(data.removeprefix(_BOM))
    ]


def _is_moved(lines: Sequence[_Line]) -> bool:
    places = [line.place for line in lines if line.place is not None]
    return any(second < first for first, second in pairwise(places))


def _order(lines: Sequence[_Line], kept: Mapping[int, bytes]) -> list[int]:
    places = (line.place for line in lines)
    return [place for place in places if place is not None and place in kept]


def _not_twice(ours: Sequence[_Line], theirs: Sequence[_Line]) -> Iterator[_Line]:
    """Leave out what we added too, where that is the same."""
    added = Counter(line.record for line in ours if line.place is None)
    for line in theirs:
        record = line.record
        is_known = line.place is None and added[record] > 0
        if is_known and (not record.strip() or _field(record, "id")):
            added[record] -= 1
        else:
            yield line


def _added(
    lines: Iterator[_Line] | Sequence[_Line], kept: Mapping[int, bytes]
) -> dict[int, list[bytes]]:
    """List what a side added below each line that is kept, and at its end."""
    added: dict[int, list[bytes]] = {}
    below = _BEFORE_ALL
    for line in lines:
        if line.place is None:
            added.setdefault(below, []).append(line.text)
        elif line.place in kept:
            below = line.place
    if below in added:
        added[_BEHIND_ALL] = added.pop(below)
    return added


def _woven(ours: Sequence[bytes], theirs: Sequence[bytes]) -> Iterator[bytes]:
    """Yield the lines of two sides by time; those of one side never change places."""
    rest = list(zip(_times(theirs), theirs, strict=True))[::-1]
    for time, line in zip(_times(ours), ours, strict=True):
        while rest and rest[-1][0] < time:
            yield rest.pop()[1]
        yield line
    yield from (line for _, line in reversed(rest))


def _times(lines: Sequence[bytes]) -> Iterator[str]:
    """Say when each line was written; without a time of its own, as the one above."""
    time = ""
    for line in lines:
        time = _field(_record(line), "timestamp") or time
        yield time


def _ended(lines: Sequence[bytes], like: bytes) -> Iterator[bytes]:
    """End every line but the last one, which may go without."""
    newline = b"\r\n" if b"\r\n" in like else b"\n"
    for line in lines[:-1]:
        yield line if line.endswith(b"\n") else _record(line) + newline
    yield from lines[-1:]
