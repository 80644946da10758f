"""Which part of a tape is meant: since, between, and what it has to say; pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from gitmem.errors import NotFound, UsageError
from gitmem.files.names import shown
from gitmem.hosts.entry import Entry
from gitmem.tape.anchor import Anchor
from gitmem.tape.record import moment

SESSION: Final = "session"
PROJECT: Final = "project"
SCOPES: Final = (SESSION, PROJECT)
_DAY_CHARACTERS: Final = 10
# To its last moment; the day after it may not be in the calendar.
_DAY: Final = timedelta(days=1) - timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a tape as it is asked for: anchors by id or name, days or moments.

    A scope of `session` is the session that asks, or the anchor's; where that holds
    nothing, it is the project.
    """

    since_anchor: str = ""
    last_anchor: bool = False
    between_anchors: tuple[str, str] | None = None
    between_dates: tuple[str, str] | None = None
    entry_scope: str = SESSION
    anchor_scope: str = SESSION


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where a part of a tape begins and ends; None where it is open."""

    after: Anchor | None = None
    until: Anchor | None = None
    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class Marks:
    """What an anchor has to say to be found; what is empty asks for nothing."""

    name: str = ""
    type: str = ""
    summary: str = ""
    purpose: str = ""
    keywords: tuple[str, ...] = ()
    scan: str = ""


def bounds(span: Span, anchors: Sequence[Anchor], session: str) -> Bounds:
    """Find the anchors and moments that bound a span.

    Raises NotFound for an anchor that is not there, UsageError for what is no date.
    """
    start, end = _dates(span.between_dates)
    seen = _in_scope(anchors, session, span.anchor_scope)
    if span.between_anchors is not None:
        first, last = (_anchor(seen, anchors, each) for each in span.between_anchors)
        return Bounds(first, last, start, end)
    if span.since_anchor:
        return Bounds(_anchor(seen, anchors, span.since_anchor), None, start, end)
    if span.last_anchor:
        if not seen:
            raise NotFound("There is no anchor yet.", "Set one: gitmem tape handoff")
        return Bounds(seen[-1], None, start, end)
    return Bounds(start=start, end=end)


def inside(entries: Sequence[Entry], session: str, limits: Bounds) -> tuple[Entry, ...]:
    """Leave out what lies before or behind the bounds.

    In an anchor's own session its entry is the bound, elsewhere its moment is.
    """
    low = _position(entries, session, limits.after)
    high = _position(entries, session, limits.until)
    return tuple(
        each
        for each in entries
        if _is_after(each, low, limits.after)
        and not (limits.until and _is_after(each, high, limits.until))
        and (limits.start is None or each.at >= limits.start)
        and (limits.end is None or each.at <= limits.end)
    )


def around(entries: Sequence[Entry], anchor: Anchor, count: int) -> tuple[Entry, ...]:
    """Give the entries beside an anchor's own, which is among them."""
    at = _position(entries, anchor.session, anchor)
    if at is None or count <= 0:
        return ()
    index = next(i for i, each in enumerate(entries) if each.position == at)
    return tuple(entries[max(0, index - count) : index + count + 1])


def matching(
    anchors: Iterable[Anchor], marks: Marks, limits: Bounds
) -> tuple[Anchor, ...]:
    """Leave out the anchors that do not say what is wanted."""
    return tuple(
        each for each in anchors if _is_between(each, limits) and _says(each, marks)
    )


def says(text: str, scan: str) -> bool:
    """Say whether a text holds every word that is looked for."""
    folded = text.casefold()
    return all(word in folded for word in scan.casefold().split())


def in_session(anchors: Sequence[Anchor], session: str) -> tuple[Anchor, ...]:
    """Give the anchors of one session."""
    return tuple(each for each in anchors if session and each.session == session)


def _in_scope(
    anchors: Sequence[Anchor], session: str, scope: str
) -> tuple[Anchor, ...]:
    own = in_session(anchors, session) if scope == SESSION else ()
    return own or tuple(anchors)


def _anchor(seen: Sequence[Anchor], anchors: Sequence[Anchor], wanted: str) -> Anchor:
    """Find an anchor: by its id, else the latest of its name, in the scope first."""
    for among in (seen, anchors):
        for each in reversed(among):
            if wanted in {each.id, each.name}:
                return each
    raise NotFound(
        f"No anchor is called {shown(wanted)}.",
        "`gitmem tape search` lists them.",
    )


def _dates(
    dates: tuple[str, str] | None,
) -> tuple[datetime | None, datetime | None]:
    if dates is None:
        return None, None
    start, end = map(moment, dates)
    if start is None or end is None:
        raise UsageError(
            f"{shown(' to '.join(dates))} is not a span of time.",
            "Write days or moments, such as 2026-04-01 and 2026-04-16T12:00:00Z.",
        )
    is_day = len(dates[1].strip()) == _DAY_CHARACTERS
    return start, end + _DAY if is_day else end


def _position(
    entries: Sequence[Entry], session: str, anchor: Anchor | None
) -> int | None:
    if anchor is None or anchor.session != session or not anchor.entry:
        return None
    return next((e.position for e in entries if e.id == anchor.entry), None)


def _is_after(entry: Entry, position: int | None, anchor: Anchor | None) -> bool:
    if position is not None:
        return entry.position > position
    return anchor is None or entry.at > anchor.at


def _is_between(anchor: Anchor, limits: Bounds) -> bool:
    return not (
        (limits.after is not None and anchor.at <= limits.after.at)
        or (limits.until is not None and anchor.at > limits.until.at)
        or (limits.start is not None and anchor.at < limits.start)
        or (limits.end is not None and anchor.at > limits.end)
    )


def _says(anchor: Anchor, marks: Marks) -> bool:
    meta = anchor.meta
    keywords = {each.casefold() for each in meta.keywords}
    every = (anchor.name, anchor.type, meta.summary, meta.purpose, *meta.keywords)
    return (
        marks.type in {"", anchor.type}
        and marks.name.casefold() in anchor.name.casefold()
        and says(meta.summary, marks.summary)
        and says(meta.purpose, marks.purpose)
        and all(each.casefold() in keywords for each in marks.keywords)
        and says("\n".join(every), marks.scan)
    )
