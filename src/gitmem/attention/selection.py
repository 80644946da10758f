"""Choose what a turn is told of: a floor, places for open loops, a limit; pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from gitmem.attention import weights
from gitmem.attention.score import Judged
from gitmem.attention.withheld import withheld

WHOLE_AT_MOST: Final = 5
BELOW_FLOOR: Final = "floor: the turn is not about it"
NO_PLACE: Final = "limit: others matter more"


@dataclass(frozen=True, slots=True)
class Selection:
    """What is told, best first, and what is not, each with its reason."""

    cues: tuple[Judged, ...] = ()
    whole: tuple[Judged, ...] = ()
    left: tuple[tuple[Judged, str], ...] = ()


def select(
    judged: Iterable[Judged],
    today: date,
    most: int,
    objection: Callable[[Judged], str],
) -> Selection:
    """Choose at most `most` cues; `objection` is asked last, of the best only.

    It names a reason against a memory that only the session or the disk can know.
    """
    ranked = sorted(judged, key=_order)
    reasons = {each.path: refusal(each, today) for each in ranked}
    able = [each for each in ranked if not reasons[each.path]]
    chooser = _Chooser(objection, reasons)
    whole = chooser.take([each for each in able if each.is_whole], WHOLE_AT_MOST)
    rest = [each for each in able if not each.is_whole]
    loops = [each for each in rest if each.traits.is_open(today)]
    kept = min(weights.RESERVED_FOR_OPEN, most)
    cues = chooser.take(loops, kept)
    first = {each.path for each in cues}
    cues += chooser.take([e for e in rest if e.path not in first], most - len(cues))
    chosen = {each.path for each in (*whole, *cues)}
    left = [each for each in ranked if each.path not in chosen]
    return Selection(
        cues=tuple(sorted(cues, key=_order)),
        whole=tuple(whole),
        left=tuple((each, reasons[each.path] or NO_PLACE) for each in left),
    )


class _Chooser:
    """Takes the best that nobody objects to, and keeps the objections."""

    def __init__(
        self, objection: Callable[[Judged], str], reasons: dict[str, str]
    ) -> None:
        self._objection = objection
        self._reasons = reasons

    def take(self, ranked: Sequence[Judged], most: int) -> list[Judged]:
        """Take at most so many, the best first."""
        taken: list[Judged] = []
        for each in ranked:
            if len(taken) >= most:
                break
            if not self._reasons[each.path]:
                self._reasons[each.path] = self._objection(each)
            if not self._reasons[each.path]:
                taken.append(each)
        return taken


def _order(judged: Judged) -> tuple[float, str]:
    return -judged.score, judged.path


def refusal(judged: Judged, today: date) -> str:
    """Say why a memory is not told at a turn, by what it says of itself."""
    return withheld(judged, today) or (
        BELOW_FLOOR if judged.relevance < weights.FLOOR else ""
    )
