"""Look at the repository, settle what others left half-done, and commit."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from gitmem import log
from gitmem.errors import PathRefused
from gitmem.files import space
from gitmem.repo import index, locks
from gitmem.repo.status import ABSENT_MODE, Kind, Status
from gitmem.sync import messages
from gitmem.sync.advance import joined
from gitmem.sync.capture import IGNORED, MASS_COUNT, Captured, capture
from gitmem.sync.heal import recover_branch, renew_index
from gitmem.sync.hidden import reveal, with_hidden
from gitmem.sync.integrate import merge_commits
from gitmem.sync.plan import Decision
from gitmem.sync.record import Refused
from gitmem.sync.rescue import rescue
from gitmem.sync.state import State, Tips, state
from gitmem.sync.workspace import PARKED, Workspace

# Below this a commit may fail half-way, and leave less room than there was.
LEAST_FREE_BYTES: Final = 1_000_000


# What the branch of the memory may have gone missing behind.
_AWAY: Final = frozenset({State.UNBORN, State.DETACHED, State.OTHER_BRANCH})


def settle(work: Workspace, decision: Decision) -> Tips:
    """Commit everything that may be committed, on the branch of the memory.

    Gives the tips as they are then. A deletion that the person accepted is no
    accident, however many there are.
    """
    with work.recorded("commit"):
        space.require(work.repository.git_folder, LEAST_FREE_BYTES)
        _clear_locks(work)
    status = _look(work)
    merged_with: tuple[str, ...] = ()
    found = _state(work, status)
    if found is State.INTERRUPTED:
        merged_with = _rescue(work)
        status = work.repository.status()
        found = _state(work, status)
    if found in _AWAY and (oid := recover_branch(work)):
        _tell(work, messages.recovered(work.options.branch, oid))
        status = _look(work)
        found = _state(work, status)
    if status.head is None:
        # The branch that HEAD named has no commit; the memory's own may have.
        work.repository.attach(work.options.branch)
        status = work.repository.status()
    if work.record.restoring and status.head:
        _restore(work, status.head, tuple(map(PurePosixPath, work.record.restoring)))
        status = work.repository.status()
    status = with_hidden(work.repository, status)
    tip = _capture(work, status, merged_with, decision)
    if found in {State.DETACHED, State.OTHER_BRANCH} and tip:
        _bring_home(work, tip)
        _tell(work, messages.brought_home(status.branch, work.options.branch))
    tips = _unpark(work, decision)
    if status.entries or found is not State.READY:
        work.repository.refresh_index()
    return tips


def _look(work: Workspace) -> Status:
    """Compare the files with the last commit, once Git sees every change."""
    repository = work.repository
    repository.guard_attributes()
    if index.read(repository.git_folder) is None and (head := repository.head()):
        renew_index(work, head)
    reveal(repository)
    return repository.status()


def _clear_locks(work: Workspace) -> None:
    repository = work.repository
    cleared = locks.clear(repository.root, repository.git_folder)
    if cleared:
        text = f"cleared what a dead Git had locked: {', '.join(cleared)}"
        log.record(work.options.state, text, now=work.now())
        _tell(work, *(f"the lock of a Git that is gone: {name}" for name in cleared))


def _tell(work: Workspace, *settled: str) -> None:
    work.tell(settled=(*work.report.settled, *settled))


def _state(work: Workspace, status: Status) -> State:
    is_unmerged = any(entry.kind is Kind.UNMERGED for entry in status.entries)
    return state(
        head=status.head,
        branch=status.branch,
        wanted=work.options.branch,
        is_interrupted=bool(is_unmerged or work.repository.leftovers()),
    )


def _rescue(work: Workspace) -> tuple[str, ...]:
    _tell(work, *messages.interrupted(work.repository.leftovers()))
    return rescue(work.repository, work.files, by=work.identity(), at=work.now())


def _capture(
    work: Workspace,
    status: Status,
    merged_with: Sequence[str],
    decision: Decision,
) -> str | None:
    if decision is Decision.ACCEPT:
        _accept(work, status)
    accepted = frozenset(map(PurePosixPath, work.record.accepted))
    where = f"refs/heads/{status.branch}" if status.branch else "HEAD"
    with work.recorded("commit"):
        done = capture(
            work.scribe(),
            status,
            ref=work.branch_ref if status.head is None else where,
            merged_with=merged_with,
            subject=work.subject,
            is_wanted=accepted.__contains__,
        )
        if decision is Decision.KEEP and done.held_deletions:
            _restore(work, done.tip, done.held_deletions)
            work.tell(kept=(*work.report.kept, *done.held_deletions))
            done = replace(done, held_deletions=())
    _report(work, done)
    return done.tip


def _report(work: Workspace, done: Captured) -> None:
    held = _question(work, done)
    committed = done.commit or work.report.committed
    work.tell(
        committed=committed,
        refused=tuple(_news(work, done.refused)),
        deleted=(*work.report.deleted, *done.deleted),
        warned=(*work.report.warned, *done.warned),
        held=held,
    )
    work.note(refused=done.refused, held=held)
    if done.commit:
        work.note(commit=work.record.commit.succeeded(done.commit, work.now()))


def _question(work: Workspace, done: Captured) -> str:
    """Ask about deletions that were held back; empty where there are none."""
    if not done.held_deletions:
        return ""
    total = len(work.repository.tree(done.tip or "HEAD"))
    return messages.in_one(messages.outgoing_deletion(len(done.held_deletions), total))


def _news(work: Workspace, refused: Sequence[Refused]) -> Iterator[Refused]:
    """Leave out the ignored files that a run before this one has told of."""
    known = set(work.record.refused) - set(work.report.refused)
    for each in refused:
        if each.reason != IGNORED or each not in known:
            yield each


def _accept(work: Workspace, status: Status) -> None:
    """Take every deletion that there is for wanted."""
    gone = [e.path for e in status.entries if e.disk_mode == ABSENT_MODE]
    if len(gone) > MASS_COUNT:
        work.remember(accepted=gone)
    else:
        work.note(accepted=tuple(map(str, gone)))


def _restore(work: Workspace, tip: str | None, paths: Sequence[PurePosixPath]) -> None:
    """Write back files whose deletion the person took for an accident."""
    work.remember(restoring=paths)
    entries = work.repository.tree(tip or "HEAD")
    known = [path for path in paths if path in entries]
    blobs = work.repository.blobs(entries[path].oid for path in known)
    for path in known:
        # What stands in the way is committed in its place.
        with contextlib.suppress(PathRefused):
            if not work.files.exists(path):
                work.files.replace(path, blobs[entries[path].oid], expected=None)
    work.remember()


def _bring_home(work: Workspace, tip: str) -> None:
    """Merge commits made beside the branch into it, and stand on it again."""
    home = work.repository.refs(work.branch_ref).get(work.branch_ref)
    target = joined(work, home, tip) if home else tip
    work.move(tip, target)
    work.repository.move_ref(work.branch_ref, target, old=home)
    work.repository.attach(work.options.branch)


def _unpark(work: Workspace, decision: Decision) -> Tips:
    """Bring back edits that an interrupted operation had put aside.

    They come back as edits, so that they are checked like any before they are
    committed.
    """
    refs = work.refs()
    parked = {ref: oid for ref, oid in refs.items() if ref.startswith(PARKED)}
    for ref, commit in parked.items():
        local = work.repository.head()
        if local is not None:
            merged = merge_commits(work.repository, local, commit)
            work.move(local, merged.tree)
            work.tell(copies=(*work.report.copies, *merged.copies))
        work.repository.drop_ref(ref, old=commit)
        _capture(work, work.repository.status(), (), decision)
    return work.known() if parked else work.tips(refs)
