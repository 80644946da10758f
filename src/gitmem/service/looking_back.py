"""Look back over the tape: find, play a part of it, say how long it is."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gitmem.errors import UsageError
from gitmem.hosts import entry as kinds
from gitmem.service import anchoring
from gitmem.service.tape_answers import (
    FoundAnchor,
    Label,
    Passage,
    Played,
    Searched,
    TapeInfo,
)
from gitmem.tape import span as spans
from gitmem.tape.span import Bounds, Marks, Span

if TYPE_CHECKING:
    from gitmem.hosts.entry import Entry, Session
    from gitmem.service.rooms import Rooms
    from gitmem.tape.anchor import Anchor

ANCHORS: Final = "anchor"
ENTRIES: Final = "entry"
KINDS: Final = (ANCHORS, ENTRIES)
TYPES: Final = (
    kinds.MESSAGE,
    kinds.TOOL_RESULT,
    kinds.COMPACTION,
    kinds.CUSTOM,
    kinds.OTHER,
)
# What is said, without what tools gave back.
SPOKEN: Final = (kinds.MESSAGE, kinds.COMPACTION)
LIMIT: Final = 20
MOST: Final = 100
MOST_CONTEXT: Final = 5
CONTENT_CHARACTERS: Final = 300
_SNIPPET: Final = 200
_SHOWN_NAMES: Final = 3
ADVISED_BEYOND: Final = 20


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for: in which part, of which kinds, at most how much of it."""

    span: Span = field(default_factory=Span)
    marks: Marks = field(default_factory=Marks)
    kinds: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    limit: int = LIMIT
    context_lines: int = 0
    most_characters: int | None = CONTENT_CHARACTERS


def search(rooms: "Rooms", wanted: Wanted) -> Searched:
    """Find anchors and entries, the newest first, `limit` of each at most."""
    check(wanted)
    tape = rooms.tape()
    tape.require()
    anchors, session = tape.anchors(), _session(rooms)
    limits = spans.bounds(wanted.span, anchors, session)
    found: tuple[Anchor, ...] = ()
    if not wanted.kinds or ANCHORS in wanted.kinds:
        found = spans.matching(anchors, wanted.marks, limits)
        if wanted.span.anchor_scope == spans.SESSION:
            found = spans.in_session(found, session) or found
        found = tuple(reversed(found[-wanted.limit :]))
    shown = tuple(
        FoundAnchor(each, tuple(_context(rooms, each, wanted))) for each in found
    )
    looks_inside = ENTRIES in wanted.kinds or (not wanted.kinds and wanted.marks.scan)
    entries = _searched(rooms, wanted, limits, session) if looks_inside else ()
    return Searched(shown, entries)


def read(rooms: "Rooms", wanted: Wanted) -> Played:
    """Play a part of the tape: from an anchor on, or its end."""
    check(wanted)
    tape = rooms.tape()
    tape.require()
    session = _session(rooms)
    limits = spans.bounds(wanted.span, tape.anchors(), session)
    about = limits.after.session if limits.after else session
    found: list[Entry] = []
    for each in _sessions(rooms, wanted.span.entry_scope, about):
        found += _said(rooms, each, wanted, limits)
    if not found and wanted.span.entry_scope == spans.SESSION:
        for each in _sessions(rooms, spans.PROJECT, about):
            found += _said(rooms, each, wanted, limits)
    ordered = _in_order(found)
    # From an anchor on one reads forwards; else the end is what matters.
    kept = ordered[: wanted.limit] if limits.after else ordered[-wanted.limit :]
    entries = tuple(_passage(each, wanted.most_characters) for each in kept)
    note = "" if found else _nothing(limits)
    return Played(entries, limits.after, len(ordered) - len(kept), note)


def info(rooms: "Rooms") -> TapeInfo:
    """Say how long the session's tape is, and how far back its last anchor lies."""
    tape = rooms.tape()
    if not tape.is_open:
        return TapeInfo(why_shut=tape.why_shut)
    (anchors, threads), session = tape.whole(), _session(rooms)
    sessions = rooms.transcripts().sessions()
    own = next((each for each in sessions if each.id == session), None)
    entries = tuple(rooms.transcripts().entries(own)) if own else ()
    spoken = [each for each in entries if each.kind in SPOKEN]
    mine = spans.in_session(anchors, session)
    last = (mine or anchors or (None,))[-1]
    since = spans.inside(spoken, session, Bounds(after=last)) if own else ()
    return TapeInfo(
        session=session,
        entries=len(spoken),
        sessions=len(sessions),
        anchors=len(anchors),
        threads=len(threads),
        last_anchor=last,
        entries_since=len(since),
        advice=_advice(len(since)),
        label_prefix=rooms.loaded.settings.tape.anchor.label_prefix,
        labels=tuple(_labels(rooms, mine)),
    )


def check(wanted: Wanted) -> None:
    """Refuse what there is not."""
    span = wanted.span
    for given, known, what in (
        (wanted.kinds, KINDS, "kind"),
        (wanted.types, TYPES, "type of entry"),
        ((span.entry_scope, span.anchor_scope), spans.SCOPES, "scope"),
    ):
        for each in given:
            if each not in known:
                raise UsageError(
                    f"There is no {what} {each!r}.", f"Choose from {', '.join(known)}."
                )
    chosen = (span.since_anchor, span.last_anchor, span.between_anchors)
    if sum(map(bool, chosen)) > 1:
        raise UsageError(
            "A part of the tape begins in one place.",
            "Name one of: an anchor, the last anchor, or two anchors.",
        )


def _session(rooms: "Rooms") -> str:
    """Name the session that asks, or the one that a person most likely means."""
    return (anchoring.speaker(rooms) or anchoring.latest(rooms))[1]


def _sessions(rooms: "Rooms", scope: str, session: str) -> Iterator["Session"]:
    for each in rooms.transcripts().sessions():
        if scope == spans.PROJECT or each.id == session:
            yield each


def _said(
    rooms: "Rooms", session: "Session", wanted: Wanted, limits: Bounds
) -> Sequence["Entry"]:
    """Read what a session says within the bounds that is of the wanted types."""
    entries = tuple(rooms.transcripts().entries(session))
    types = wanted.types or SPOKEN
    return tuple(
        each
        for each in spans.inside(entries, session.id, limits)
        if each.kind in types
        and (each.text.strip() or each.calls)
        and spans.says(each.text, wanted.marks.scan)
    )


def _searched(
    rooms: "Rooms", wanted: Wanted, limits: Bounds, session: str
) -> tuple[Passage, ...]:
    """Find entries in the sessions that changed last, until there are enough."""
    scope = wanted.span.entry_scope
    found = _enough(rooms, wanted, limits, _sessions(rooms, scope, session))
    if not found and scope == spans.SESSION:
        everywhere = _sessions(rooms, spans.PROJECT, session)
        found = _enough(rooms, wanted, limits, everywhere)
    newest = sorted(found, key=lambda each: each.at, reverse=True)[: wanted.limit]
    return tuple(_passage(each, _SNIPPET, wanted.marks.scan) for each in newest)


def _enough(
    rooms: "Rooms", wanted: Wanted, limits: Bounds, sessions: Iterable["Session"]
) -> list["Entry"]:
    found: list[Entry] = []
    for each in sessions:
        found += _said(rooms, each, wanted, limits)
        if len(found) >= wanted.limit:
            break
    return found


def _context(rooms: "Rooms", anchor: "Anchor", wanted: Wanted) -> Iterator[Passage]:
    if not wanted.context_lines or not anchor.entry:
        return
    for each in _sessions(rooms, spans.SESSION, anchor.session):
        entries = tuple(
            entry
            for entry in rooms.transcripts().entries(each)
            if entry.kind in SPOKEN or entry.id == anchor.entry
        )
        beside = spans.around(entries, anchor, wanted.context_lines)
        yield from (_passage(entry, _SNIPPET) for entry in beside)


def _in_order(entries: Iterable["Entry"]) -> list["Entry"]:
    """Put entries of several sessions in the order of time; forks repeat some."""
    once = {each.id or f"{each.session} {each.position}": each for each in entries}
    return sorted(once.values(), key=lambda each: (each.at, each.position))


def _passage(entry: "Entry", most: int | None, scan: str = "") -> Passage:
    text = entry.text.strip()
    start = _start(text, scan, most) if most is not None else 0
    kept = text if most is None else text[start : start + most]
    return Passage(
        session=entry.session,
        id=entry.id,
        at=entry.at,
        kind=entry.kind,
        role=entry.role,
        text=kept,
        tools=tuple(call.tool for call in entry.calls),
        is_cut=len(kept) < len(text),
    )


def _start(text: str, scan: str, most: int) -> int:
    """Begin a snippet a little before the first word that was looked for."""
    word = next(iter(scan.casefold().split()), "")
    at = text.casefold().find(word) if word else 0
    return max(0, min(at - most // 4, len(text) - most))


def _nothing(limits: Bounds) -> str:
    if limits.after is not None:
        return "No entry that this machine keeps follows that anchor."
    return "This machine keeps no entry of that part."


def _labels(rooms: "Rooms", anchors: Iterable["Anchor"]) -> Iterator[Label]:
    """Say what stands beside an entry: the last names of it, and how many more."""
    prefix = rooms.loaded.settings.tape.anchor.label_prefix
    names: dict[str, dict[str, None]] = {}
    for each in anchors:
        if each.entry:
            names.setdefault(each.entry, {})[each.name] = None
    for entry, every in names.items():
        shown = list(every)[-_SHOWN_NAMES:]
        more = f" +{len(every) - len(shown)}" if len(every) > len(shown) else ""
        yield Label(entry, f"{prefix}{' · '.join(shown)}{more}")


def _advice(entries: int) -> str:
    if entries <= ADVISED_BEYOND:
        return ""
    return (
        f"{entries} entries follow the last anchor: set one with tape_handoff where "
        "something begins or ends."
    )
