"""Take something back: as plain edits of files, which are then committed like any."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import NotFound, UsageError
from gitmem.files.names import confine
from gitmem.files.tree import Tree
from gitmem.repo.history import Change, Commit
from gitmem.repo.repository import Repository
from gitmem.repo.status import PLAIN_MODES
from gitmem.sync.apply import holds_other, may_exist
from gitmem.sync.conflict import copy_of, copy_path, unoccupied
from gitmem.sync.merge import merge

RECENT: Final = 200


def changes_of(repository: Repository, commit: Commit) -> tuple[Change, ...]:
    """List what it takes to undo a commit; refuse one that cannot be undone."""
    if len(commit.parents) > 1:
        raise UsageError(
            f"{commit.oid[:12]} is a merge; there is nothing of its own in it.",
            "Undo one of the commits that it joined: gitmem log",
        )
    if not commit.parents:
        raise UsageError(
            f"{commit.oid[:12]} is the beginning of the memory.",
            "Undo a later commit: gitmem log",
        )
    return repository.changed(commit.oid, commit.parents[0])


def undo(repository: Repository, files: Tree, changes: Sequence[Change]) -> None:
    """Undo in the work tree what a commit changed, and keep what came after it.

    A file that was edited since is merged; where the two overlap, the file stays and
    its former version is laid beside it as a conflict copy. May be done twice.
    """
    sides = [side for change in changes for side in (change.old, change.new)]
    blobs = repository.blobs(s.oid for s in sides if s.mode in PLAIN_MODES)
    for change in changes:
        if may_exist(change.path):
            _undo_one(repository, files, change, blobs)


def restore(
    repository: Repository, files: Tree, path: PurePosixPath, revision: str
) -> None:
    """Write a file as it was at a revision."""
    path = confine(str(path))
    data = repository.show(revision, path)
    found = files.find(path)
    if found != data:
        files.replace(path, data, expected=found)


def chosen(repository: Repository, revision: str, machine: str) -> Commit:
    """Find the commit that a person means: by default this machine's last."""
    if revision:
        return repository.commits(repository.resolve(revision), limit=1)[0]
    if repository.head() is not None:
        for commit in repository.commits(limit=RECENT):
            if commit.machine == machine and len(commit.parents) == 1:
                return commit
    raise NotFound(
        "This machine has committed nothing lately that could be undone.",
        "Name the commit: `gitmem log` lists them.",
    )


def which(pending: str) -> UsageError:
    """Ask which commit is meant, where the last change was not committed yet."""
    return UsageError(
        f"What was not committed yet is {pending[:12]} now; nothing was taken back.",
        "Run `gitmem undo` again to take that back, or name another: gitmem log",
    )


def _undo_one(
    repository: Repository, files: Tree, change: Change, blobs: dict[str, bytes]
) -> None:
    after, before = blobs.get(change.old.oid), blobs.get(change.new.oid)
    found = files.find(change.path)
    if found == before:
        return
    if found == after:
        _write(files, change.path, before, found)
    elif found is not None and before is not None:
        merged = merge(change.path, after, found, before, repository.merge_lines)
        _write(files, change.path, merged.data, found)
        if merged.copy is not None:
            copy = copy_of(change.path, merged.copy)
            kept = copy_path(change.path, merged.copy)
            kept = unoccupied(kept, copy, holds_other(files, copy))
            _write(files, kept, copy, files.find(kept))


def _write(
    files: Tree, path: PurePosixPath, data: bytes | None, found: bytes | None
) -> None:
    if data is not None:
        files.replace(path, data, expected=found)
    elif found is not None:
        files.remove(path, expected=found)
