"""Look whether a disk has room, and wait until it holds what was written."""

import ctypes
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
            "Free some space and run `gitmem sync` again; nothing was lost.",
        )


def flush(folder: Path) -> None:
    """Wait until everything on a folder's disk is there for good.

    It takes the place of a wait for each of many files.
    """
    wait = getattr(ctypes.CDLL(None), "syncfs", None)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if wait is None or wait(descriptor) != 0:
            os.sync()
    finally:
        os.close(descriptor)
