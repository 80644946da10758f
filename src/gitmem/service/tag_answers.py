"""What the verbs of tags answer."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.memory.renaming import Renamed
    from gitmem.memory.tidying import Merged, Removal


@dataclass(frozen=True, slots=True)
class TagLine:
    """A tag as most memories spell it, how many carry it, and its other spellings."""

    tag: str
    memories: int
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TagTable:
    """The tags of a layer, the most used first.

    `untagged` memories have none; packets and claims are not counted. `added` is how
    many came since the layer was tidied last, `tidied_at` when that was.
    """

    layer: str
    memories: int
    untagged: int
    tags: tuple[TagLine, ...]
    added: int
    tidied_at: datetime | None
    is_due: bool


@dataclass(frozen=True, slots=True)
class Tables:
    """The tags of several layers, and how many at most a layer and a memory may have.

    `tags_at_most` is 0 where the contract is free.
    """

    contract: str
    tags_at_most: int
    consolidate_every: int
    layers: tuple[TagTable, ...]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A memory that changes; without a text it goes."""

    path: PurePosixPath
    text: str | None


@dataclass(frozen=True, slots=True)
class Tidying:
    """What came of a plan, or would; `committed` is empty where nothing was done."""

    is_dry: bool
    merged: "tuple[Merged, ...]"
    renamed: "tuple[Renamed, ...]"
    removals: "tuple[Removal, ...]"
    changes: tuple[Rewrite, ...]
    said: tuple[str, ...]
    committed: str = ""
