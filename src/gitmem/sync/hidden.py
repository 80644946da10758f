"""Find the files that lie where the index hides something from Git's own look."""

import contextlib
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from gitmem.repo.repository import Repository
from gitmem.repo.status import Entry, Kind, Status

# https://git-scm.com/docs/index-format: a mark that hides a path takes version 3.
_HEADER_BYTES: Final = 8
_PLAIN_VERSION: Final = 2


def with_hidden(repository: Repository, status: Status) -> Status:
    """Add to a status what somebody wrote at a path that is not to appear."""
    if not _may_hide(repository):
        return status
    known = {entry.path for entry in status.entries}
    paths = sorted(repository.hidden() - known)
    return replace(status, entries=(*status.entries, *_written(repository, paths)))


def _may_hide(repository: Repository) -> bool:
    """Say whether the index has marks, without asking Git in every cycle."""
    try:
        with (repository.git_folder / "index").open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except FileNotFoundError:
        return False
    return int.from_bytes(header[4:]) > _PLAIN_VERSION


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
