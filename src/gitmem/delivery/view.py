"""What sections may see: one frozen view of the memory, filled by whoever asks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import PurePosixPath
from typing import Final

from gitmem.attention.bridged import Bridged

_PINNING_PRIORITIES: Final = frozenset({"critical", "high"})


@dataclass(frozen=True, slots=True)
class Document:
    """The body of one memory, without its frontmatter.

    `origin` names who wrote it last, where that is another person; empty otherwise.
    """

    text: str
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory as it is listed; `path` begins at the root of the repository."""

    path: PurePosixPath
    description: str
    tags: tuple[str, ...] = ()
    changed_at: datetime | None = None
    is_pinned: bool = False
    origin: str = ""


@dataclass(frozen=True, slots=True)
class TagCount:
    """How many memories of a layer carry a canonical tag."""

    tag: str
    count: int


@dataclass(frozen=True, slots=True)
class Layer:
    """A first-level folder, what is listed of it, and the tags of all of it.

    `directory` is the absolute path by which this person's tools reach the folder.
    """

    folder: str
    directory: str
    is_shared: bool
    entries: tuple[Entry, ...] = ()
    tags: tuple[TagCount, ...] = ()

    @property
    def source(self) -> str:
        """Name the layer's kind as the delivered text does."""
        return "global" if self.is_shared else "project"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A file that was worked on; without an `entry` it is one of the project.

    `path` begins at the root of the memory, or of the project. `focus` names lines
    that were read or changed, as `edit 12-20`.
    """

    path: PurePosixPath
    entry: Entry | None = None
    is_high: bool = False
    focus: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Selected:
    """What was chosen in place of all that there is, the most telling first.

    `directory` is the project's, and `is_manual` says that an agent sets anchors only
    when it is asked to.
    """

    memories: tuple[Chosen, ...]
    files: tuple[Chosen, ...]
    directory: str
    is_manual: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """Everything a section can ask: the same view gives the same bytes.

    `layers` has the shared layer first. `read` takes a path from the root of the
    repository and gives None for what is not there or cannot be read. `status` holds
    one sentence for each thing that needs the person. `is_empty` says that the layers
    are known to hold no memory at all. `tape` is what was chosen by what was worked on,
    and `has_packets` says that earlier sessions handed something over.
    """

    layers: tuple[Layer, ...]
    read: Callable[[PurePosixPath], Document | None]
    today: date
    status: tuple[str, ...] = ()
    is_empty: bool = False
    tape: Selected | None = None
    has_packets: bool = False


@dataclass(frozen=True, slots=True)
class Cue:
    """A memory that bears on a turn; `place` is where this person's tools reach it.

    `kind` and `marks` are words about it, `day` is when it changed last, and `why`
    says what in the turn it answers to.
    """

    path: PurePosixPath
    place: str
    title: str
    description: str
    kind: str
    day: date
    why: str
    marks: tuple[str, ...] = ()
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Whole:
    """A memory that is given in full because it binds: a cue, and its text."""

    cue: Cue
    text: str


@dataclass(frozen=True, slots=True)
class Count:
    """How many memories are held on a subject, how many open, how many told of now."""

    subject: str
    held: int
    open: int
    shown: int


@dataclass(frozen=True, slots=True)
class Wish:
    """What a prompt allows the agent once: an `anchor`, or to change a `thread`.

    With a name it holds for an anchor of that name, for which keywords asked.
    """

    kind: str
    name: str = ""
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """What a section may see at a turn of a session.

    `status` holds the sentences that the session was not told yet, and `news` the
    files that a pull brought since its start. `critical`, `cues` and `counts` are what
    the prompt brought to mind and the session was not told before. `wish` is what the
    prompt allows, and `bridge` what the session before had to say on it.
    """

    prompt: str = ""
    status: tuple[str, ...] = ()
    news: tuple[str, ...] = ()
    critical: tuple[Whole, ...] = ()
    cues: tuple[Cue, ...] = ()
    counts: tuple[Count, ...] = ()
    wish: Wish | None = None
    bridge: tuple[Bridged, ...] = ()


def is_pinned(fields: Mapping[str, object]) -> bool:
    """Say whether a memory's frontmatter asks to be listed before newer ones."""
    priority = str(fields.get("priority", "")).strip().casefold()
    pinned = str(fields.get("pinned", "")).strip().casefold()
    return priority in _PINNING_PRIORITIES or pinned == "true"
