"""Choose some of many points, always the same, and count what came of them."""

import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path

from tests.chaos.scene import Ended, Lost

SEED = 20260101


def chosen(points: Sequence[int], count: int, is_full: bool) -> list[int]:
    """Give all points, or as many of them as fit into a short run."""
    if is_full or len(points) <= count:
        return list(points)
    return sorted(random.Random(SEED).sample(list(points), count))  # noqa: S311


@dataclass
class Tally:
    """How the cycles of one test ended."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    errors: dict[str, str] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)

    def each(
        self, what: str, points: Sequence[int], strike: Callable[[int], Ended]
    ) -> None:
        """Do one harm at each point; what was lost is told at the end, all of it."""
        for point in points:
            try:
                self.add(what, strike(point))
            except Lost as error:
                self.lost.append(str(error))

    def add(self, what: str, ended: Ended) -> None:
        outcome = "killed" if ended.was_killed else ended.error or "went on"
        self.counts[f"{what}: {outcome}"] += 1
        self.counts["points"] += 1
        self.errors.setdefault(ended.error, f"{what}: {ended.trace}")
        self.counts["killed"] += ended.was_killed
        self.counts["asked"] += ended.is_asked

    def demand(
        self, *, killed: float = 0.0, allowed: AbstractSet[str] = frozenset()
    ) -> None:
        """Demand that the harm was done and told by its name, and give the figures."""
        if folder := os.environ.get("CHAOS_FIGURES"):
            line = f"{self.name} {dict(self.counts)} lost: {len(self.lost)}\n"
            with Path(folder).open("a", encoding="utf-8") as file:
                file.write(line)
        assert not self.lost, "\n".join(self.lost)
        assert self.counts["killed"] >= killed * self.counts["points"], self.counts
        odd = [self.errors[name] for name in self.errors.keys() - allowed - {""}]
        assert not odd, "\n".join(odd)
