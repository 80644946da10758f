"""Clear away what a cycle leaves that was broken off, and save what is of use in it."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem import lineage
from gitmem.errors import Corrupt, DiskFull, GitmemError, SyncError
from gitmem.files.atomic import PRIVATE_FILE, left_behind
from gitmem.files.tree import Tree
from gitmem.repo import locks
from gitmem.repo.repository import Repository
from gitmem.sync.apply import blob_oid, holds_other
from gitmem.sync.conflict import copy_path, unoccupied

MARK: Final = "unfinished"


@contextlib.contextmanager
def swept(root: Path, state: Path) -> Iterator[None]:
    """Sweep before this cycle if the one before had no orderly end.

    Only for a caller that holds the lock. A mark says that a cycle is at work: looking
    through everything each time would cost more than the cycle.
    """
    mark = state / MARK
    if mark.exists():
        with contextlib.suppress(OSError):
            # There may be no repository yet.
            _clear(state)
        with contextlib.suppress(OSError, GitmemError):
            sweep(Repository(root))
    with contextlib.suppress(OSError):
        os.close(os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE))
    try:
        yield
    except (Corrupt, DiskFull):
        raise
    except SyncError:
        _forget(mark)
        raise
    _forget(mark)


def sweep(repository: Repository) -> None:
    """Remove the temporary files of processes that are gone, gitmem's and Git's."""
    files = Tree(repository.root)
    for path in _temporaries(repository.root):
        _, name = left_behind(path.name) or (0, "")
        if name:
            _save(repository, files, path, name)
        else:
            (files.root / path).unlink(missing_ok=True)
    git_folder = repository.git_folder
    for folder in (git_folder, git_folder / "info"):
        _clear(folder)
    locks.clear_litter(repository.root, git_folder)


def _temporaries(root: Path) -> Iterator[PurePosixPath]:
    for folder, names, found in os.walk(root, followlinks=False):
        names[:] = [name for name in names if name != ".git"]
        for name in filter(_is_dead, found):
            yield PurePosixPath(Path(folder, name).relative_to(root).as_posix())


def _is_dead(name: str) -> bool:
    made = left_behind(name)
    return made is not None and not lineage.is_alive(made[0])


def _save(repository: Repository, files: Tree, path: PurePosixPath, name: str) -> None:
    """Keep as a conflict copy what is neither in the history nor on the disk."""
    data = files.read(path)
    place = path.with_name(name)
    is_known = blob_oid(data) in repository.sizes([blob_oid(data)])
    if not is_known and holds_other(files, data)(place):
        place = unoccupied(copy_path(place, data), data, holds_other(files, data))
    if not is_known and not files.exists(place):
        files.replace(place, data, expected=None)
    files.remove(path, expected=data)


def _clear(folder: Path) -> None:
    for name in filter(_is_dead, os.listdir(folder)):
        path = folder / name
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _forget(mark: Path) -> None:
    with contextlib.suppress(OSError):
        mark.unlink(missing_ok=True)
