"""What the verbs of packets answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import PurePosixPath

from gitmem.packets.packet import Packet

PACKET = "packet"
NOTE = "note"


@dataclass(frozen=True, slots=True)
class Said:
    """What an agent fills in: the kind, and the fields of it by name."""

    kind: str
    fields: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Filed:
    """A packet as it lies on disk, and what a person should know about this write."""

    path: PurePosixPath
    hash: str
    packet: Packet
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shelved:
    """A packet that is there; its path begins at the root of the repository.

    One that is ahead was made by a clock that was wrong: it stands below all others.
    """

    path: PurePosixPath
    packet: Packet
    is_ahead: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be recalled: all of it has to fit, before any limit counts.

    `kind` is one of packets'; `kinds` are `packet`, `note` (any other memory), or both.
    Without a query the newest come first.
    """

    query: str = ""
    tags: tuple[str, ...] = ()
    since: date | None = None
    kind: str = ""
    kinds: tuple[str, ...] = (PACKET,)
    limit: int = 5


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory that was recalled, and why; `kind` is `note`, or that of a packet."""

    path: PurePosixPath
    kind: str
    title: str
    day: date
    tags: tuple[str, ...]
    description: str
    why: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Recollection:
    """What was recalled, the best first, and how many of which kinds there were."""

    hits: tuple[Recalled, ...]
    among: int
    nearest_tags: tuple[str, ...] = ()
    kinds: tuple[str, ...] = (PACKET,)


@dataclass(frozen=True, slots=True)
class Offered:
    """The newest packet of a node of a thread."""

    path: PurePosixPath
    kind: str
    topic: str
    at: datetime
