"""Ask the remote, fetch from it and push to it, and remember how that went."""

import time
from dataclasses import replace

from gitmem.errors import Corrupt, PushRejected, SyncError
from gitmem.repo.address import Address
from gitmem.repo.remote import Remote
from gitmem.sync.state import Tips
from gitmem.sync.workspace import Workspace


def fetch(work: Workspace, known: Tips) -> Tips:
    """Ask the remote for its branch, and bring what is new of it."""
    if work.address is None:
        return known
    branch = work.options.branch
    began = time.monotonic()
    with work.recorded("fetch"):
        remote = work.remote(work.address)
        offered = remote.refs().branches
        tip = offered.get(branch)
        is_shallow = work.repository.is_shallow()
        if tip and (tip != known.remote or is_shallow):
            remote.fetch(
                branch,
                into=work.tracking_ref,
                deepen=is_shallow,
                progress=work.options.progress,
            )
            tip = work.known().remote
    took = time.monotonic() - began
    work.note(fetch=work.record.fetch.succeeded(tip or "", work.now(), seconds=took))
    work.tell(fetched=True)
    return replace(known, remote=tip, other_branches=tuple(sorted(offered)))


def catch_up(work: Workspace, known: Tips) -> Tips:
    """Bring what the remote's branch has, without asking first whether there is one.

    Where it is gone again, or cannot be brought, the remote is asked as usual.
    """
    if work.address is None or work.repository.is_shallow():
        return fetch(work, known)
    began, branch = time.monotonic(), work.options.branch
    try:
        with work.recorded("fetch"):
            work.remote(work.address).fetch(
                branch,
                into=work.tracking_ref,
                deepen=False,
                progress=work.options.progress,
            )
    except Corrupt:
        return fetch(work, known)
    tips, took = work.known(), time.monotonic() - began
    step = work.record.fetch.succeeded(tips.remote or "", work.now(), seconds=took)
    work.note(fetch=step)
    work.tell(fetched=True)
    return replace(known, remote=tips.remote)


def push(
    work: Workspace, address: Address, commit: str, *, expected: str | None
) -> SyncError | None:
    """Push a commit; give back, not raise, a refusal that is not a lost race.

    What others wrote is of use here whatever becomes of ours, so the cycle goes on.
    """
    branch = work.options.branch
    if not work.repository.is_well_formed(commit, expected):
        raise malformed()
    try:
        with work.recorded("push"):
            remote = work.remote(address)
            if not work.report.fetched:
                _compare(remote, branch, expected)
            remote.push(commit, branch, progress=work.options.progress)
    except PushRejected:
        raise
    except SyncError as error:
        return error
    work.repository.set_refs({work.tracking_ref: commit, work.seen_ref: commit})
    work.note(push=work.record.push.succeeded(commit, work.now()))
    work.tell(pushed=True)
    return None


def malformed() -> Corrupt:
    """Say that a commit here would lock every other machine out."""
    return Corrupt(
        "A commit here holds a folder that no other Git could read.",
        "It was not pushed. Run `gitmem sync`, which commits the files anew.",
    )


def _compare(remote: Remote, branch: str, expected: str | None) -> None:
    """Look before a push that follows no fetch.

    Git would make a branch anew that somebody has deleted.
    """
    if remote.refs().branches.get(branch) != expected:
        raise PushRejected("The remote has moved.", "Run `gitmem sync` again.")
