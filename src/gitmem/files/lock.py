"""Let one process at a time work on something."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from gitmem.errors import Busy
from gitmem.files.atomic import PRIVATE_FILE, disk_errors

_PAUSE: Final = (0.005, 0.05)


@contextlib.contextmanager
def locked(path: Path, *, timeout_seconds: float) -> Iterator[None]:
    """Hold the kernel's lock on `path`, or raise Busy after the timeout.

    The kernel drops the lock when the holder dies, however it dies.
    """
    with disk_errors(path):
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        descriptor = os.open(path, flags, PRIVATE_FILE)
    try:
        acquire(descriptor, time.monotonic() + timeout_seconds)
        yield
    finally:
        os.close(descriptor)


def acquire(
    descriptor: int, deadline: float, *, pause_seconds: tuple[float, float] = _PAUSE
) -> None:
    """Take the kernel's lock on an open file, or raise Busy at the deadline."""
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if not isinstance(error, BlockingIOError):
                raise Busy(
                    f"gitmem's own state cannot be locked: {error.strerror}.",
                    "Let GITMEM_HOME name a folder on this machine's own disk.",
                ) from error
            if time.monotonic() >= deadline:
                raise Busy(
                    "Another gitmem process is working on this repository.",
                    "Its work will be done in a moment; run the command again then.",
                ) from None
            # Jitter keeps waiting processes from asking in step.
            import random  # rare: 2 ms

            time.sleep(random.uniform(*pause_seconds))  # noqa: S311  not a secret
        else:
            return
