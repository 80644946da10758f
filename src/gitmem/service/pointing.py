"""Put what a prompt brought to mind into a turn, and learn what came to be told."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gitmem.attention.score import CRITICAL, Judged
from gitmem.delivery.view import Count, Cue, Turn, Whole
from gitmem.memory.traits import OPEN_LOOP
from gitmem.service.attending import GIVEN, GONE, Attended, carries
from gitmem.service.person import origins_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import PurePosixPath

    from gitmem.attention.selection import Selection
    from gitmem.catalog.bearing import Held
    from gitmem.delivery.start import Rendered
    from gitmem.service.rooms import Rooms
    from gitmem.sessions.ledger import Told

WHY_CHARACTERS: Final = 160


def tell(
    rooms: "Rooms",
    attended: Attended,
    told: "Told",
    seen: Turn,
    render: "Callable[[Turn], Rendered]",
) -> tuple[str, "Told"]:
    """Render a turn with what is to be told, and say what the session then knows.

    What had no room is not counted as shown, and may be told another time.
    """
    full = _turn(rooms, attended, told, seen, ())
    rendered = render(full)
    missing = _missing(rendered)
    if missing:
        rendered = render(replace(full, counts=_counts(attended, told, missing)))
    return rendered.text, _learned(attended, told, rendered)


def _turn(
    rooms: "Rooms",
    attended: Attended,
    told: "Told",
    seen: Turn,
    missing: Collection[str],
) -> Turn:
    chosen = attended.selection
    rows = [each.found.row for each in (*chosen.whole, *chosen.cues)]
    origins = origins_of(rooms, rows)
    root = str(rooms.root)
    return replace(
        seen,
        critical=tuple(
            Whole(
                _cue(each, attended, root, origins),
                _body(attended.files[each.path].data),
            )
            for each in chosen.whole
        ),
        cues=tuple(_cue(each, attended, root, origins) for each in chosen.cues),
        counts=_counts(attended, told, missing),
    )


def _body(data: bytes) -> str:
    from gitmem.memory.frontmatter.read import read  # rare, and heavy: 5 ms

    return read(data).body_text


def _cue(
    judged: Judged,
    attended: Attended,
    root: str,
    origins: "Mapping[PurePosixPath, str]",
) -> Cue:
    row, file = judged.found.row, attended.files[judged.path]
    title = file.memory.title if file.memory else row.title
    description = file.memory.description if file.memory else row.description
    return Cue(
        path=row.path,
        place=f"{root}/{row.path}",
        title=title or description or row.path.stem,
        description=description,
        kind=judged.traits.kind,
        day=row.changed_at.date(),
        why=judged.reason[:WHY_CHARACTERS],
        marks=tuple(_marks(judged)),
        origin=origins.get(row.path, ""),
    )


def _marks(judged: Judged) -> list[str]:
    known = judged.traits
    found = ["open loop"] if known.attention == OPEN_LOOP else []
    found += [known.priority] if known.priority in {CRITICAL, "high"} else []
    if known.review_after:
        found.append(f"to be reviewed after {known.review_after.isoformat()}")
    return found


def _counts(
    attended: Attended, told: "Told", missing: Collection[str]
) -> tuple[Count, ...]:
    """Count what is held; what is all shown, or was told before, says nothing new."""
    chosen = attended.selection
    now = [each for each in (*chosen.whole, *chosen.cues) if each.path not in missing]
    # What the session was told before it has seen, and what is gone is not held.
    seen = [*now, *_left(chosen, GIVEN)]
    gone = _left(chosen, GONE)
    counts = (
        Count(
            held.name,
            held.total - _holding(gone, held.key),
            held.open,
            _holding(now, held.key),
        )
        for held in attended.held
        if _holding(seen, held.key) + _holding(gone, held.key) < held.total
        and told.named.get(f"#{held.key}") != _total(held)
    )
    return tuple(counts)


def _left(chosen: "Selection", reason: str) -> list[Judged]:
    return [each for each, why in chosen.left if why.startswith(reason)]


def _holding(judged: list[Judged], key: str) -> int:
    return sum(key in carries(each) for each in judged)


def _total(held: "Held") -> str:
    return f"{held.total}, {held.open}"


def _missing(rendered: "Rendered") -> frozenset[str]:
    """Name the memories that had no room, or not for all of their text."""
    cut = [each for each in rendered.left_out if each.label.startswith("critical ")]
    named = (name for each in rendered.left_out for name in each.ids)
    return frozenset((*named, *(each.label.partition(" ")[2] for each in cut)))


def _learned(attended: Attended, told: "Told", rendered: "Rendered") -> "Told":
    if not rendered.text:
        return told
    missing = _missing(rendered)
    chosen = attended.selection
    files = attended.files
    given = {
        each.path: files[each.path].hash
        for each in chosen.whole
        if each.path not in missing
    }
    named = {
        each.path: files[each.path].hash
        for each in chosen.cues
        if each.path not in missing
    }
    counts = {
        f"#{held.key}": _total(held)
        for held in attended.held
        if not any(each.label == "counts" for each in rendered.left_out)
    }
    return told.with_given(given).with_named({**named, **counts})
