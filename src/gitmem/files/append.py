"""Append whole lines to a file that several processes write, so that they last."""

import contextlib
import errno
import os
import stat
import time
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import Busy
from gitmem.files.atomic import PRIVATE_FILE, disk_errors
from gitmem.files.lock import acquire
from gitmem.files.names import shown
from gitmem.files.tree import Tree, not_plain

TAIL_BYTES: Final = 64 * 1024
_FLAGS: Final = (
    os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
)
# Whoever waits for a line waits for a disk, not for a network.
_PAUSE: Final = (0.0005, 0.004)


def append(
    tree: Tree,
    path: PurePosixPath,
    compose: Callable[[bytes], bytes],
    *,
    timeout_seconds: float,
) -> None:
    """Append what `compose` makes of the file's end, one writer at a time.

    What a killed writer left without its end is ended first. Raises Busy after the
    timeout, and PathRefused for what is no plain file.
    """
    deadline = time.monotonic() + timeout_seconds
    with disk_errors(tree.root / path):
        while not _is_appended(tree, path, compose, deadline):
            if time.monotonic() > deadline:
                raise Busy(
                    f"{shown(str(path))} is replaced again and again.",
                    "Look at what writes there, and run the command again.",
                )


def _is_appended(
    tree: Tree, path: PurePosixPath, compose: Callable[[bytes], bytes], deadline: float
) -> bool:
    """Append once; False where the file or its folder was taken away meanwhile."""
    with contextlib.suppress(FileNotFoundError), tree.parent(path, create=True) as it:
        descriptor = _open(it, path)
        try:
            acquire(descriptor, deadline, pause_seconds=_PAUSE)
            if _is_in_place(it, path.name, descriptor):
                _extend(descriptor, compose)
                os.fsync(it)
                return True
        finally:
            os.close(descriptor)
    return False


def _open(folder: int, path: PurePosixPath) -> int:
    try:
        return os.open(path.name, _FLAGS, PRIVATE_FILE, dir_fd=folder)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.EMLINK, errno.EISDIR}:
            raise not_plain(path) from error
        raise


def _is_in_place(folder: int, name: str, descriptor: int) -> bool:
    """Say whether a name still means the plain file that was opened by it."""
    found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if not stat.S_ISREG(found.st_mode):
        raise not_plain(PurePosixPath(name))
    return os.path.samestat(found, os.fstat(descriptor))


def _extend(descriptor: int, compose: Callable[[bytes], bytes]) -> None:
    size = os.fstat(descriptor).st_size
    tail = os.pread(descriptor, TAIL_BYTES, max(0, size - TAIL_BYTES))
    is_torn = bool(tail) and not tail.endswith(b"\n")
    view = memoryview((b"\n" if is_torn else b"") + compose(tail))
    try:
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    except OSError:
        # Half a line on a full disk would be in the way of everybody.
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, size)
        raise
