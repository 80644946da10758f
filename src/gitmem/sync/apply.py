"""Move the work tree from one commit to another without losing what lies in it.

Files first, deletions last, then the index; the caller moves the ref after that. Killed
anywhere in between, the next cycle commits what is there and merges again.
"""

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import Conflicted, NotFound, PathRefused, StaleWrite
from gitmem.files.names import confine
from gitmem.files.tree import Tree
from gitmem.repo.history import Change
from gitmem.repo.repository import Repository
from gitmem.repo.status import PLAIN_MODES
from gitmem.sync.conflict import copy_path

BATCH: Final = 500
# A file that somebody else committed may be larger than one that we commit, but not
# so large that reading it back would hurt.
LARGEST_BYTES: Final = 16 * 1024 * 1024


def apply(
    repository: Repository, files: Tree, old: str, new: str, *, may_set_aside: bool
) -> tuple[PurePosixPath, ...]:
    """Make the work tree and the index hold `new`, where they held `old`.

    Returns the paths that changed. Raises StaleWrite, before anything is touched, when
    a file is not as `old` has it: somebody wrote it meanwhile, and that has to be
    committed first. With `may_set_aside` such a file is kept beside, as a conflict
    copy, instead: it is one that cannot be committed.
    """
    changes = repository.changed(old, new)
    hidden = _not_shown(repository, changes)
    wanted = [c for c in changes if c.path not in hidden or c.old.mode in PLAIN_MODES]
    stale = [change for change in wanted if not _is_untouched(files, change)]
    if stale and not may_set_aside:
        raise _stale(stale[0].path)
    for change in stale:
        _set_aside(files, change.path)
    _write_files(repository, files, wanted, hidden)
    repository.stage({change.path: change.new for change in changes})
    repository.hide(sorted(hidden))
    return tuple(change.path for change in wanted)


def blob_oid(data: bytes) -> str:
    """Name the blob that Git makes of these bytes."""
    header = b"blob %d\0" % len(data)
    return hashlib.sha1(header + data, usedforsecurity=False).hexdigest()


def _not_shown(
    repository: Repository, changes: Sequence[Change]
) -> frozenset[PurePosixPath]:
    """Find what stays in the tree but must not appear in the work tree.

    A link could lead anywhere, a name could mean another file, and a huge file would
    be read by every agent. They are kept, since they are somebody's, and not shown.
    """
    plain = [c for c in changes if c.new.mode in PLAIN_MODES]
    sizes = repository.sizes(dict.fromkeys(c.new.oid for c in plain))
    large = {c.path for c in plain if sizes.get(c.new.oid, 0) > LARGEST_BYTES}
    odd = {c.path for c in changes if c.new.mode and c.new.mode not in PLAIN_MODES}
    misnamed = {c.path for c in plain if not _may_exist(c.path)}
    return frozenset(large | odd | misnamed)


def _may_exist(path: PurePosixPath) -> bool:
    try:
        confine(str(path))
    except PathRefused:
        return False
    return True


def _is_untouched(files: Tree, change: Change) -> bool:
    """Say whether the disk holds the old version, or already the new one."""
    found = _on_disk(files, change.path)
    if found is None:
        # A deletion that was held back leaves nothing to lose.
        return True
    oid = blob_oid(found)
    return oid in {change.old.oid, change.new.oid}


def _on_disk(files: Tree, path: PurePosixPath) -> bytes | None:
    try:
        return files.read(path)
    except NotFound:
        return None
    except PathRefused as error:
        if not files.exists(path):
            return None
        raise Conflicted(
            f"{path} came from the remote, but something else stands there: "
            f"{error.message}",
            "Move what stands there out of the way, and run `gitmem sync` again.",
        ) from error


def _set_aside(files: Tree, path: PurePosixPath) -> None:
    data = files.read(path)
    kept = copy_path(path, data)
    if not files.exists(kept):
        files.replace(kept, data, expected=None)
    files.remove(path, expected=data)


def _write_files(
    repository: Repository,
    files: Tree,
    changes: Sequence[Change],
    hidden: frozenset[PurePosixPath],
) -> None:
    written = [c for c in changes if c.new.mode and c.path not in hidden]
    removed = [c for c in changes if not c.new.mode or c.path in hidden]
    in_the_way, others = _in_the_way(removed, [c.path for c in written])
    for change in in_the_way:
        _remove(files, change)
    is_durable = len(written) <= BATCH
    for start in range(0, len(written), BATCH):
        batch = written[start : start + BATCH]
        blobs = repository.blobs(change.new.oid for change in batch)
        for change in batch:
            _write(files, change, blobs, durable=is_durable)
    if not is_durable:
        # One flush for thousands of files, before the ref says that they are there.
        os.sync()
    for change in others:
        _remove(files, change)


def _in_the_way(
    removed: Sequence[Change], written: Iterable[PurePosixPath]
) -> tuple[list[Change], list[Change]]:
    """Find the deletions that make room for a file or a folder of the same name."""
    files = set(written)
    folders = {parent for path in files for parent in path.parents}
    first = [
        change
        for change in removed
        if change.path in folders or files.intersection(change.path.parents)
    ]
    chosen = {change.path for change in first}
    return first, [change for change in removed if change.path not in chosen]


def _write(
    files: Tree, change: Change, blobs: Mapping[str, bytes], *, durable: bool
) -> None:
    found = _on_disk(files, change.path)
    if found is not None and blob_oid(found) not in {change.old.oid, change.new.oid}:
        raise _stale(change.path)
    data = blobs[change.new.oid]
    if found != data:
        files.replace(change.path, data, expected=found, durable=durable)


def _remove(files: Tree, change: Change) -> None:
    found = _on_disk(files, change.path)
    if found is None:
        return
    if blob_oid(found) != change.old.oid:
        raise _stale(change.path)
    files.remove(change.path, expected=found)


def _stale(path: PurePosixPath) -> StaleWrite:
    return StaleWrite(
        f"{path} changed while it was being synced.", "Run `gitmem sync` again."
    )
