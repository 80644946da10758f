"""The verbs, in the order in which a person meets them."""

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from gitmem.errors import NotFound
from gitmem.service import answers, shelf
from gitmem.service.importing import ImportVerbs
from gitmem.service.packets import PacketVerbs
from gitmem.service.session import SessionVerbs
from gitmem.service.taping import TapeVerbs

if TYPE_CHECKING:
    from gitmem.catalog.ripgrep import Grepped, Kind
    from gitmem.catalog.rows import Row
    from gitmem.catalog.search import Answer
    from gitmem.memory.store import Stored
    from gitmem.service.rooms import Rooms
    from gitmem.service.tagging import TagVerbs
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
        self.session = SessionVerbs(rooms)
        self.tape = TapeVerbs(rooms)
        self.packets = PacketVerbs(rooms)
        self.imports = ImportVerbs(rooms)

    @property
    def tags(self) -> "TagVerbs":
        """Give what may be done with tags."""
        from gitmem.service.tagging import TagVerbs

        return TagVerbs(self.rooms)

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
        from gitmem.memory.hashes import hash_of
        from gitmem.service import naming, reading

        if revision is None:
            try:
                stored = self.rooms.store().read(naming.within(self.rooms, path))
            except NotFound as error:
                raise naming.lacking(self.rooms, path, error) from error
            reading.note(self.rooms, {str(stored.path): stored.hash})
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
        from gitmem.service import claiming, writing

        stored = writing.write(self.rooms, path, document, fields or {}, expected_hash)
        if stored.is_changed:
            claiming.claim(self.rooms, {stored.path: stored.data})
        shelf.take_in(self.rooms, stored.path)
        return stored

    def exists(self, path: str) -> bool:
        """Say whether a memory is there."""
        from gitmem.service import writing

        return writing.exists(self.rooms, path)

    def move(self, path: str, target: str) -> answers.Changed:
        """Give one memory another path, as a commit of its own."""
        from gitmem.service import moving

        moved = moving.move(self.rooms, path, target)
        shelf.take_in(self.rooms, moved.old, moved.stored.path)
        return moved

    def delete(self, path: str) -> answers.Changed:
        """Delete one memory, as a commit of its own."""
        from gitmem.service import moving

        deleted = moving.delete(self.rooms, path)
        shelf.take_in(self.rooms, deleted.old)
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
        with shelf.fresh(self.rooms) as catalog:
            return finding.search(self.rooms, catalog, wish)

    def newest(
        self, *, tags: tuple[str, ...] = (), layer: str | None = None, limit: int
    ) -> "tuple[Row, ...]":
        """List memories that carry all of the tags, the newest first."""
        from gitmem.service import finding

        wish = finding.Wish("", tags, layer, limit)
        with shelf.fresh(self.rooms) as catalog:
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
        from gitmem.service import starting

        return self._told(starting.rendered(self.rooms, host), session, host)

    def refresh(
        self, session: str | None = None, host: str = "cli"
    ) -> answers.Refreshed:
        """Make a start text anew on purpose; a session is given it at its next turn."""
        from gitmem.catalog import rows
        from gitmem.service import finding, starting

        with self.rooms.catalog() as catalog:
            done = shelf.refreshed(self.rooms, catalog)
            finding.understand(self.rooms, catalog)
            start = starting.render(self.rooms, catalog, host)
            memories = rows.count(catalog)
        given = self._told(start, session, host)
        return answers.Refreshed(
            done.outcome.value, done.indexed, done.dropped, memories, given
        )

    def index(self) -> None:
        """Bring the catalog up to date, and tell nobody."""
        with shelf.fresh(self.rooms):
            pass

    def lacks_catalog(self) -> bool:
        """Say whether the catalog is gone, or was found damaged and given up."""
        return shelf.is_gone(self.rooms)

    def keep_up(self) -> bool:
        """Bring the catalog up to date, if somebody uses it."""
        return shelf.keep_up(self.rooms)

    def take_in(self, paths: Iterable[PurePosixPath]) -> None:
        """Let what somebody saw change be found, if somebody uses the catalog."""
        shelf.take_in(self.rooms, *paths)

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
        versions = past.history(self.rooms, found, limit=limit)
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

    def _told(
        self, start: answers.Start, session: str | None, host: str
    ) -> answers.Given:
        from gitmem.service import telling

        if session is not None:
            telling.keep(self.rooms, host, session, start)
        return answers.Given(start.text, start.left_out)

    def _reverted(self, report: "Report") -> answers.Reverted:
        from gitmem.service import past

        done = past.reverted(self.rooms, report)
        shelf.take_in(self.rooms, *done.changed)
        return done

    def _settled(self, report: "Report") -> "Report":
        shelf.take_in(self.rooms, *report.applied)
        if report.fetched:
            self.rooms.sessions().bring_news(report.applied)
        return report


def _decided(decision: "Decision | None") -> "Decision":
    from gitmem.sync.plan import Decision

    return decision or Decision.ASK
