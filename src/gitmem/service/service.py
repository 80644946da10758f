"""The verbs, in the order in which a person meets them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from gitmem.errors import NotFound, SyncError
from gitmem.service import answers

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.refresh import Refreshed
    from gitmem.catalog.ripgrep import Grepped, Kind
    from gitmem.catalog.rows import Row
    from gitmem.catalog.search import Answer
    from gitmem.memory.store import Stored
    from gitmem.service import wrote
    from gitmem.service.rooms import Rooms
    from gitmem.sessions.live import Session
    from gitmem.settings.explain import Explained
    from gitmem.settings.report import Loaded
    from gitmem.sync.plan import Decision
    from gitmem.sync.report import Report
    from gitmem.sync.standing import Standing
    from gitmem.sync.upkeep import Upkeep


class Service:
    """What gitmem can do for one project, whoever asks."""

    def __init__(self, rooms: "Rooms") -> None:
        """Remember the rooms; none is opened yet."""
        self.rooms = rooms

    # The repository

    def init(
        self, url: str | None = None, *, shared: str | None = None, adopt: bool = False
    ) -> answers.Begun:
        """Create, clone or adopt the memory repository."""
        from gitmem.service import beginning

        return beginning.begin(self.rooms, url, shared=shared, may_adopt=adopt)

    def remote(self, url: str | None = None) -> str | None:
        """Say which remote the memory has, or give it another one."""
        from gitmem.service import beginning

        if url is not None:
            return beginning.point(self.rooms, url)
        return self.status().url

    def path(self, layer: str | None = None) -> Path:
        """Say where the memory repository is, or one of its layers."""
        if layer is None:
            return self.rooms.root
        from gitmem.service import naming

        return naming.folder(self.rooms, layer)

    # Memories

    def read(self, path: str, revision: str | None = None) -> answers.Text:
        """Read one memory, as it is or as it was."""
        from gitmem.memory.store import hash_of
        from gitmem.service import naming

        if revision is None:
            try:
                stored = self.rooms.store().read(naming.within(self.rooms, path))
            except NotFound as error:
                raise naming.lacking(self.rooms, path, error) from error
            return answers.Text(stored.path, stored.data, stored.hash)
        found = naming.found(self.rooms, path)
        repository = self.rooms.repository()
        data = repository.show(repository.resolve(revision), found)
        return answers.Text(found, data, hash_of(data))

    def write(
        self,
        path: str,
        document: bytes | None,
        fields: Mapping[str, object] | None = None,
        *,
        expected_hash: str | None = None,
    ) -> "Stored":
        """Write one memory from a document, from fields and a text, or from both."""
        from gitmem.service import writing

        stored = writing.write(self.rooms, path, document, fields or {}, expected_hash)
        self._take_in(stored.path)
        return stored

    def exists(self, path: str) -> bool:
        """Say whether a memory is there."""
        from gitmem.service import writing

        return writing.exists(self.rooms, path)

    def move(self, path: str, target: str) -> "Stored":
        """Give one memory another path."""
        from gitmem.service import moving

        moved = moving.move(self.rooms, path, target)
        self._take_in(moved.old, moved.stored.path)
        return moved.stored

    def delete(self, path: str) -> "Stored":
        """Delete one memory, once a commit holds what it says."""
        from gitmem.service import moving

        deleted = moving.delete(self.rooms, path)
        self._take_in(deleted.path)
        return deleted

    def check(self, folder: str = "", *, fix: bool = False) -> answers.Health:
        """Look at the repository and its files, and mend what is safe if asked."""
        from gitmem.service import health

        return health.examine(self.rooms, folder, may_fix=fix)

    # Finding

    def search(
        self,
        query: str = "",
        *,
        tags: tuple[str, ...] = (),
        layer: str | None = None,
        limit: int,
    ) -> "Answer":
        """Find memories by words, by tags that all have to be there, or by both."""
        from gitmem.service import finding

        wish = finding.Wish(query, tags, layer, limit)
        with self._catalog() as catalog:
            return finding.search(self.rooms, catalog, wish)

    def newest(
        self, *, tags: tuple[str, ...] = (), layer: str | None = None, limit: int
    ) -> "tuple[Row, ...]":
        """List memories that carry all of the tags, the newest first."""
        from gitmem.service import finding

        wish = finding.Wish("", tags, layer, limit)
        with self._catalog() as catalog:
            return finding.newest(self.rooms, catalog, wish)

    def grep(
        self, pattern: str, kind: "Kind", *, layer: str | None = None, limit: int
    ) -> "Grepped":
        """Find lines on disk with a regular expression."""
        from gitmem.service import finding

        return finding.lines(self.rooms, pattern, kind, layer=layer, limit=limit)

    # Telling an agent

    def context(self, session: str | None = None, host: str = "cli") -> answers.Given:
        """Give exactly what an agent is told at the start of its session."""
        if session is not None:
            kept = self.rooms.ledger().read(host, session).start_text
            if kept is not None:
                return answers.Given(kept, is_snapshot=True)
        return self._told(self._rendering(host), session, host)

    def refresh(
        self, session: str | None = None, host: str = "cli"
    ) -> answers.Refreshed:
        """Make a start text anew on purpose; a session is given it at its next turn."""
        from gitmem.catalog import rows
        from gitmem.service import starting

        with self.rooms.catalog() as catalog:
            done = self._refreshed(catalog)
            start = starting.render(self.rooms, catalog, self._standing(), host)
            memories = rows.count(catalog)
        given = self._told(start, session, host)
        return answers.Refreshed(
            done.outcome.value, done.indexed, done.dropped, memories, given
        )

    def index(self) -> None:
        """Bring the catalog up to date, and tell nobody."""
        with self._catalog():
            pass

    # Sessions

    def session_start(self, visit: answers.Visit) -> answers.Began:
        """Register a session of a host; say what its start may wait for."""
        from gitmem.service import visits

        visits.end_orphans(self.rooms)
        return visits.begin(self.rooms, visit)

    def session_end(self, host: str, session: str) -> answers.Ended:
        """Commit what a session wrote, before anything else, and forget it."""
        from gitmem.service import visits

        return visits.end(self.rooms, host, session)

    def session_text(self, visit: answers.Visit) -> answers.Delivered:
        """Give the start text that a session is due now, which may be none."""
        from gitmem.service import telling

        return telling.at_start(self.rooms, visit, self._rendering)

    def session_turn(
        self, visit: answers.Visit, prompt: str, _transcript: str = ""
    ) -> answers.Delivered:
        """Give what a session is told at a turn: only what it does not know."""
        from gitmem.service import telling

        return telling.at_turn(self.rooms, visit, prompt, self._rendering)

    def session_wrote(
        self, visit: answers.Visit, paths: Sequence[str]
    ) -> "wrote.Wrote":
        """Take in what a session wrote with its own tools; say what to mend."""
        from gitmem.service import wrote

        done = wrote.look(self.rooms, visit, paths)
        self._take_in(*done.paths)
        return done

    def session_missed(self, visit: answers.Visit) -> None:
        """Note that what a session was given came too late to reach it."""
        from gitmem.service import telling

        telling.undelivered(self.rooms, visit)

    def session_pause(self, host: str, session: str, *, is_paused: bool) -> None:
        """Tell a session nothing from now on, or go on telling it."""
        from gitmem.service import telling

        telling.pause(self.rooms, host, session, is_paused=is_paused)

    def landed(self, host: str, session: str) -> None:
        """Note that a session's pull came in time for its start text."""
        self.rooms.sessions().await_news(host, session, waits=False)

    def sessions(self) -> "tuple[Session, ...]":
        """List the sessions at work on this machine, the oldest first."""
        return self.rooms.sessions().live()

    def end_orphans(self) -> "tuple[Session, ...]":
        """End the sessions whose host died without a word."""
        from gitmem.service import visits

        return visits.end_orphans(self.rooms)

    # Exchange

    def pull(
        self, *, force: bool = False, decision: "Decision | None" = None
    ) -> "Report":
        """Take in what the remote has; nothing leaves this machine."""
        return self._settled(
            self.rooms.engine().pull(force=force, decision=_decided(decision))
        )

    def push(self) -> "Report":
        """Commit and push what is here."""
        return self._settled(self.rooms.engine().push())

    def sync(self, *, decision: "Decision | None" = None) -> "Report":
        """Commit, take in and push."""
        return self._settled(self.rooms.engine().cycle(decision=_decided(decision)))

    def commit(self) -> "Report":
        """Commit what is here, and exchange nothing."""
        return self.rooms.engine().commit()

    def maintain(self) -> "Upkeep":
        """Pack the object store if it has grown."""
        return self.rooms.engine().maintain()

    def status(self) -> "Standing":
        """Say where the repository stands, without the network."""
        return self.rooms.engine().status()

    # History

    def log(self, *, limit: int) -> tuple[answers.Version, ...]:
        """List the commits of the memory, newest first."""
        from gitmem.service import past

        return past.versions(self.rooms, limit=limit)

    def history(self, path: str, *, limit: int) -> tuple[answers.Version, ...]:
        """List who wrote the versions of one memory, newest first."""
        from gitmem.service import naming, past

        found = naming.found(self.rooms, path)
        versions = past.versions(self.rooms, found, limit=limit)
        if not versions:
            raise naming.without_history(self.rooms, found)
        return versions

    def restore(self, path: str, revision: str) -> answers.Reverted:
        """Bring back a version of one memory, as a new commit."""
        from gitmem.service import naming

        found = naming.found(self.rooms, path)
        return self._reverted(self.rooms.engine().restore(found, revision))

    def undo(self, commit: str = "") -> answers.Reverted:
        """Take one commit back, as a new commit."""
        return self._reverted(self.rooms.engine().undo(commit))

    # Settings

    def settings(self) -> "tuple[Loaded, tuple[Explained, ...]]":
        """Explain every setting: its value, its origin, what was refused."""
        from gitmem.settings.explain import explain

        return self.rooms.loaded, explain(self.rooms.loaded)

    def doctor(self) -> tuple[answers.Diagnosis, ...]:
        """Look for what keeps gitmem from working, each with its mend."""
        from gitmem.service import doctor

        return tuple(doctor.examine(self.rooms))

    # What the verbs share

    @contextmanager
    def _catalog(self) -> "Iterator[Catalog]":
        """Open the catalog, brought up to date."""
        with self.rooms.catalog() as catalog:
            self._refreshed(catalog)
            yield catalog

    def _refreshed(self, catalog: "Catalog") -> "Refreshed":
        from gitmem.catalog.refresh import refresh

        return refresh(
            catalog,
            self.rooms.tree(),
            repository=self.rooms.repository(),
            progress=self.rooms.watch.indexing,
        )

    def _rendering(self, host: str) -> answers.Start:
        from gitmem.service import starting

        with self._catalog() as catalog:
            return starting.render(self.rooms, catalog, self._standing(), host)

    def _standing(self) -> "Standing | None":
        """Look at the repository; an agent is told its notes in any state of that."""
        try:
            return self.status()
        except SyncError:
            return None

    def _told(
        self, start: answers.Start, session: str | None, host: str
    ) -> answers.Given:
        from gitmem.service import telling

        if session is not None:
            telling.keep(self.rooms, host, session, start)
        return answers.Given(start.text, start.left_out)

    def _take_in(self, *paths: PurePosixPath) -> None:
        """Show the catalog what changed; one that is not built yet is left so."""
        if not paths:
            return
        from gitmem.catalog.refresh import refresh

        with self.rooms.catalog() as catalog:
            if catalog.is_built():
                refresh(
                    catalog,
                    self.rooms.tree(),
                    repository=self.rooms.repository(),
                    changed=paths,
                )

    def _reverted(self, report: "Report") -> answers.Reverted:
        from gitmem.service import past

        done = past.reverted(self.rooms, report)
        self._take_in(*done.changed)
        return done

    def _settled(self, report: "Report") -> "Report":
        self._take_in(*report.applied)
        if report.fetched:
            self.rooms.sessions().bring_news(report.applied)
        return report


def _decided(decision: "Decision | None") -> "Decision":
    from gitmem.sync.plan import Decision

    return decision or Decision.ASK
