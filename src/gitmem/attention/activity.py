"""Weigh files by what was done with them lately; pure."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gitmem.hosts.entry import EDIT, MEMORY_WRITE, READ, WRITE
from gitmem.hosts.work import Access, Read
from gitmem.tape.anchor import HANDOFF, KEYWORD, Anchor

POINTS: Final = {MEMORY_WRITE: 16.0, READ: 20.0, EDIT: 28.0, WRITE: 30.0}
DECAY_HOURS: Final = 24.0
# What was done right after somebody said what the work is about.
HANDOFF_POINTS: Final = 30.0
KEYWORD_POINTS: Final = 40.0
ANCHOR_DECAY_HOURS: Final = 12.0
ANCHOR_ENTRIES: Final = 15
# For each kind of access beside the first.
KIND_POINTS: Final = 2.0
LEAST_ACCESSES: Final = 5
STEP_HOURS: Final = 24
_HOUR: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Mark:
    """Where in a session an anchor is set, and what being done after it counts."""

    session: str
    ordinal: int
    at: float
    points: float


@dataclass(frozen=True, slots=True)
class Worked:
    """A file that was worked on: its score, and that without the bonus for kinds."""

    path: str
    score: float
    raw: float
    last: float


@dataclass(frozen=True, slots=True)
class Window:
    """The accesses that count, and how many hours back they go."""

    hours: int
    accesses: tuple[Access, ...] = ()


def window(accesses: Sequence[Access], now: float, hours: tuple[int, int]) -> Window:
    """Look back as far as it takes to see enough, and no further than is allowed."""
    first, most = hours
    found = Window(first)
    while True:
        since = now - found.hours * _HOUR
        seen = tuple(each for each in accesses if each.at >= since)
        found = Window(found.hours, seen)
        if len(seen) >= LEAST_ACCESSES or found.hours >= most:
            return found
        found = Window(min(found.hours + STEP_HOURS, most))


def weigh(
    accesses: Iterable[Access], marks: Sequence[Mark], now: float
) -> tuple[Worked, ...]:
    """Score every file that was touched, the best first."""
    ordered: dict[str, list[Access]] = {}
    for each in sorted(accesses, key=lambda each: (each.at, each.ordinal)):
        ordered.setdefault(each.path, []).append(each)
    found = (_worked(path, several, marks, now) for path, several in ordered.items())
    return tuple(
        sorted(found, key=lambda each: (-each.score, -each.raw, -each.last, each.path))
    )


def marks(anchors: Sequence[Anchor], reads: Iterable[Read]) -> tuple[Mark, ...]:
    """Find the latest handoff, and the latest that a keyword led to, in sessions."""
    handoffs = [each for each in anchors if each.type == HANDOFF]
    keywords = [each for each in handoffs if each.meta.trigger == KEYWORD]
    by_session = {each.owner.id: each for each in reads if each.owner is not None}
    latest = ((handoffs, HANDOFF_POINTS), (keywords, KEYWORD_POINTS))
    return tuple(
        mark
        for several, points in latest
        if several
        and (mark := _mark(max(several, key=_time), by_session, points)) is not None
    )


def words(anchors: Sequence[Anchor], most: int = 3) -> str:
    """Join what the latest anchors say the work is about."""
    latest = sorted(anchors, key=_time)[-most:]
    return " ".join(
        text
        for each in latest
        for text in (each.meta.summary, each.meta.purpose, *each.meta.keywords)
        if text
    )


def _worked(
    path: str, accesses: Sequence[Access], marks: Sequence[Mark], now: float
) -> Worked:
    raw = sum(
        (_points(each, now) + _boost(each, marks)) / math.sqrt(earlier + 1)
        for earlier, each in enumerate(accesses)
    )
    kinds = len({each.kind for each in accesses})
    score = raw + KIND_POINTS * (kinds - 1)
    return Worked(path, score, raw, max(each.at for each in accesses))


def _points(access: Access, now: float) -> float:
    hours = max(0.0, now - access.at) / _HOUR
    return POINTS.get(access.kind, 0.0) * math.exp(-hours / DECAY_HOURS)


def _boost(access: Access, marks: Sequence[Mark]) -> float:
    return sum(
        mark.points
        * math.exp(-max(0.0, access.at - mark.at) / _HOUR / ANCHOR_DECAY_HOURS)
        for mark in marks
        if mark.session == access.session
        and mark.ordinal < access.ordinal <= mark.ordinal + ANCHOR_ENTRIES
    )


def _mark(anchor: Anchor, sessions: Mapping[str, Read], points: float) -> Mark | None:
    read = sessions.get(anchor.session)
    if read is None:
        return None
    at = anchor.at.timestamp()
    ordinal = read.ordinal(anchor.entry) if anchor.entry else None
    if ordinal is None:
        # A host may write an entry down only after the anchor was set at it.
        before = (each.ordinal for each in read.accesses if each.at <= at)
        ordinal = max(before, default=-1)
    return Mark(anchor.session, ordinal, at, points)


def _time(anchor: Anchor) -> float:
    return anchor.at.timestamp()
