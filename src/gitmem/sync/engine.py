"""The sync engine: one cycle, the same from whichever program it is run.

The order is what keeps everything: commit, fetch, merge in the object store, push, move
the work tree, then the ref. A kill between any two steps leaves the next cycle with
nothing to repair.
"""

import contextlib
import itertools
import random
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.errors import (
    Busy,
    Corrupt,
    DiskFull,
    HeldOpen,
    PushRejected,
    StaleWrite,
)
from gitmem.files.atomic import disk_errors, private_folder
from gitmem.files.lock import locked
from gitmem.sync import record as records
from gitmem.sync.freshness import RECENT, holds, is_fresh
from gitmem.sync.plan import Decision
from gitmem.sync.record import Record
from gitmem.sync.report import Report
from gitmem.sync.throttle import FetchHead, longest_pause, vouched_tip

# A throttled pull runs at every start of a session: it imports none of these.
if TYPE_CHECKING:
    from gitmem.files.tree import Tree
    from gitmem.repo.repository import Repository
    from gitmem.sync.options import Options
    from gitmem.sync.pending import Swap
    from gitmem.sync.standing import Standing
    from gitmem.sync.state import Tips
    from gitmem.sync.together import Edit, Refuse
    from gitmem.sync.upkeep import Upkeep
    from gitmem.sync.workspace import Workspace

LOCK_NAME: Final = "sync.lock"
RACE_SECONDS: Final = 60.0
# A file that an agent writes again and again, or that cannot be committed, must not
# keep a cycle for ever: after so many starts it is set aside as a conflict copy.
SET_ASIDE_AFTER: Final = 2
STARTS: Final = 6


@dataclass(frozen=True, slots=True)
class _Wish:
    """What one run is to do; `vouched` is a tip that needs no asking."""

    decision: Decision
    may_fetch: bool = True
    may_push: bool = True
    vouched: str = ""


class Engine:
    """Pull, push, or both, for one memory repository."""

    def __init__(self, options: "Options") -> None:
        """Keep the options; no repository is opened and no process started."""
        self.options = options

    def pull(self, *, force: bool = False, decision: Decision = Decision.ASK) -> Report:
        """Commit, fetch, merge and apply; nothing leaves this machine.

        Does nothing at all, without starting a process, while the last successful
        fetch is younger than `fetch_ttl`.
        """
        if not force and decision is Decision.ASK and self._is_fresh():
            return Report(skipped=RECENT)
        may_trust = not force and decision is Decision.ASK
        vouched = self._vouched_tip() if may_trust else ""
        return self._run(_Wish(decision, may_push=False, vouched=vouched))

    def push(self) -> Report:
        """Commit and push; fetch and merge only if somebody was faster."""
        return self._run(_Wish(Decision.ASK, may_fetch=False))

    def cycle(self, *, decision: Decision = Decision.ASK) -> Report:
        """Commit, fetch, merge, push and apply."""
        return self._run(_Wish(decision))

    def commit(self, subject: str = "") -> Report:
        """Commit what lies in the work tree, and nothing else."""
        with self._lock():
            return _patiently(lambda: self.commit_unlocked(subject))

    def commit_unlocked(self, subject: str = "") -> Report:
        """Commit for a caller that holds the lock already."""
        from gitmem.sync.settle import settle

        work = self._workspace(subject)
        with self._kept(work):
            settle(work, Decision.ASK)
            return work.report

    def undo(self, revision: str = "") -> Report:
        """Take a commit back, the last one if none is named, as a new commit.

        Raises UsageError where none is named and what was not committed yet could be
        meant; it is committed then, and keeps what it is.
        """
        from gitmem.sync import revert

        with self._lock():
            repository, _ = self._opened()
            # Chosen before our own commit is made: HEAD is what it was.
            commit = revert.chosen(repository, revision, self.options.author.machine)
            pending = _patiently(self.commit_unlocked).committed
            if pending and not revision:
                raise revert.which(pending)
            changes = revert.changes_of(repository, commit)
            subject = f"memory(*): undo {commit.oid[:12]}"
            done = _patiently(
                lambda: self._as_one(
                    subject,
                    self.commit_unlocked(),
                    lambda work: revert.undo(work, changes),
                )
            )
            return replace(done, undone=commit.oid)

    def restore(self, path: PurePosixPath, revision: str) -> Report:
        """Bring a version of one file back, as a new commit."""
        from gitmem.sync import revert

        with self._lock():
            repository, files = self._opened()
            named = repository.resolve(revision)
            return self._change(
                f"memory(*): restore {path} from {named[:12]}",
                frozenset({path}),
                lambda: revert.restore(repository, files, path, named),
            )

    def change(
        self, subject: str, wanted: frozenset[PurePosixPath], do: Callable[[], None]
    ) -> Report:
        """Commit what `do` does to some files, as a commit of its own.

        What lies there is committed before; `do` may be called again.
        """
        with self._lock():
            return self._change(subject, wanted, do)

    def together(self, subject: str, edits: "Iterable[Edit]") -> Report:
        """Commit edits of several files as one: all of them or, if one fails, none.

        What lies there is committed before. Raises StaleWrite where a file is not what
        its edit was made for.
        """
        with self._lock():
            settled = _patiently(self.commit_unlocked)
            return self._as_one(subject, settled, lambda _: edits)

    def compose(
        self,
        subject: str,
        decide: "Callable[[], Iterable[Edit]]",
        refuse: "Refuse",
    ) -> Report:
        """Commit as one, as `together`, what is decided over what is committed.

        `decide` may be called again; what cannot be committed goes to `refuse`.
        """
        with self._lock():
            return _patiently(
                lambda: self._as_one(
                    subject, self.commit_unlocked(), lambda _: decide(), refuse
                )
            )

    def maintain(self) -> "Upkeep":
        """Pack the object store if it has grown, while nobody else works on it."""
        from gitmem.repo.repository import Repository
        from gitmem.sync.upkeep import upkeep

        with self._lock():
            repository = Repository(self.options.root, self.options.stopper)
            repository.refresh_index()
            return upkeep(repository)

    def status(self) -> "Standing":
        """Say where the repository stands, without a lock and without the network."""
        from gitmem.sync.standing import standing

        return standing(self._workspace())

    def is_due(self) -> bool:
        """Say whether a pull would ask the remote, as far as is known without Git."""
        record = self.record()
        has_remote = bool(self.options.url or record.url) or record == Record()
        return has_remote and not self._is_fresh()

    def record(self) -> Record:
        """Read what this machine remembers of earlier cycles."""
        return records.load(self.options.state)

    def _run(self, wish: _Wish) -> Report:
        """Start the cycle anew while files change under it."""
        from gitmem.repo.locks import clear_litter
        from gitmem.sync.heal import heal
        from gitmem.sync.settle import settle

        with self._lock() as mended:
            report = Report(settled=mended)
            for start in range(STARTS):
                work = self._workspace()
                work.report = report
                try:
                    with self._kept(work):
                        tips = settle(work, wish.decision)
                        self._exchange(
                            work, wish, tips, may_set_aside=start >= SET_ASIDE_AFTER
                        )
                        work.note(accepted=())
                except StaleWrite:
                    report = work.report
                except Corrupt:
                    if start or not heal(work):
                        raise
                    report = work.report
                except DiskFull:
                    clear_litter(work.repository.root, work.repository.git_folder)
                    raise
                else:
                    return work.report
        raise _restless()

    def _exchange(
        self, work: "Workspace", wish: _Wish, tips: "Tips", *, may_set_aside: bool
    ) -> None:
        """Fetch, merge and push, again and again while somebody else is faster."""
        from gitmem.sync.advance import advance
        from gitmem.sync.exchange import catch_up, fetch

        began = time.monotonic()
        is_known = bool(wish.vouched) and wish.vouched == tips.remote
        if wish.may_fetch and not is_known:
            # Before a push it takes one exchange to ask and to fetch; where there is
            # nothing to do, as a rule, asking alone is cheaper.
            has_news = wish.may_push and tips.remote not in {None, tips.local}
            tips = (catch_up if has_news else fetch)(work, tips)
        ends = began + RACE_SECONDS
        for lost in itertools.count(1):
            try:
                advance(
                    work,
                    tips,
                    wish.decision,
                    may_push=wish.may_push,
                    may_set_aside=may_set_aside,
                )
            except PushRejected:
                if time.monotonic() > ends:
                    raise
            else:
                return
            longest = longest_pause(lost, time.monotonic() - began)
            time.sleep(random.uniform(0, longest))  # noqa: S311  not a secret
            began = time.monotonic()
            tips = catch_up(work, tips)

    def _workspace(self, subject: str = "") -> "Workspace":
        from gitmem.sync.workspace import Workspace

        return Workspace(self.options, self.record(), subject=subject)

    def _opened(self) -> "tuple[Repository, Tree]":
        """Open the repository once its configuration was looked at."""
        work = self._workspace()
        return work.repository, work.files

    def _change(
        self, subject: str, wanted: frozenset[PurePosixPath], do: Callable[[], None]
    ) -> Report:
        """Commit what is here, change files, and commit what the person wants.

        Deletions of other files stay held back.
        """
        from gitmem.sync.settle import settle

        def once() -> Report:
            self.commit_unlocked()
            work = self._workspace(subject)
            with self._kept(work):
                work.remember(accepted=wanted)
                do()
                settle(work, Decision.ASK)
                work.remember(accepted=())
                return work.report

        return _patiently(once)

    def _as_one(
        self,
        subject: str,
        settled: Report,
        decide: "Callable[[Workspace], Iterable[Edit | Swap]]",
        refuse: "Refuse | None" = None,
    ) -> Report:
        """Change files as one commit, after what was here is settled."""
        from gitmem.sync.together import together

        work = self._workspace(subject)
        work.tell(refused=settled.refused, held=settled.held)
        with self._kept(work), work.recorded("commit"):
            together(work, decide(work), refuse)
            return work.report

    @contextlib.contextmanager
    def _lock(self) -> Iterator[tuple[str, ...]]:
        """Hold the lock; say what was mended, so that Git can read it."""
        from gitmem.sync.heal import mend
        from gitmem.sync.litter import swept
        from gitmem.sync.pending import take_back

        folder = private_folder(self.options.state)
        with (
            locked(folder / LOCK_NAME, timeout_seconds=self.options.lock_seconds),
            swept(self.options.root, folder),
        ):
            mended = mend(self.options, self.record())
            yield (*mended, *take_back(self.options))

    @contextlib.contextmanager
    def _kept(self, work: "Workspace") -> Iterator[None]:
        """Write down what was learned, however it ends."""
        try:
            with disk_errors(self.options.root):
                yield
        finally:
            records.save(self.options.state, work.record)

    def _is_fresh(self) -> bool:
        record, options = self.record(), self.options
        return holds(
            record.fetched,
            url=self._url(record),
            branch=options.branch,
            now=options.now(),
            ttl=options.fetch_ttl,
        )

    def _vouched_tip(self) -> str:
        """Say what somebody fetched by hand; there is then only to merge."""
        options, evidence = self.options, self._fetch_head()
        at = evidence.at if evidence else None
        if not is_fresh(at, now=options.now(), ttl=options.fetch_ttl):
            return ""
        url = self._url(self.record())
        return vouched_tip(evidence, url=url, branch=options.branch)

    def _url(self, record: Record) -> str:
        """Spell the remote's address as the record does."""
        if self.options.url in {None, "", record.url}:
            return record.url
        from gitmem.repo.address import parse

        return parse(self.options.url or "").text

    def _fetch_head(self) -> FetchHead | None:
        path = self.options.root / ".git" / "FETCH_HEAD"
        try:
            written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            return FetchHead(path.read_text(encoding="utf-8"), written)
        except (OSError, ValueError, OverflowError):
            return None


def _patiently(do: Callable[[], Report]) -> Report:
    """Begin anew while files change under what is done; it may be done twice."""
    for start in range(STARTS):
        try:
            return do()
        except HeldOpen as error:
            if start + 1 == STARTS:
                raise Busy(error.message, error.hint) from error
        except StaleWrite:
            continue
    raise _restless()


def _restless() -> Busy:
    return Busy(
        "Files kept changing while they were being synced.",
        "Everything is kept here; the next sync goes on.",
    )
