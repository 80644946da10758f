"""What the verbs are built on: rooms that are opened when they are first asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from gitmem.project.identity import Project
from gitmem.settings.report import Loaded

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.files.tree import Tree
    from gitmem.hosts.transcripts import Transcripts
    from gitmem.memory.layout import Access
    from gitmem.memory.rules import Rules
    from gitmem.memory.store import Store
    from gitmem.repo.repository import Repository
    from gitmem.sessions.grants import Grants
    from gitmem.sessions.ledger import Ledger
    from gitmem.sessions.live import Sessions
    from gitmem.sync.engine import Engine
    from gitmem.sync.options import Options
    from gitmem.tape.journal import Journal
    from gitmem.tape.tape import Tape


@dataclass(frozen=True, slots=True)
class Watch:
    """Who wants to see how long work goes on.

    Git's own lines, memories that are indexed, bytes of transcripts that are read,
    entries of a foreign store (of 0 where nobody knows of how many).
    """

    git: Callable[[bytes], None] | None = None
    indexing: Callable[[int, int], None] | None = None
    reading: Callable[[int, int], None] | None = None
    importing: Callable[[int, int], None] | None = None


class Rooms(Protocol):
    """One memory repository as one project sees it.

    Every method gives a room that costs nothing until it is used. `tree`, `store` and
    what stands on them raise NoRepository where there is none yet.
    """

    @property
    def cwd(self) -> Path:
        """Say where the caller stands."""

    @property
    def home(self) -> Path:
        """Say where the person's home is."""

    @property
    def project(self) -> Project:
        """Say which project the caller stands in."""

    @property
    def loaded(self) -> Loaded:
        """Give the settings that hold here."""

    @property
    def watch(self) -> Watch:
        """Say who wants to see progress."""

    @property
    def now(self) -> Callable[[], datetime]:
        """Give the clock."""

    @property
    def root(self) -> Path:
        """Say where the memory repository is, or will be."""

    @property
    def state(self) -> Path:
        """Say where this machine keeps what it knows of the repository."""

    @property
    def cache(self) -> Path:
        """Say where this machine keeps what it can find out again."""

    def options(self, *, url: str | None = None) -> "Options":
        """Say under which conditions there is synced."""

    def engine(self) -> "Engine":
        """Give the sync engine."""

    def tree(self) -> "Tree":
        """Give the files of the memory."""

    def repository(self) -> "Repository":
        """Give the Git repository of the memory."""

    def access(self) -> "Access":
        """Say which layers this project may use."""

    def rules(self) -> "Rules":
        """Say what a written memory must be like."""

    def store(self) -> "Store":
        """Give the memories of the layers that this project may use."""

    def catalog(self) -> "Catalog":
        """Give the derived index; nothing is read or built yet."""

    def sessions(self) -> "Sessions":
        """Give what this machine remembers of the sessions at work."""

    def grants(self) -> "Grants":
        """Give what persons allowed sessions to do once."""

    def tape(self) -> "Tape":
        """Give the anchors and threads of this project; it says if there are none."""

    def journal(self, layer: str) -> "Journal":
        """Give the lines of a layer's tape, whether or not a session may use it."""

    def ledger(self) -> "Ledger":
        """Give what this machine remembers of what sessions were told."""

    def transcripts(self) -> "Transcripts":
        """Give the sessions of the project, as this machine's hosts keep them."""
