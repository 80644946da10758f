"""Keep the object store small, and throw nothing away."""

from dataclasses import dataclass
from typing import Final

from gitmem.errors import Busy
from gitmem.repo.repository import Repository

# Git's own measures for `gc --auto` are 6,700 and 50: too late for a small memory.
LOOSE_AT_MOST: Final = 500
PACKS_AT_MOST: Final = 20


@dataclass(frozen=True, slots=True)
class Upkeep:
    """How many loose objects and packs there were, and are."""

    loose_before: int
    packs_before: int
    loose: int
    packs: int


def upkeep(repository: Repository) -> Upkeep:
    """Pack what lies loose when it has become much.

    Believes the count, not an exit status: maintenance that finds a stale lock of its
    own does nothing and says that all is well. Raises Busy then.
    """
    loose, packs = repository.count_objects()
    if loose <= LOOSE_AT_MOST and packs <= PACKS_AT_MOST:
        return Upkeep(loose, packs, loose, packs)
    repository.pack()
    loose_after, packs_after = repository.count_objects()
    if loose_after >= max(loose, 1) and packs_after >= packs:
        raise Busy(
            f"{loose_after} loose objects could not be packed.",
            "Look for other Git processes in the memory repository.",
        )
    return Upkeep(loose, packs, loose_after, packs_after)
