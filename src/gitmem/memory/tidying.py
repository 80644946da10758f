"""Decide what comes of a plan, given the memories that there are; pure.

Merges first, then renames, each in the plan's order. What cannot be done is left out
and said; the rest is done.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from gitmem.memory import renaming
from gitmem.memory.merging import Merging
from gitmem.memory.plans import Plan
from gitmem.memory.renaming import Ground, Renamed

# Of the memories of a layer, no more than one in so many goes without being asked.
ONE_IN: Final = 5


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A memory that changes; `after` is None for one that goes into another."""

    path: PurePosixPath
    before: bytes
    after: bytes | None


@dataclass(frozen=True, slots=True)
class Merged:
    """A memory, and those that went into it."""

    kept: PurePosixPath
    dropped: tuple[PurePosixPath, ...]


@dataclass(frozen=True, slots=True)
class Removal:
    """How many memories of a layer go, of how many."""

    layer: str
    removed: int
    total: int

    @property
    def is_large(self) -> bool:
        """Say whether somebody has to be asked."""
        return self.removed * ONE_IN > self.total


@dataclass(frozen=True, slots=True)
class Tidied:
    """What comes of a plan; `said` is what was left out of it, and what to know."""

    changes: tuple[Rewritten, ...]
    merged: tuple[Merged, ...]
    renamed: tuple[Renamed, ...]
    removals: tuple[Removal, ...]
    said: tuple[str, ...]


def tidy(plan: Plan, ground: Ground) -> Tidied:
    """Work out what a plan comes to; the same plan and memories give the same bytes."""
    work = Merging(plan, ground)
    work.run(plan.merges)
    done = renaming.renamed(plan.renames, work.now, work.given, ground)
    changes = tuple(
        Rewritten(path, data, done.pages.get(path))
        for path, data in sorted(ground.pages.items())
        if done.pages.get(path) != data
    )
    merged: dict[PurePosixPath, list[PurePosixPath]] = {}
    for path in work.into:
        merged.setdefault(work.root(path), []).append(path)
    return Tidied(
        changes,
        tuple(Merged(kept, tuple(parts)) for kept, parts in merged.items()),
        done.renamed,
        _removals(ground, work.into),
        (*work.said, *done.said),
    )


def _removals(
    ground: Ground, gone: Mapping[PurePosixPath, PurePosixPath]
) -> tuple[Removal, ...]:
    layers = sorted({path.parts[0] for path in gone})
    return tuple(
        Removal(
            layer,
            sum(path.parts[0] == layer for path in gone),
            sum(path.parts[0] == layer for path in ground.pages),
        )
        for layer in layers
    )
