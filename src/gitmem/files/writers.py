"""Tell whether somebody has a file open to write to it."""

import fcntl
import os
import signal
import time
from typing import Final

_PATIENCE_SECONDS: Final = 0.3


def is_being_written(folder: int, name: str) -> bool:
    """Give whoever has a file open for writing a moment to be done with it.

    A lease for reading is granted while there is no writer. Where the system has none,
    nothing is known, and the comparison has to be enough.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(name, flags, dir_fd=folder)
    except OSError:
        return False
    try:
        # A lease that has to be given back is told by a signal; this one is ignored.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        ends = time.monotonic() + _PATIENCE_SECONDS
        while not _is_leased(descriptor):
            if time.monotonic() > ends:
                return True
            time.sleep(0.005)
    finally:
        os.close(descriptor)
    return False


def _is_leased(descriptor: int) -> bool:
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except BlockingIOError:
        return False
    except OSError:
        return True
    fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return True
