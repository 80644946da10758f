"""Move the work tree from one commit to another without losing what lies in it.

Files first, deletions last, then the index; the caller moves the ref after that. Killed
anywhere in between, the next cycle commits what is there and merges again.
"""

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import (
    Busy,
    Conflicted,
    HeldOpen,
    NotFound,
    PathRefused,
    StaleWrite,
)
from gitmem.files.atomic import PRIVATE_FILE
from gitmem.files.names import confine
from gitmem.files.names import shown as shown_name
from gitmem.files.space import flush
from gitmem.files.tree import Tree
from gitmem.repo.history import Change, TreeEntry
from gitmem.repo.repository import Repository
from gitmem.repo.status import EXECUTABLE_MODE, PLAIN_MODES
from gitmem.sync.conflict import copy_path, unoccupied
from gitmem.sync.twins import folded, shadowed

BATCH: Final = 500
# A file that somebody else committed may be larger than one that we commit, but not
# so large that reading it back would hurt.
LARGEST_BYTES: Final = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Room:
    """The files that go, and the folders that may go with them."""

    files: frozenset[PurePosixPath] = frozenset()
    folders: frozenset[PurePosixPath] = frozenset()
    spellings: frozenset[PurePosixPath] = frozenset()

    @classmethod
    def left_by(cls, gone: Iterable[PurePosixPath], *, is_folding: bool) -> "_Room":
        files = frozenset(gone)
        return cls(
            files,
            frozenset(folder for path in files for folder in path.parents),
            frozenset(map(folded, files)) if is_folding else frozenset(),
        )

    def is_made_for(self, path: PurePosixPath) -> bool:
        """Say whether a folder or a file of this name is about to go."""
        return (
            path in self.folders
            or not self.files.isdisjoint(path.parents)
            or self.is_spelled_as(path)
        )

    def is_spelled_as(self, path: PurePosixPath) -> bool:
        """Say whether the disk takes this path for one of these, spelled otherwise."""
        return path not in self.files and folded(path) in self.spellings


def apply(
    repository: Repository,
    files: Tree,
    old: str,
    new: str,
    *,
    may_set_aside: bool,
    is_folding: bool = False,
) -> tuple[PurePosixPath, ...]:
    """Make the work tree and the index hold `new`, where they held `old`.

    Returns the paths that changed. Raises StaleWrite, before anything is touched, when
    a file is not as `old` has it: somebody wrote it meanwhile, and that has to be
    committed first. With `may_set_aside` such a file is kept beside, as a conflict
    copy, instead: it is one that cannot be committed.

    A file that somebody has open for writing is left as it is; all others change, and
    Busy is raised then. On a disk that `is_folding` two names that differ only in
    their case are one file, and only one of the two is shown.
    """
    changes = repository.changed(old, new)
    hidden = not_shown(repository, {c.path: c.new for c in changes if c.new.mode})
    if is_folding and changes:
        paths = repository.tree(new).keys() - hidden
        twins = shadowed(paths, repository.tree(old).keys() - repository.hidden())
        hidden |= twins & {change.path for change in changes}
    shown = [c for c in changes if c.new.mode and c.path not in hidden]
    gone = [
        c
        for c in changes
        if c.old.mode in PLAIN_MODES and (not c.new.mode or c.path in hidden)
    ]
    stale = [c for c in gone if not _is_untouched(c, present(files, c.path))]
    room = _Room.left_by((change.path for change in gone), is_folding=is_folding)
    stale += [c for c in shown if not _is_untouched(c, _occupant(files, c.path, room))]
    if stale and not may_set_aside:
        raise _stale(stale[0].path)
    for change in stale:
        _set_aside(files, change.path)
    if left := _write_files(repository, files, shown, gone, is_folding=is_folding):
        raise _held_open(left)
    repository.stage({change.path: change.new for change in changes})
    repository.hide(sorted(hidden))
    return tuple(sorted(change.path for change in (*shown, *gone)))


def lay_out(
    repository: Repository, tip: str, entries: Mapping[PurePosixPath, TreeEntry]
) -> None:
    """Fill a new folder, which nobody else knows yet, with what a commit holds.

    Nothing can lie there that could be lost, and nothing is waited for: the caller
    flushes the folder before it becomes the memory.
    """
    hidden = not_shown(repository, entries)
    repository.fill(tip, hidden=sorted(hidden))
    for path, entry in entries.items():
        if entry.mode == EXECUTABLE_MODE and path not in hidden:
            (repository.root / path).chmod(PRIVATE_FILE)


def blob_oid(data: bytes) -> str:
    """Name the blob that Git makes of these bytes."""
    header = b"blob %d\0" % len(data)
    return hashlib.sha1(header + data, usedforsecurity=False).hexdigest()


def not_shown(
    repository: Repository, entries: Mapping[PurePosixPath, TreeEntry]
) -> frozenset[PurePosixPath]:
    """Find what stays in the tree but must not appear in the work tree.

    A link could lead anywhere, a name could mean another file, and a huge file would
    be read by every agent. They are kept, since they are somebody's, and not shown.
    """
    plain = {p: each.oid for p, each in entries.items() if each.mode in PLAIN_MODES}
    sizes = repository.sizes(dict.fromkeys(plain.values()))
    large = {path for path, oid in plain.items() if sizes.get(oid, 0) > LARGEST_BYTES}
    odd = entries.keys() - plain.keys()
    misnamed = {path for path in plain if not may_exist(path)}
    return frozenset(large | odd | misnamed)


def may_exist(path: PurePosixPath) -> bool:
    """Say whether a path from somebody else's tree may appear on this disk."""
    try:
        confine(str(path))
    except PathRefused:
        return False
    return True


def _is_untouched(change: Change, found: bytes | None) -> bool:
    """Say whether the disk holds the old version, or already the new one.

    A file that is missing leaves nothing to lose: its deletion was held back.
    """
    return found is None or blob_oid(found) in {change.old.oid, change.new.oid}


def present(files: Tree, path: PurePosixPath) -> bytes | None:
    """Read a file; what is none, or none any more, is not ours to change."""
    try:
        return files.read(path)
    except (NotFound, PathRefused):
        return None


def _occupant(files: Tree, path: PurePosixPath, room: _Room) -> bytes | None:
    """Read what stands at a path that is to be written, less what makes room for it."""
    if room.is_spelled_as(path):
        return None
    try:
        return files.read(path)
    except NotFound:
        return None
    except PathRefused as error:
        if room.is_made_for(path) or files.clear_empty(path):
            return None
        raise Conflicted(
            f"{shown_name(str(path))} came from the remote, but something else stands "
            f"there: {error.message}",
            "Move what stands there out of the way, and run `gitmem sync` again.",
        ) from error


def _set_aside(files: Tree, path: PurePosixPath) -> None:
    data = files.read(path)
    kept = unoccupied(copy_path(path, data), data, holds_other(files, data))
    if files.exists(kept):
        files.remove(path, expected=data)
    else:
        # As it is: it may be larger than what was read, or still be written to.
        files.rename(path, kept.name)


def holds_other(files: Tree, data: bytes) -> Callable[[PurePosixPath], bool]:
    """Give a way to ask whether a path on disk holds anything but these bytes."""

    def ask(path: PurePosixPath) -> bool:
        return files.exists(path) and present(files, path) != data

    return ask


def _write_files(
    repository: Repository,
    files: Tree,
    shown: Sequence[Change],
    gone: Sequence[Change],
    *,
    is_folding: bool,
) -> list[PurePosixPath]:
    """Write and remove what is to be; give back what somebody has open."""
    left: list[PurePosixPath] = []
    wanted = _Room.left_by((c.path for c in shown), is_folding=is_folding)
    in_the_way, others = _in_the_way(gone, wanted)
    for change in in_the_way:
        with _passing_over(left, change):
            _remove(files, change)
    stuck = _Room.left_by(left, is_folding=is_folding)
    shown = [change for change in shown if not stuck.is_made_for(change.path)]
    is_durable = len(shown) <= BATCH
    for blobs in repository.lots(change.new.oid for change in shown):
        for change in (each for each in shown if each.new.oid in blobs):
            with _passing_over(left, change):
                _write(files, change, blobs, durable=is_durable)
    if not is_durable:
        # One flush for thousands of files, before the ref says that they are there.
        flush(files.root)
    for change in others:
        with _passing_over(left, change):
            _remove(files, change)
    return left


@contextlib.contextmanager
def _passing_over(left: list[PurePosixPath], change: Change) -> Iterator[None]:
    try:
        yield
    except HeldOpen:
        left.append(change.path)


def _in_the_way(
    removed: Sequence[Change], wanted: _Room
) -> tuple[list[Change], list[Change]]:
    """Find the deletions that make room for a file or a folder of the same name."""
    first = [change for change in removed if wanted.is_made_for(change.path)]
    chosen = {change.path for change in first}
    return first, [change for change in removed if change.path not in chosen]


def _write(
    files: Tree, change: Change, blobs: Mapping[str, bytes], *, durable: bool
) -> None:
    found = _occupant(files, change.path, _Room())
    if not _is_untouched(change, found):
        raise _stale(change.path)
    data = blobs[change.new.oid]
    if found != data:
        files.replace(change.path, data, expected=found, durable=durable)


def _remove(files: Tree, change: Change) -> None:
    found = present(files, change.path)
    if found is None:
        return
    if blob_oid(found) != change.old.oid:
        raise _stale(change.path)
    files.remove(change.path, expected=found)


def _stale(path: PurePosixPath) -> StaleWrite:
    return StaleWrite(
        f"{path} changed while it was being synced.", "Run `gitmem sync` again."
    )


def _held_open(left: Sequence[PurePosixPath]) -> Busy:
    others = f" and {len(left) - 1} more are" if left[1:] else " is"
    return Busy(
        f"{shown_name(str(left[0]))}{others} open in another program, which may still "
        "write to it.",
        "All else is synced. Close the file there; the next sync brings it.",
    )
