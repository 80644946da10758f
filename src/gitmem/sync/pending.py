"""Write down what is about to change as one, and take it back where it was broken off.

A journal beside the history says it; it is gone once the change is in a commit.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem import log
from gitmem.errors import Corrupt, PathRefused, StaleWrite
from gitmem.files.atomic import write
from gitmem.files.tree import Tree
from gitmem.repo.history import TreeEntry
from gitmem.repo.repository import Repository
from gitmem.repo.status import PLAIN_MODES
from gitmem.sync.apply import blob_oid, present
from gitmem.sync.options import Options

# Beside the history, not in the state folder: that one may vanish at any moment.
JOURNAL: Final = "gitmem-pending"


@dataclass(frozen=True, slots=True)
class Swap:
    """One file by the names of its blobs, now and then; an empty name is no file."""

    path: PurePosixPath
    old: str
    new: str


@contextmanager
def pending(
    repository: Repository, files: Tree, swaps: Sequence[Swap]
) -> Iterator[None]:
    """Keep what is about to change written down; put it back if that fails."""
    journal = repository.git_folder / JOURNAL
    write(journal, _written(swaps))
    try:
        yield
    except BaseException:
        _put_back(repository, files, swaps)
        journal.unlink(missing_ok=True)
        raise
    journal.unlink(missing_ok=True)


def take_back(options: Options) -> tuple[str, ...]:
    """Take back what a change left that was broken off; say so if there was any.

    For a caller that holds the lock. A file that was edited since stays as it is.
    """
    journal = options.root / ".git" / JOURNAL
    if not journal.exists():
        return ()
    repository = Repository(options.root, options.stopper)
    # Damaged objects are healed by the cycle; the next one takes back.
    with suppress(Corrupt):
        put_back = _put_back(repository, Tree(repository.root), _read(journal))
        journal.unlink(missing_ok=True)
        if put_back:
            text = f"took back {put_back} files of a change that was broken off"
            log.record(options.state, text, now=options.now())
            return ("a change of several files that was broken off: it was taken back",)
    return ()


def name_of(data: bytes | None) -> str:
    """Name the blob of what a file holds; empty where there is no file."""
    return "" if data is None else blob_oid(data)


def named(entry: TreeEntry | None) -> str:
    """Name the blob that a tree has for a file; empty where it has no plain file."""
    return entry.oid if entry and entry.mode in PLAIN_MODES else ""


def _put_back(repository: Repository, files: Tree, swaps: Sequence[Swap]) -> int:
    """Undo in the work tree what is of a change and in no commit; count the files."""
    head = repository.head()
    committed = repository.tree(head) if head else {}
    half = [
        each
        for each in swaps
        if each.old != each.new
        and named(committed.get(each.path)) == each.old
        and name_of(present(files, each.path)) == each.new
    ]
    for each in half:
        if not each.old:
            _write(files, each, None)
    for blobs in repository.lots(each.old for each in half if each.old):
        for each in half:
            if each.old in blobs:
                _write(files, each, blobs[each.old])
    return len(half)


def _write(files: Tree, swap: Swap, data: bytes | None) -> None:
    path = swap.path
    # Whoever edits it in this moment has it.
    with suppress(StaleWrite, PathRefused):
        found = files.find(path)
        if name_of(found) != swap.new:
            return
        if data is not None:
            files.replace(path, data, expected=found)
        elif found is not None:
            files.remove(path, expected=found)


def _written(swaps: Iterable[Swap]) -> bytes:
    rows = [[str(each.path), each.old, each.new] for each in swaps]
    return json.dumps(rows).encode()


def _read(journal: Path) -> tuple[Swap, ...]:
    """Read what was about to change; a journal is written whole or not at all."""
    try:
        rows = json.loads(journal.read_bytes())
        return tuple(Swap(PurePosixPath(p), old, new) for p, old, new in rows)
    except (OSError, ValueError, TypeError):
        return ()
