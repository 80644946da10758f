"""Anchors as they are shown: clean text, in the time of this machine; pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from gitmem.tape import anchor as types
from gitmem.tape.anchor import Anchor
from gitmem.tui.clock import local
from gitmem.tui.text import FAINT, HANDOFF, PLAIN, SESSION, THREAD, Line, clean, line

GLYPHS: Final = {types.SESSION: "○", types.HANDOFF: "◆", types.THREAD: "●"}
LOOKS: Final = {
    types.SESSION: SESSION,
    types.HANDOFF: HANDOFF,
    types.THREAD: THREAD,
}
_DAY: Final = 10


@dataclass(frozen=True, slots=True)
class Row:
    """An anchor; every text in it is clean, and `anchor` is as it was read."""

    anchor: Anchor
    at: datetime
    day: date
    moment: str
    name: str
    type: str
    trigger: str
    purpose: str
    summary: str
    keywords: tuple[str, ...]

    @property
    def id(self) -> str:
        """Give the id, as it was read."""
        return self.anchor.id

    def texts(self) -> Iterator[str]:
        """Give all that a filter looks at."""
        yield from (self.moment, self.name, self.type, self.trigger)
        yield from (self.purpose, self.summary, *self.keywords)


def rows(anchors: Iterable[Anchor]) -> tuple[Row, ...]:
    """Make anchors ready to be shown, in their order."""
    return tuple(map(row, anchors))


def row(anchor: Anchor) -> Row:
    """Make one anchor ready to be shown."""
    at = local(anchor.at)
    meta = anchor.meta
    return Row(
        anchor=anchor,
        at=at,
        day=at.date(),
        moment=f"{at:%Y-%m-%d %H:%M}",
        name=clean(anchor.name),
        type=clean(anchor.type),
        trigger=clean(meta.trigger),
        purpose=clean(meta.purpose),
        summary=clean(meta.summary),
        keywords=tuple(map(clean, meta.keywords)),
    )


def timeline(shown: Sequence[Row]) -> tuple[Line, ...]:
    """Draw anchors one a line; a day is named where it begins."""
    lines: list[Line] = []
    day = ""
    for each in shown:
        is_new = each.moment[:_DAY] != day
        day = each.moment[:_DAY]
        lines.append(_of_row(each, day if is_new else " " * _DAY))
    return tuple(lines)


def _of_row(each: Row, day: str) -> Line:
    said = each.purpose or each.summary
    words = " ".join(f"#{word}" for word in each.keywords)
    return line(
        (f"{day} ", FAINT),
        f"{each.moment[_DAY + 1 :]} ",
        (f"{GLYPHS.get(each.type, '·')} ", LOOKS.get(each.type, PLAIN)),
        each.name,
        (f"  {said}" if said else "", FAINT),
        (f"  {words}" if words else "", HANDOFF),
        key=each.id,
    )


def details(each: Row) -> tuple[Line, ...]:
    """Say of one anchor all that is known."""
    anchor = each.anchor
    told = (
        ("summary", each.summary),
        ("purpose", each.purpose),
        ("keywords", ", ".join(each.keywords)),
        ("session", clean(anchor.session)),
        ("entry", clean(anchor.entry)),
        ("id", clean(anchor.id)),
    )
    kind = f"{each.type}, {each.trigger}" if each.trigger else each.type
    head = line(
        (f"{GLYPHS.get(each.type, '·')} ", LOOKS.get(each.type, PLAIN)),
        (each.name, "strong"),
        (f"  {kind}  {each.at:%Y-%m-%d %H:%M:%S}", FAINT),
    )
    said = (line((f"{name:<9}", FAINT), text) for name, text in told if text)
    return (head, *said)
