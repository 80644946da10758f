"""Weigh a memory against a turn: what speaks for it, and how much; pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from gitmem.attention import weights
from gitmem.attention.asking import is_own
from gitmem.attention.signals import Hearing, Signal, relevance
from gitmem.catalog.bearing import Bearing
from gitmem.memory.traits import Traits

BEFORE_MARK: Final = "before: "
# What is given whole where it bears on a turn: to name it would not do.
WHOLE_KINDS: Final = frozenset({"constraint", "policy"})
CRITICAL: Final = "critical"
# A person said beforehand that these words mean the memory.
_BY_CHOICE: Final = frozenset({weights.TRIGGER.name, weights.RULE.name})
RELATION: Final = "relation"


@dataclass(frozen=True, slots=True)
class Judged:
    """A memory as it was weighed: its signals, strongest first, and their sums.

    `relevance` says how much the turn is about it, `relevance_now` how much the
    prompt alone is, and `is_triggered` that a trigger or a rule says so. `named_now`
    counts the words of the prompt that stand where a person chose what stands there.
    """

    found: Bearing
    traits: Traits
    signals: tuple[Signal, ...]
    relevance: float
    relevance_now: float
    score: float
    is_triggered: bool = False
    named_now: int = 0

    @property
    def path(self) -> str:
        """Say where the memory is."""
        return str(self.found.row.path)

    @property
    def is_whole(self) -> bool:
        """Say whether it is given in full where it bears on a turn."""
        return self.traits.kind in WHOLE_KINDS or self.traits.priority == CRITICAL

    @property
    def reason(self) -> str:
        """Say in a few words why it was found."""
        reasons = {each.name: each.reason for each in self.signals}
        order = (RELATION, *(each.name for each in weights.RELEVANCE))
        return "; ".join(reasons[name] for name in order if name in reasons)


def judge(now: Hearing | None, before: Hearing | None, today: date) -> Judged:
    """Weigh a memory by what it has of the prompt and of what was said before."""
    hearing = now or before
    if hearing is None:
        raise ValueError("a memory that nothing was heard of cannot be weighed")
    found, known = hearing.found, hearing.found.traits
    own = relevance(now, known) if now else ()
    earlier = _lowered(relevance(before, known)) if before else ()
    best = max(own, earlier, key=_sum)
    signals = (*best, *_standing(found, known, today))
    return Judged(
        found=found,
        traits=known,
        signals=tuple(sorted(signals, key=lambda each: -each.points)),
        relevance=_sum(best),
        relevance_now=_sum(own),
        score=_sum(signals),
        is_triggered=any(each.name in _BY_CHOICE for each in own),
        named_now=_named(now.found) if now else 0,
    )


def reached(found: Bearing, via: Judged) -> Judged:
    """Weigh a memory that a relation leads to: it matters as much as the other end.

    The prompt itself said nothing of it.
    """
    points = via.relevance
    signal = Signal(RELATION, points, f"related to {via.path}")
    return Judged(found, found.traits, (signal,), points, 0.0, points)


def _named(found: Bearing) -> int:
    """Count the words of its own that a text has in common with a memory."""
    words = {word.casefold() for match in found.matches for word in match.words}
    return sum(is_own(word) for word in words)


def _lowered(signals: Sequence[Signal]) -> tuple[Signal, ...]:
    return tuple(
        replace(
            each,
            points=round(each.points * weights.BEFORE, 1),
            reason=f"{BEFORE_MARK}{each.reason}",
        )
        for each in signals
    )


def _standing(found: Bearing, known: Traits, today: date) -> tuple[Signal, ...]:
    """Say what counts for a memory whatever the turn is about."""
    age = max(0, (today - found.row.changed_at.date()).days)
    read = found.reads.on(today)
    fresh = weights.HALF_AGE_DAYS / (weights.HALF_AGE_DAYS + age)
    counted = (
        (weights.OPEN, float(known.is_open(today))),
        (weights.AMBIENT, float(known.attention == "ambient")),
        (weights.CRITICAL, float(known.priority == CRITICAL)),
        (weights.HIGH, float(known.priority == "high" or known.is_pinned)),
        (weights.LOW, float(known.priority == "low")),
        (weights.RECENT, fresh),
        (weights.READ, read / (weights.HALF_READS + read)),
    )
    return tuple(
        Signal(weight.name, round(weight.points * strength, 1), weight.name)
        for weight, strength in counted
        if strength
    )


def _sum(signals: Sequence[Signal]) -> float:
    return round(sum(each.points for each in signals), 1)
