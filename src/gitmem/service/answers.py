"""What the verbs answer where no room has a word for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.attention.budget import LeftOut
    from gitmem.memory.check import Checked
    from gitmem.memory.mend import Mended
    from gitmem.memory.store import Stored
    from gitmem.settings.report import Problem, Refusal
    from gitmem.sync.record import Refused
    from gitmem.sync.report import Report
    from gitmem.sync.standing import Standing


@dataclass(frozen=True, slots=True)
class Begun:
    """A memory repository that is ready for use, and how it came to be.

    `settings` are the keys that were written to the person's settings for it.
    """

    made: str
    root: Path
    branch: str
    url: str | None
    settings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """One memory, as it is or as it was at a revision."""

    path: PurePosixPath
    data: bytes
    hash: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A memory that was moved or deleted, where it was, and the commit of that."""

    old: PurePosixPath
    stored: "Stored"
    report: "Report"


@dataclass(frozen=True, slots=True)
class Given:
    """What an agent is told; `is_snapshot` when its session was told it before."""

    text: str
    left_out: "tuple[LeftOut, ...]" = ()
    is_snapshot: bool = False


@dataclass(frozen=True, slots=True)
class Start:
    """A start text, and what an agent knows who has read it.

    `whole` are the memories that stand in it uncut, by path and hash of the content.
    """

    text: str
    left_out: "tuple[LeftOut, ...]"
    whole: Mapping[str, str]
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Delivered:
    """What a session is given now; `standing` belongs into its system prompt."""

    text: str = ""
    standing: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """The state of the memory repository, its files, its settings and its sync."""

    root: Path
    project_layer: str
    shared_layer: str | None
    checked: "Checked"
    mended: "tuple[Mended, ...]"
    standing: "Standing"
    refused: "tuple[Refusal, ...]"
    problems: "tuple[Problem, ...]"


@dataclass(frozen=True, slots=True)
class Refreshed:
    """A start text made anew on purpose, and what the catalog took in for it."""

    outcome: str
    indexed: int
    dropped: int
    memories: int
    given: Given


@dataclass(frozen=True, slots=True)
class Visit:
    """A session as its host announces it.

    `pid` is the host's process and `parent` the session it was forked from, if known.
    `request` names what is answered, and `attempt` counts who tries: the first may be
    stuck, and wake up when another one has answered. `earlier` are its last turns,
    where the host tells them itself, and `transcript` is the file that holds them.
    """

    host: str
    id: str
    reason: str = ""
    pid: int | None = None
    parent: str = ""
    request: str = ""
    attempt: int = 0
    earlier: tuple[str, ...] = ()
    transcript: str = ""


@dataclass(frozen=True, slots=True)
class Began:
    """A session that is registered, and what its start has to wait for."""

    is_new: bool
    is_pull_due: bool
    wait_seconds: float


@dataclass(frozen=True, slots=True)
class Ended:
    """A session that is over: what was committed, and whether that may go out."""

    was_known: bool
    report: "Report"
    may_push: bool


@dataclass(frozen=True, slots=True)
class Reverted:
    """What was taken back or brought back: `changed` files, among them `copies`.

    Nothing `is_changed` when all of it was so already. `undone` is the commit that an
    undo took back, `stayed` are files that it made and that were edited since.
    """

    is_changed: bool
    committed: str | None
    changed: tuple[PurePosixPath, ...]
    copies: tuple[PurePosixPath, ...]
    refused: "tuple[Refused, ...]"
    held: str
    undone: "Version | None" = None
    stayed: tuple[PurePosixPath, ...] = ()


@dataclass(frozen=True, slots=True)
class Version:
    """One commit, as a person looks for it: when, what, and who wrote it.

    In the history of one memory, `path` is where that lay then.
    """

    commit: str
    at: datetime
    subject: str
    author: str
    machine: str
    host: str
    session: str
    paths: tuple[PurePosixPath, ...]
    path: PurePosixPath | None = None


class Verdict(StrEnum):
    """How a thing that the doctor looked at is."""

    FINE = "fine"
    WORRY = "worry"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing that the doctor looked at, and how it is mended if it must be."""

    what: str
    verdict: Verdict
    message: str
    mend: str = ""
