"""Merge two commits in the object store, without a marker and without a guess."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from gitmem.repo.history import TreeEntry, Unmerged
from gitmem.repo.repository import Repository
from gitmem.repo.status import PLAIN_MODES
from gitmem.sync.apply import blob_oid
from gitmem.sync.conflict import copy_of, copy_path, unoccupied
from gitmem.sync.merge import merge
from gitmem.sync.trees import Compared, compare

PLAIN: Final = "100644"
Files = dict[PurePosixPath, bytes]
Entries = dict[PurePosixPath, TreeEntry]


@dataclass(frozen=True, slots=True)
class Integrated:
    """A merged tree, and the conflict copies that it holds."""

    tree: str
    copies: tuple[PurePosixPath, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """What a path becomes: a text to write, an entry as it is, or a copy beside it."""

    files: Files
    entries: Entries
    copies: Files


def merge_commits(
    repository: Repository,
    ours: str,
    theirs: str,
    *,
    parted_at: Sequence[str] | None = None,
) -> Integrated:
    """Merge two commits into one tree.

    The same two commits give the same tree on every machine, in either order. Who
    knows already where they parted says so.
    """
    base = _base(repository, ours, theirs, parted_at)
    return _merge_trees(repository, base, ours, theirs)


def conflicts(repository: Repository, ours: str, theirs: str) -> tuple[Unmerged, ...]:
    """List the paths that both sides changed."""
    return _compared(repository, _base(repository, ours, theirs), ours, theirs).unmerged


def settle(
    repository: Repository, unmerged: Unmerged, blobs: Mapping[str, bytes]
) -> Settled:
    """Settle one path that both sides changed. An edit beats a deletion."""
    path, base = unmerged.path, unmerged.base
    sides = [side for side in (unmerged.ours, unmerged.theirs) if side.mode]
    plain = [side for side in sides if side.mode in PLAIN_MODES]
    if len(plain) < 2:  # noqa: PLR2004  there is nothing to merge a file with
        # A link or a repository against a file: the file is the memory.
        chosen = max(plain or sides, key=lambda side: side.oid, default=TreeEntry())
        return Settled({}, {path: chosen}, {})
    result = merge(
        path,
        blobs[base.oid] if base.mode in PLAIN_MODES else None,
        blobs[plain[0].oid],
        blobs[plain[1].oid],
        repository.merge_lines,
    )
    copies = {}
    if result.copy is not None:
        copies[copy_path(path, result.copy)] = copy_of(path, result.copy)
    return Settled({path: result.data}, {}, copies)


def _base(
    repository: Repository,
    ours: str,
    theirs: str,
    parted_at: Sequence[str] | None = None,
) -> str:
    """Give the commit or tree that both sides began with.

    Where histories crossed there are several; merged, they are the one.
    """
    if parted_at is None:
        parted_at = repository.merge_bases(ours, theirs)
    bases = sorted(parted_at)
    if not bases:
        return repository.empty_tree()
    base = bases[0]
    for other in bases[1:]:
        common = _base(repository, bases[0], other)
        base = _merge_trees(repository, common, base, other).tree
    return base


def _compared(repository: Repository, base: str, ours: str, theirs: str) -> Compared:
    return compare(repository.changed(base, ours), repository.changed(base, theirs))


def _merge_trees(
    repository: Repository, base: str, ours: str, theirs: str
) -> Integrated:
    """Merge two commits or trees that began as a third."""
    compared = _compared(repository, base, ours, theirs)
    blobs = repository.blobs(
        side.oid
        for each in compared.unmerged
        for side in (each.base, each.ours, each.theirs)
        if side.mode in PLAIN_MODES
    )
    files: Files = {}
    copies: Files = {}
    entries = dict(compared.entries)
    for unmerged in compared.unmerged:
        settled = settle(repository, unmerged, blobs)
        files |= settled.files
        entries |= settled.entries
        copies |= settled.copies
    modes = {each.path: _mode(each) for each in compared.unmerged}
    entries |= _stored(repository, files, modes)
    found = {**repository.tree(ours), **entries}
    copies |= _pushed_aside(repository, found, entries)
    placed = _in_place(found, copies)
    entries |= _stored(repository, placed, {})
    tree = repository.edit_tree(ours, entries) if entries else repository.tree_of(ours)
    return Integrated(tree, tuple(sorted(placed)))


def _stored(
    repository: Repository, files: Files, modes: Mapping[PurePosixPath, str]
) -> Entries:
    oids = repository.store(list(files.values()))
    return {
        path: TreeEntry(modes.get(path, PLAIN), oid)
        for path, oid in zip(files, oids, strict=True)
    }


def _pushed_aside(repository: Repository, found: Entries, entries: Entries) -> Files:
    """Take away the files whose name became a folder's, and give them as copies."""
    here = {path for path, entry in found.items() if entry.mode}
    folders = {folder for path in here for folder in path.parents}
    aside = sorted(here & folders)
    blobs = repository.blobs(
        found[path].oid for path in aside if found[path].mode in PLAIN_MODES
    )
    copies = {}
    for path in aside:
        entries[path] = TreeEntry()
        if (data := blobs.get(found[path].oid)) is not None:
            copies[copy_path(path, data)] = copy_of(path, data)
    return copies


def _in_place(found: Entries, copies: Files) -> Files:
    """Put each copy where nothing else stands in the merged tree."""
    placed: Files = {}
    for path, data in copies.items():
        oid = blob_oid(data)
        taken = {place for place, each in found.items() if each.oid not in {"", oid}}
        placed[unoccupied(path, data, taken.__contains__)] = data
    return placed


def _mode(unmerged: Unmerged) -> str:
    """Let the side that changed the executable bit decide about it."""
    sides = {side.mode for side in (unmerged.ours, unmerged.theirs)} & PLAIN_MODES
    return max(sides - {unmerged.base.mode} or sides, default=PLAIN)
