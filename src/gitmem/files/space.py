"""Look whether a disk has room before anything is begun on it."""

import os
from pathlib import Path

from gitmem.errors import DiskFull
from gitmem.files.names import shown


def require(folder: Path, least_bytes: int) -> None:
    """Raise DiskFull when less than so much is free where a folder lies."""
    found = os.statvfs(folder)
    free = found.f_bavail * found.f_frsize
    if free < least_bytes:
        raise DiskFull(
            f"Only {free:,} bytes are free where {shown(str(folder))} lies.",
            "Free some space and run `gitmem sync` again; nothing was begun.",
        )
