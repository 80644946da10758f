"""What the verbs of the tape answer."""

from dataclasses import dataclass
from datetime import datetime

from gitmem.service.packet_answers import Offered
from gitmem.tape.anchor import Anchor
from gitmem.tape.resume import Resumed
from gitmem.tape.threads import Thread


@dataclass(frozen=True, slots=True)
class Passage:
    """An entry of a session, with as much of its text as was asked for."""

    session: str
    id: str
    at: datetime
    kind: str
    role: str
    text: str
    tools: tuple[str, ...] = ()
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class FoundAnchor:
    """An anchor that was found, and the entries round it if they were asked for."""

    anchor: Anchor
    context: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search of the tape found, the newest first."""

    anchors: tuple[FoundAnchor, ...] = ()
    entries: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A part of the tape in its order; `more` entries of it had no room."""

    entries: tuple[Passage, ...]
    after: Anchor | None = None
    more: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """What a host may show beside an entry: the anchors that point at it."""

    entry: str
    text: str


@dataclass(frozen=True, slots=True)
class TapeInfo:
    """How long the tape is, and how far back its last anchor lies.

    `why_shut` says why there is none, and then nothing else is known.
    """

    session: str = ""
    entries: int = 0
    sessions: int = 0
    anchors: int = 0
    threads: int = 0
    last_anchor: Anchor | None = None
    entries_since: int = 0
    advice: str = ""
    label_prefix: str = ""
    labels: tuple[Label, ...] = ()
    why_shut: str = ""


@dataclass(frozen=True, slots=True)
class Swept:
    """Anchors that were deleted or moved aside; the anchor that begins anew."""

    anchors: tuple[Anchor, ...]
    aside: str = ""
    fresh: Anchor | None = None


@dataclass(frozen=True, slots=True)
class Woven:
    """The threads that an action was about, and what it came to.

    `node` is the one that was added, changed or checked out, and `packet` the newest
    that was written there.
    """

    action: str
    threads: tuple[Thread, ...]
    node: str = ""
    resumed: Resumed | None = None
    packet: Offered | None = None
