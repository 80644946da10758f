"""Build the rooms and connect them; nothing else constructs one."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.errors import NoRepository, PathRefused
from gitmem.files.atomic import own_folder
from gitmem.process import Stopper, narrow_search
from gitmem.process import environment as inherited
from gitmem.project.identity import Project, identify
from gitmem.service.rooms import Watch
from gitmem.service.service import Service
from gitmem.settings.folders import repository_folder
from gitmem.settings.load import load, require_readable
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
    from gitmem.sessions.ledger import Ledger, Told
    from gitmem.sessions.live import Sessions
    from gitmem.settings.record import Built
    from gitmem.sync.engine import Engine
    from gitmem.sync.options import Options
    from gitmem.tape.journal import Journal
    from gitmem.tape.tape import Tape

# Nothing is committed where this machine's name cannot be kept.
UNNAMED: Final = "unnamed"


def _clock() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Caller:
    """On whose behalf a door calls: which host, which of its sessions."""

    host: str = "cli"
    session: str = ""


class Kept:
    """What a process that lives long keeps between two connections.

    It holds for as long as what it was made of stays as it was.
    """

    def __init__(self) -> None:
        """Keep nothing yet."""
        from gitmem.catalog.warm import Warm  # brings in SQLite
        from gitmem.sessions.recent import Recent  # brings in threads

        self.catalog = Warm()
        self.sessions: Recent[Told] = Recent()
        self.settings: dict[str, Built] = {}

    def close(self) -> None:
        """Let go of all files, and write what is still to be written."""
        self.sessions.close()
        self.catalog.close()


@dataclass(frozen=True)
class App:
    """The rooms of one memory repository, as the project of one folder sees it."""

    cwd: Path
    home: Path
    project: Project
    loaded: Loaded
    caller: Caller = field(default_factory=Caller)
    watch: Watch = field(default_factory=Watch)
    now: Callable[[], datetime] = _clock
    stopper: Stopper | None = None
    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    kept: Kept | None = None
    own: dict[Path, Path] = field(default_factory=dict, repr=False, compare=False)

    @property
    def root(self) -> Path:
        """Say where the memory repository is, or will be."""
        return self.loaded.settings.memory_dir.local_path

    @property
    def state(self) -> Path:
        """Say where this machine keeps what it knows of the repository.

        Where that folder cannot be made, whoever writes into it is refused.
        """
        return self._own(self.loaded.folders.state)

    @property
    def cache(self) -> Path:
        """Say where this machine keeps what it can find out again."""
        return self._own(self.loaded.folders.cache)

    def options(self, *, url: str | None = None) -> "Options":
        """Say under which conditions there is synced."""
        from gitmem.sessions.claims import Claims
        from gitmem.sync.author import Author
        from gitmem.sync.check import Rules
        from gitmem.sync.options import Options

        settings = self.loaded.settings
        sync = settings.sync
        state = self.state
        return Options(
            root=self.root,
            state=state,
            branch=sync.branch,
            url=url or settings.memory_dir.repo_url,
            author=Author(self._machine(), self.caller.host, self.caller.session),
            rules=Rules(sync.max_file_bytes, settings.security.secrets),
            now=self.now,
            timeout_seconds=sync.timeout,
            fetch_ttl=timedelta(seconds=sync.fetch_ttl),
            sign=sync.sign,
            progress=self.watch.git,
            stopper=self.stopper,
            claims=Claims(state / "sessions"),
        )

    def engine(self) -> "Engine":
        """Give the sync engine."""
        from gitmem.sync.engine import Engine

        self._require()
        return Engine(self.options())

    def tree(self) -> "Tree":
        """Give the files of the memory."""
        from gitmem.files.tree import Tree

        self._require()
        return Tree(self.root)

    def repository(self) -> "Repository":
        """Give the Git repository of the memory."""
        from gitmem.repo.repository import Repository

        self._require()
        return Repository(self.root, self.stopper)

    def access(self) -> "Access":
        """Say which layers this project may use.

        Raises NotFound at the root of the memory repository without a shared layer.
        """
        from gitmem.files.tree import Tree
        from gitmem.memory.claims import resolve, shared_layer
        from gitmem.memory.layout import Access
        from gitmem.memory.standpoint import is_inside, stood_in

        tree = Tree(self.root)
        shared_name = self.loaded.settings.memory_dir.global_memory
        shared = shared_layer(tree, shared_name=shared_name)
        if is_inside(tree, self.project, self.cwd):
            return Access(stood_in(tree, self.cwd, shared), shared)
        own = resolve(tree, self.project, shared_name=shared_name)
        return Access(own, shared, self.project.remote)

    def rules(self) -> "Rules":
        """Say what a written memory must be like."""
        from gitmem.memory.rules import Rules

        settings = self.loaded.settings
        return Rules(
            tag_contract=settings.tags.contract,
            secrets=settings.security.secrets,
            max_file_bytes=settings.sync.max_file_bytes,
        )

    def store(self) -> "Store":
        """Give the memories of the layers that this project may use."""
        from gitmem.memory.store import Store

        return Store(self.tree(), self.access(), self.rules(), self.now)

    def catalog(self) -> "Catalog":
        """Give the derived index; nothing is read or built yet."""
        from gitmem.catalog.catalog import Catalog
        from gitmem.catalog.passing import Passing

        folder = self.cache
        kept = folder / "catalog"
        is_kept = os.access(kept if kept.exists() else folder, os.W_OK | os.X_OK)
        if not is_kept:
            return Passing()
        return self.kept.catalog.catalog(kept) if self.kept else Catalog(kept)

    def sessions(self) -> "Sessions":
        """Give what this machine remembers of the sessions at work."""
        from gitmem.sessions.live import Sessions

        return Sessions(self.state / "sessions")

    def ledger(self) -> "Ledger":
        """Give what this machine remembers of what sessions were told."""
        from gitmem.sessions.ledger import Ledger

        recent = self.kept.sessions if self.kept else None
        return Ledger(self.state / "sessions", recent)

    def transcripts(self) -> "Transcripts":
        """Give the sessions of the project, as this machine's hosts keep them."""
        from gitmem.hosts.place import Where
        from gitmem.hosts.transcripts import Transcripts
        from gitmem.project.worktrees import belongs, work_trees
        from gitmem.sessions import roots

        trees = work_trees(self.project)
        return Transcripts(
            where=Where(self.home, self.variables),
            folders=trees,
            owns=cache(partial(belongs, trees=trees)),
            known=roots.known(self.state / "sessions"),
        )

    def grants(self) -> "Grants":
        """Give what persons allowed sessions to do once."""
        from gitmem.sessions.grants import Grants

        return Grants(self.state / "sessions")

    def tape(self) -> "Tape":
        """Give the anchors and threads of this project; it says if there are none."""
        from gitmem.tape.gate import shut
        from gitmem.tape.tape import Tape

        wish = self.loaded.settings.tape
        temporary = self.variables.get("TMPDIR") or "/tmp"  # noqa: S108  not used
        found = shut(
            Path(os.path.realpath(self.cwd)),
            is_enabled=wish.enabled,
            never={
                Path(os.path.realpath(temporary)): "the folder for temporary files",
                Path(os.path.realpath(self.root)): "the memory repository",
            },
            excluded=[Path(os.path.realpath(each)) for each in wish.exclude_dirs],
            needs_git=wish.only_git and not self.project.is_git,
        )
        return Tape(self._own_journal, self.now, found)

    def journal(self, layer: str) -> "Journal":
        """Give the lines of a layer's tape, whether or not a session may use it."""
        from gitmem.files.tree import Tree
        from gitmem.tape.journal import Journal, Place

        home = self.loaded.settings.tape.path
        is_apart = home.is_absolute()
        place = Place(
            tree=Tree(home) if is_apart else self.tree(),
            home=PurePosixPath() if is_apart else PurePosixPath(home),
            project=layer,
            machine=self._machine(),
            limit_bytes=self.loaded.settings.sync.max_file_bytes,
        )
        return Journal(place)

    def _own_journal(self) -> "Journal":
        return self.journal(self.access().project.name)

    def _machine(self) -> str:
        from gitmem.sync.author import machine_id

        wish = self.loaded.settings.sync.machine_id
        try:
            return machine_id(self.state, wish, hostname=os.uname().nodename)
        except PathRefused:
            return UNNAMED

    def _own(self, base: Path) -> Path:
        """Give the folder of this repository below one of gitmem's own."""
        if self.kept is None:
            return self._checked(base)
        # Connected anew for each piece of work: one look is enough.
        if base not in self.own:
            self.own[base] = self._checked(base)
        return self.own[base]

    def _checked(self, base: Path) -> Path:
        own = repository_folder(base, self.root)
        for folder in (base, own.parent, own):
            try:
                own_folder(folder)
            except PathRefused:
                # What others could change is refused; what is not there only lacks.
                if folder.is_dir():
                    raise
                break
        return own

    def _require(self) -> None:
        if not (self.root / ".git").exists():
            raise NoRepository(
                f"There is no memory repository at {self.root}.",
                "Create one with `gitmem init`, or clone yours: gitmem init URL",
            )


def connect(  # noqa: PLR0913  each is a choice of the caller
    cwd: Path,
    *,
    environment: Mapping[str, str] | None = None,
    caller: Caller | None = None,
    watch: Watch | None = None,
    now: Callable[[], datetime] = _clock,
    stopper: Stopper | None = None,
    kept: Kept | None = None,
) -> Service:
    """Connect the rooms for the project of a folder, and give their verbs.

    Raises SettingsError when the person's settings file cannot be read at all: without
    it the work would go to another branch, or leave the shared layer out.
    """
    app = _app(cwd, environment, kept)
    require_readable(app.loaded)
    return Service(
        replace(
            app,
            caller=caller or app.caller,
            watch=watch or app.watch,
            now=now,
            stopper=stopper,
        )
    )


def inspect(cwd: Path, *, environment: Mapping[str, str] | None = None) -> Service:
    """Connect for a look at the settings, whatever state they are in."""
    return Service(_app(cwd, environment))


def _app(
    cwd: Path, environment: Mapping[str, str] | None, kept: Kept | None = None
) -> App:
    variables = inherited() if environment is None else environment
    project = identify(cwd)
    known = kept.settings if kept else None
    loaded = load(cwd, project_root=project.root, environment=variables, kept=known)
    narrow_search(cwd, project.root, loaded.settings.memory_dir.local_path)
    return App(
        cwd=Path(os.path.abspath(cwd)),
        home=Path(variables.get("HOME") or os.path.expanduser("~")),
        project=project,
        loaded=loaded,
        variables=variables,
        kept=kept,
    )
