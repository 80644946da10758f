"""Let the short entries of a log count for what stands beside them; pure.

An entry of a log, a message or a day a file, often answers to words that only the
entry before it has. Its name says where it stands: `2026-05-01.md`, `standup-12.md`.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

# Each step away halves what an entry lends.
WEIGHTS: Final = (0.5, 0.25)
# About a passage of 150 words; what is longer speaks for itself.
SHORT_BYTES: Final = 1_000

_DATED: Final = re.compile(r"(.*?)(\d{4}-\d\d-\d\d)\.md", re.DOTALL | re.ASCII)
_NUMBERED: Final = re.compile(r"(.*?)(\d{1,9})\.md", re.DOTALL | re.ASCII)


@dataclass(frozen=True, slots=True)
class Lifted:
    """What an entry scores with those beside it, and which clauses are only theirs."""

    score: float
    lent: tuple[int, ...] = ()


def beside(path: str) -> dict[str, float]:
    """Name what may stand beside an entry of a log, with what it lends."""
    return {
        name: weight
        for away, weight in enumerate(WEIGHTS, 1)
        for step in (-away, away)
        for name in _moved(path, step)
    }


def lifted(
    clauses: Sequence[Mapping[str, float]], entries: Collection[str]
) -> dict[str, Lifted]:
    """Score the entries that have a clause themselves: each clause where it is best.

    A clause is given as what each entry scores by it alone.
    """
    return {
        path: _lifted(path, clauses)
        for path in entries
        if any(path in scores for scores in clauses)
    }


def _lifted(path: str, clauses: Sequence[Mapping[str, float]]) -> Lifted:
    near = beside(path).items()
    total, lent = 0.0, []
    for number, scores in enumerate(clauses):
        own = scores.get(path, 0.0)
        other = max(
            (weight * scores.get(name, 0.0) for name, weight in near), default=0
        )
        total += max(own, other)
        if other > own == 0.0:
            lent.append(number)
    return Lifted(total, tuple(lent))


def _moved(path: str, step: int) -> tuple[str, ...]:
    """Name the entry so many steps on, as it may be written."""
    if found := _DATED.fullmatch(path):
        try:
            day = date.fromisoformat(found[2]) + timedelta(step)
        except (ValueError, OverflowError):
            return ()
        return (f"{found[1]}{day}.md",)
    found = _NUMBERED.fullmatch(path)
    if not found or int(found[2]) + step < 0:
        return ()
    number = str(int(found[2]) + step)
    filled = number.zfill(len(found[2]))
    # Before `10` comes `9` or `09`; before `010` only `009`.
    written = {filled} if found[2].startswith("0") else {number, filled}
    return tuple(f"{found[1]}{each}.md" for each in sorted(written))
