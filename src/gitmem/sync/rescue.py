"""Settle what an interrupted Git operation left behind, without losing a byte of it.

Every commit and file involved is kept under `refs/gitmem/rescue/<time>/` and
`.git/gitmem-rescue/<time>/` first. Nothing is aborted, reset or popped.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem.files.atomic import private_folder
from gitmem.files.tree import Tree
from gitmem.memory.conflicts import marker_line
from gitmem.repo.history import TreeEntry, Unmerged, parse_unmerged
from gitmem.repo.objects import Identity
from gitmem.repo.repository import LEFTOVERS, Repository
from gitmem.repo.status import PLAIN_MODES
from gitmem.sync.apply import holds_other, present
from gitmem.sync.conflict import unoccupied
from gitmem.sync.integrate import conflicts as merge_conflicts
from gitmem.sync.integrate import settle
from gitmem.sync.workspace import PARKED

FOLDER: Final = "gitmem-rescue"
_OID: Final = re.compile(r"[0-9a-f]{40}")
# Files that hold the commits of an interrupted operation, below the Git folder.
_HEADS: Final = (
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "ORIG_HEAD",
    "REBASE_HEAD",
    "rebase-merge/orig-head",
    "rebase-apply/orig-head",
)
_PARKED: Final = (
    "MERGE_AUTOSTASH",
    "rebase-merge/autostash",
    "rebase-apply/autostash",
)
_COMPANIONS: Final = ("MERGE_MSG", "MERGE_MODE", "MERGE_AUTOSTASH", "AUTO_MERGE")
_BISECT: Final = ("BISECT_START", "BISECT_NAMES", "BISECT_TERMS", "BISECT_EXPECTED_REV")


def rescue(
    repository: Repository, files: Tree, *, by: Identity, at: datetime
) -> tuple[str, ...]:
    """Bring the repository to where a plain commit can be made.

    Returns the other parents of a merge that the next commit completes. Edits that Git
    had put aside become commits below `refs/gitmem/parked/`, to be merged in.
    """
    name = _free_name(repository.git_folder, at)
    merging = _commits(repository, "MERGE_HEAD")
    parked = [oid for path in _PARKED for oid in _commits(repository, path)]
    _keep_commits(repository, name, parked)
    conflicts = _conflicts(repository, merging)
    _settle_conflicts(repository, files, conflicts, name, by=by, at=at)
    for number, oid in enumerate(parked):
        commit = _as_commit(repository, oid, by=by, at=at)
        # Kept by a ref until it is merged: a kill must not make it unreachable.
        repository.set_ref(f"{PARKED}{name}-{number}", commit)
    _move_leftovers(repository.git_folder, name)
    head = repository.head()
    return tuple(
        oid for oid in merging if not head or not repository.is_ancestor(oid, head)
    )


def _free_name(git_folder: Path, at: datetime) -> str:
    """Name this rescue after the time; no later one may take its place."""
    name = at.strftime("%Y%m%dT%H%M%S")
    taken = len(list((git_folder / FOLDER).glob(f"{name}*")))
    return f"{name}-{taken}" if taken else name


def _commits(repository: Repository, path: str) -> tuple[str, ...]:
    """List the commits that a file below the Git folder names, if they exist."""
    try:
        text = (repository.git_folder / path).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return ()
    found = _OID.findall(text)
    known = repository.sizes(found)
    return tuple(oid for oid in found if oid in known)


def _keep_commits(repository: Repository, name: str, parked: Sequence[str]) -> None:
    kept: dict[str, str | None] = {"HEAD": repository.head()}
    for path in _HEADS:
        for number, oid in enumerate(_commits(repository, path)):
            kept[f"{path.replace('/', '-')}-{number}"] = oid
    for number, oid in enumerate(parked):
        kept[f"autostash-{number}"] = oid
    for label, found in kept.items():
        if found:
            repository.set_ref(f"refs/gitmem/rescue/{name}/{label}", found)


def _conflicts(repository: Repository, merging: Sequence[str]) -> tuple[Unmerged, ...]:
    """List what a merge left open, and what was staged with its markers in it."""
    unmerged = parse_unmerged(repository.read("ls-files", "-u", "-z"))
    head = repository.head()
    if unmerged or head is None or not merging:
        return unmerged
    return merge_conflicts(repository, head, merging[0])


def _settle_conflicts(
    repository: Repository,
    files: Tree,
    conflicts: Sequence[Unmerged],
    name: str,
    *,
    by: Identity,
    at: datetime,
) -> None:
    """Replace what Git wrote between markers; what a person resolved stays."""
    sides = [side for c in conflicts for side in (c.base, c.ours, c.theirs)]
    wanted = [side.oid for side in sides if side.mode in PLAIN_MODES]
    blobs = repository.blobs(wanted)
    marked: dict[PurePosixPath, bytes] = {}
    results: dict[PurePosixPath, bytes] = {}
    for entry in conflicts:
        found = present(files, entry.path)
        if found is not None and _is_open(entry, found, blobs):
            marked[entry.path] = found
            settled = settle(repository, entry, blobs)
            results |= {**settled.files, **settled.copies}
    if marked:
        _keep_marked(repository, name, marked, by=by, at=at)
    for path, data in results.items():
        place = path
        if path not in marked:
            place = unoccupied(path, data, holds_other(files, data))
        files.replace(place, data, expected=present(files, place))
    repository.stage({c.path: c.ours for c in conflicts})


def _is_open(entry: Unmerged, found: bytes, blobs: Mapping[str, bytes]) -> bool:
    """Say whether nobody has decided yet what a file is to hold.

    Git writes no markers into a binary file: it leaves one side of it.
    """
    sides = [blobs.get(side.oid) for side in (entry.ours, entry.theirs)]
    is_binary = any(side is not None and b"\0" in side for side in sides)
    return bool(marker_line(found)) or (is_binary and found in sides)


def _keep_marked(
    repository: Repository,
    name: str,
    marked: dict[PurePosixPath, bytes],
    *,
    by: Identity,
    at: datetime,
) -> None:
    oids = repository.store(list(marked.values()))
    entries = {p: TreeEntry("100644", o) for p, o in zip(marked, oids, strict=True)}
    tree = repository.edit_tree(repository.empty_tree(), entries)
    commit = repository.commit_tree(tree, [], "files with markers\n", by=by, at=at)
    repository.set_ref(f"refs/gitmem/rescue/{name}/marked", commit)


def _as_commit(
    repository: Repository, stash: str, *, by: Identity, at: datetime
) -> str:
    """Turn edits that Git put aside into a commit on what they were made on."""
    return repository.commit_tree(
        repository.tree_of(stash),
        repository.commits(stash, limit=1)[0].parents[:1],
        "memory(*): edits that an interrupted rebase had put aside\n",
        by=by,
        at=at,
    )


def _move_leftovers(git_folder: Path, name: str) -> None:
    target = private_folder(git_folder / FOLDER / name)
    for leftover in (*LEFTOVERS, *_COMPANIONS, *_BISECT):
        if (git_folder / leftover).exists():
            (git_folder / leftover).rename(target / leftover)
