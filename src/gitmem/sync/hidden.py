"""Find the files that lie where the index hides something from Git's own look."""

import contextlib
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from gitmem.repo import index
from gitmem.repo.index import Index
from gitmem.repo.repository import Repository
from gitmem.repo.status import ABSENT_MODE, Entry, Kind, Status
from gitmem.sync.apply import blob_oid


def with_hidden(repository: Repository, status: Status) -> Status:
    """Add to a status what lies where Git was told not to look."""
    found = index.read(repository.git_folder) or Index()
    known = {entry.path for entry in status.entries}
    more: list[Entry] = []
    if found.may_assume:
        more += _changed(repository, known)
    if found.may_skip:
        more += _written(repository, sorted(repository.hidden() - known))
    return replace(status, entries=(*status.entries, *more)) if more else status


def reveal(repository: Repository) -> None:
    """Let Git look again at the files that it was told to take for unchanged."""
    found = index.read(repository.git_folder)
    if found and found.may_assume and (paths := repository.assumed()):
        repository.notice(paths)


def _changed(repository: Repository, known: set[PurePosixPath]) -> Iterator[Entry]:
    for path, staged in repository.assumed().items():
        full = repository.root / path
        is_file = full.is_file() and not full.is_symlink()
        if path in known or (is_file and blob_oid(full.read_bytes()) == staged.oid):
            continue
        there = staged.mode if is_file else "120000"
        yield Entry(
            path,
            Kind.CHANGED,
            head_mode=staged.mode,
            head_oid=staged.oid,
            disk_mode=there if os.path.lexists(full) else ABSENT_MODE,
        )


def _written(repository: Repository, paths: list[PurePosixPath]) -> Iterator[Entry]:
    for path in paths:
        with contextlib.suppress(OSError):
            full = repository.root / path
            mode = full.lstat().st_mode
            # On some disks this is another file, whose name differs in its case.
            if full.name in os.listdir(full.parent) and not stat.S_ISDIR(mode):
                is_file = stat.S_ISREG(mode)
                yield Entry(
                    path, Kind.CHANGED, disk_mode="100644" if is_file else "120000"
                )
