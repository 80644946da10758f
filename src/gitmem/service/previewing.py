"""Show what a turn would be told, and what each memory was weighed for it."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from gitmem.delivery.view import Turn
from gitmem.service import attending, pointing, shelf, telling

if TYPE_CHECKING:
    from gitmem.attention.score import Judged
    from gitmem.attention.signals import Signal
    from gitmem.service.answers import Visit
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
    """The text of a turn, the words it was widened by, and all that was weighed."""

    text: str
    before: str
    considered: tuple[Considered, ...]


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
    considered = tuple(_considered(each, verdict) for each, verdict in ranked)
    return Preview(text, found.asking.before, considered)


def _considered(judged: "Judged", verdict: str) -> Considered:
    return Considered(
        path=judged.found.row.path,
        kind=judged.traits.kind,
        score=judged.score,
        relevance=judged.relevance,
        signals=judged.signals,
        verdict=verdict,
    )
