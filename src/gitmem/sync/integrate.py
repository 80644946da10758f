"""Merge two commits in the object store: Git merges trees, we merge what it cannot."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from gitmem.repo.history import MergedTree, TreeEntry, Unmerged
from gitmem.repo.repository import Repository
from gitmem.repo.status import PLAIN_MODES
from gitmem.sync.apply import blob_oid
from gitmem.sync.conflict import copy_of, copy_path, original_path, unoccupied
from gitmem.sync.merge import Merged, merge

PLAIN: Final = "100644"


@dataclass(frozen=True, slots=True)
class Integrated:
    """A merged tree, and the conflict copies that it holds."""

    tree: str
    copies: tuple[PurePosixPath, ...]


def merge_commits(repository: Repository, ours: str, theirs: str) -> Integrated:
    """Merge two commits into one tree without a marker in it.

    The same two commits give the same tree on every machine, in either order.
    """
    merged = repository.merge_trees(ours, theirs)
    wanted = [
        side.oid
        for path in merged.unmerged
        for side in (path.base, path.ours, path.theirs)
        if side.mode in PLAIN_MODES
    ]
    blobs = repository.blobs(wanted)
    contents: dict[PurePosixPath, bytes] = {}
    entries: dict[PurePosixPath, TreeEntry] = {}
    copies: dict[PurePosixPath, bytes] = {}
    claimed = _claimed(repository, merged)
    for unmerged in merged.unmerged:
        if unmerged.path in claimed:
            continue
        files, kept = settle(repository, unmerged, blobs)
        entries |= kept
        for path, data in files.items():
            if path == unmerged.path:
                contents[path] = data
            else:
                copies[path] = data
    contents |= _in_place(repository, merged.tree, copies)
    oids = repository.store(list(contents.values()))
    modes = {unmerged.path: _mode(unmerged) for unmerged in merged.unmerged}
    written = {
        path: TreeEntry(modes.get(path, PLAIN), oid)
        for path, oid in zip(contents, oids, strict=True)
    }
    placed = contents.keys() - {unmerged.path for unmerged in merged.unmerged}
    return Integrated(
        repository.edit_tree(merged.tree, {**entries, **written, **claimed}),
        tuple(sorted(placed)),
    )


def settle(
    repository: Repository, unmerged: Unmerged, blobs: Mapping[str, bytes]
) -> tuple[dict[PurePosixPath, bytes], dict[PurePosixPath, TreeEntry]]:
    """Settle one path: the files to write, and the entries to put as they are."""
    path, base = unmerged.path, unmerged.base
    sides = [side for side in (unmerged.ours, unmerged.theirs) if side.mode]
    if not sides:
        return {}, {path: TreeEntry()}
    if len(sides) == 1:
        return _one_side(path, sides[0], blobs)
    plain = [side for side in sides if side.mode in PLAIN_MODES]
    if len(plain) == 1:
        # A link or a repository against a file: the file is the memory.
        return {}, {path: plain[0]}
    if not plain:
        return {}, {path: max(sides, key=lambda side: side.oid)}
    result = merge(
        path,
        blobs[base.oid] if base.mode in PLAIN_MODES else None,
        blobs[sides[0].oid],
        blobs[sides[1].oid],
        repository.merge_lines,
    )
    return _with_copy(path, result), {}


def _claimed(
    repository: Repository, merged: MergedTree
) -> dict[PurePosixPath, TreeEntry]:
    """Give files their names back that a link or a repository took from them.

    Git lets those have the name; but the file is the memory.
    """
    aside = [c for c in merged.unmerged if original_path(c.path) != c.path]
    tree = repository.tree(merged.tree) if aside else {}
    claimed: dict[PurePosixPath, TreeEntry] = {}
    for conflict in aside:
        original = original_path(conflict.path)
        if original in tree and tree[original].mode not in PLAIN_MODES:
            side = conflict.ours if conflict.ours.mode else conflict.theirs
            claimed |= {conflict.path: TreeEntry(), original: side}
    return claimed


def _in_place(
    repository: Repository, tree: str, copies: Mapping[PurePosixPath, bytes]
) -> dict[PurePosixPath, bytes]:
    """Put each copy where nothing else stands in the merged tree."""
    found = repository.tree(tree) if copies else {}
    placed: dict[PurePosixPath, bytes] = {}
    for path, data in copies.items():
        oid = blob_oid(data)
        taken = {place for place, entry in found.items() if entry.oid != oid}
        placed[unoccupied(path, data, taken.__contains__)] = data
    return placed


def _mode(unmerged: Unmerged) -> str:
    """Let the side that changed the executable bit decide about it."""
    sides = {side.mode for side in (unmerged.ours, unmerged.theirs)} & PLAIN_MODES
    return max(sides - {unmerged.base.mode} or sides, default=PLAIN)


def _one_side(
    path: PurePosixPath, side: TreeEntry, blobs: Mapping[str, bytes]
) -> tuple[dict[PurePosixPath, bytes], dict[PurePosixPath, TreeEntry]]:
    """Keep what only one side has: an edit beats a deletion, a folder moves a file."""
    original = original_path(path)
    if original == path:
        return {}, {path: side}
    data = blobs.get(side.oid, b"")
    return {copy_path(original, data): copy_of(original, data)}, {path: TreeEntry()}


def _with_copy(path: PurePosixPath, result: Merged) -> dict[PurePosixPath, bytes]:
    files = {path: result.data}
    if result.copy is not None:
        files[copy_path(path, result.copy)] = copy_of(path, result.copy)
    return files
