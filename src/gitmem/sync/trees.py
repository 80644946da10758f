"""Compare what two sides made of a tree: what stands, and what both changed; pure.

Git's own merge takes a deleted and a new file that look alike for one file that was
moved, and two short memories look alike by their frontmatter: an edit of the one then
lands in the other. Here a file was moved only if its bytes are the same.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from gitmem.repo.history import Change, TreeEntry, Unmerged

_NOTHING: Final = TreeEntry()
Changes = Mapping[PurePosixPath, Change]


@dataclass(frozen=True, slots=True)
class Compared:
    """What is to be done to our tree, and the paths that are still to be merged."""

    entries: dict[PurePosixPath, TreeEntry]
    unmerged: tuple[Unmerged, ...]


def compare(ours: Iterable[Change], theirs: Iterable[Change]) -> Compared:
    """Compare the changes of two sides since the same tree.

    What one side changed is taken. An edit of a file that the other side moved follows
    it. Whatever else both changed is left to be merged.
    """
    here = {change.path: change for change in ours}
    there = {change.path: change for change in theirs}
    entries = {path: each.new for path, each in there.items() if path not in here}
    unmerged = {
        path: _both(path, here, there)
        for path in here
        if path in there and here[path].new != there[path].new
    }
    for source, target in _moves(here, there):
        unmerged[target] = Unmerged(
            target, here[source].old, here[target].new, unmerged.pop(source).theirs
        )
    for source, target in _moves(there, here):
        unmerged[target] = Unmerged(
            target, there[source].old, unmerged.pop(source).ours, there[target].new
        )
        entries |= {source: _NOTHING}
        entries.pop(target, None)
    return Compared(entries, tuple(unmerged.values()))


def _both(path: PurePosixPath, here: Changes, there: Changes) -> Unmerged:
    """Say what both made of a path, and of what.

    Where both moved a file there, one of them unchanged, that file is the base.
    """
    base, ours, theirs = here[path].old, here[path].new, there[path].new
    if not base.mode and ours.mode and theirs.mode:
        moved = {
            change.old.oid: change.old
            for source, change in here.items()
            if not change.new.mode and source in there and not there[source].new.mode
        }
        base = moved.get(ours.oid) or moved.get(theirs.oid) or base
    return Unmerged(path, base, ours, theirs)


def _moves(
    movers: Changes, editors: Changes
) -> Iterator[tuple[PurePosixPath, PurePosixPath]]:
    """Find the files that one side moved, unchanged, and the other side edited."""
    added: dict[str, list[PurePosixPath]] = {}
    for path, change in movers.items():
        if not change.old.mode and path not in editors:
            added.setdefault(change.new.oid, []).append(path)
    for path, change in movers.items():
        is_edited = path in editors and bool(editors[path].new.mode)
        targets = added.get(change.old.oid, [])
        if not change.new.mode and is_edited and len(targets) == 1:
            yield path, targets[0]
            # Of two files with the same text only one can have gone there.
            added[change.old.oid] = []
