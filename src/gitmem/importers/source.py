"""What a source finds in a foreign store, and what a source is; values only."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final, Protocol, TypeAlias

from gitmem.importers.foreign import File, Foreign
from gitmem.tape.record import Record

# The layer of a find that belongs to all projects; "" is the one that is imported to.
SHARED: Final = "@shared"


@dataclass(frozen=True, slots=True)
class Found:
    """One memory of a foreign store, in gitmem's words.

    `origin` is the file it lies in, `id` a name that no other entry has in any store of
    this kind, and `raw` are its own bytes, by which a change is known. `path` is where
    it is wanted below its `layer`. `document` is a whole file of gitmem's format (or
    nearly), whose bytes are kept, its text in place of `body`: then `fields` are laid
    over it, and the rest fills up what it lacks. `mapped` says which fields got another
    name or place: "permalink -> imported_id". `store` names the store where a folder
    holds several.
    """

    origin: str
    path: PurePosixPath
    body: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    fields: Mapping[str, object] = field(default_factory=dict)
    layer: str = ""
    id: str = ""
    raw: bytes = b""
    document: bytes | None = None
    mapped: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    store: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """What no memory is made of, and why: it is named, never lost silently.

    `is_refused` says that it would be one if it were not too large.
    """

    origin: str
    reason: str
    is_refused: bool = False


def left(file: File, origin: str) -> Left:
    """Name a file that there is nothing to read of."""
    return Left(origin, file.trouble, is_refused=file.is_too_large)


@dataclass(frozen=True, slots=True)
class Line:
    """A line for the tape of a layer, as it was written."""

    origin: str
    record: Record
    layer: str = ""


@dataclass(frozen=True, slots=True)
class Advice:
    """What the person may want to do themselves; nothing does it for them."""

    text: str


Item: TypeAlias = Found | Left | Line | Advice


class Source(Protocol):
    """What a file in `sources/` is to the outside; its name is the kind's."""

    ABOUT: str

    def looks(self, store: Foreign) -> bool:
        """Say whether a folder or file looks like a store of this kind."""

    def read(self, store: Foreign) -> Iterator[Item]:
        """Read the store, entry by entry, in an order that stays the same."""
