"""Show what a turn would be told, and what each memory was weighed for it."""

from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from gitmem.attention import weights
from gitmem.attention.asking import looked_for
from gitmem.attention.signals import named
from gitmem.catalog import bearing
from gitmem.delivery.view import Turn
from gitmem.errors import NotFound, PathRefused
from gitmem.service import attending, pointing, shelf, telling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.attention.score import Judged
    from gitmem.attention.signals import Signal
    from gitmem.catalog.reason import Match
    from gitmem.service.answers import Visit
    from gitmem.service.attending import Attended
    from gitmem.service.rooms import Rooms


@dataclass(frozen=True, slots=True)
class Considered:
    """A memory that was weighed: what counted for it, and what became of it.

    `verdict` is `cue`, `critical`, or the reason why it is left out.
    """

    path: PurePosixPath
    kind: str
    score: float
    relevance: float
    signals: "tuple[Signal, ...]"
    verdict: str


@dataclass(frozen=True, slots=True)
class Preview:
    """The text of a turn, the words it was widened by, and all that was weighed.

    `notices` say what kept memories from coming to mind.
    """

    text: str
    before: str
    considered: tuple[Considered, ...]
    notices: tuple[str, ...] = ()


def preview(rooms: "Rooms", visit: "Visit", prompt: str) -> Preview:
    """Weigh memories as a turn of the session would, and change nothing."""
    with shelf.fresh(rooms):
        # A person who asks can wait for what was written just now; a hook cannot.
        told = rooms.ledger().read(visit.host, visit.id)
    found = attending.attend(rooms, visit, told, prompt, "")
    text, _ = pointing.tell(
        rooms,
        found,
        told,
        Turn(prompt),
        lambda turn: telling.written(rooms, visit, turn),
    )
    chosen = found.selection
    judged = [
        *((each, "critical") for each in chosen.whole),
        *((each, "cue") for each in chosen.cues),
        *chosen.left,
    ]
    ranked = sorted(judged, key=lambda pair: (-pair[0].score, pair[0].path))
    places = _places(rooms, found, [each for each, _ in ranked])
    considered = tuple(
        _considered(each, verdict, here)
        for (each, verdict), here in zip(ranked, places, strict=True)
    )
    return Preview(text, found.asking.before, considered, found.notices)


def _places(
    rooms: "Rooms", found: "Attended", judged: "Sequence[Judged]"
) -> "tuple[tuple[Match, ...], ...]":
    """Look into the files, as a turn has no time to, for the words of the prompt."""
    text = looked_for(f"{found.asking.now} {found.asking.before}")[0]
    files = [(each.found.row, _data(rooms, each.path)) for each in judged]
    with rooms.catalog() as catalog:
        return bearing.places(catalog, text, files)


def _data(rooms: "Rooms", path: str) -> bytes:
    try:
        return rooms.tree().read(PurePosixPath(path))
    except (NotFound, PathRefused, OSError):
        return b""


def _considered(
    judged: "Judged", verdict: str, places: "tuple[Match, ...]"
) -> Considered:
    return Considered(
        path=judged.found.row.path,
        kind=judged.traits.kind,
        score=judged.score,
        relevance=judged.relevance,
        signals=tuple(_placed(each, places) for each in judged.signals),
        verdict=verdict,
    )


def _placed(signal: "Signal", places: "tuple[Match, ...]") -> "Signal":
    """Say which words stand where, instead of only that some do."""
    if signal.name != weights.TEXT.name or not places:
        return signal
    told = (f"{each.field} {named(each.words)}" for each in places)
    return replace(signal, reason=f"in {'; '.join(told)}")
