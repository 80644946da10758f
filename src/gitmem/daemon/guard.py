"""Be the only daemon of a repository, and notice when that is no longer so."""

import contextlib
import fcntl
import json
import os
from pathlib import Path
from typing import Final

import gitmem
from gitmem.errors import PathRefused
from gitmem.files.atomic import PRIVATE_FILE, disk_errors
from gitmem.files.names import shown

LOCK_NAME: Final = "daemon.lock"
_NOTE_BYTES: Final = 4096
_OWN_FILE: Final = Path(gitmem.__file__)


class Guard:
    """The kernel's lock, held for life; it is dropped however the holder dies."""

    def __init__(self, state: Path) -> None:
        """Remember where the lock is; it is not taken yet."""
        self.path = state / LOCK_NAME
        self._descriptor = -1
        self._code = _identity(_OWN_FILE)
        self._socket: tuple[Path, tuple[int, ...]] | None = None

    def take(self) -> bool:
        """Take the lock if nobody has it."""
        descriptor = _opened(self.path)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        note = json.dumps({"pid": os.getpid(), "version": gitmem.__version__})
        # Only for people to read: a full disk keeps nobody from being the daemon.
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, note.encode("ascii"), 0)
        return True

    def drop(self) -> None:
        """Let somebody else have the lock."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def watch_socket(self, path: Path) -> None:
        """Remember the socket that is ours."""
        self._socket = (path, _identity(path))

    def owns_socket(self) -> bool:
        """Say whether the socket's path still leads to us."""
        return (
            self._socket is not None and _identity(self._socket[0]) == self._socket[1]
        )

    def lost(self) -> str:
        """Say why this daemon has to leave, if it has to."""
        held = os.fstat(self._descriptor) if self._descriptor >= 0 else None
        if held is None or _identity(self.path)[:2] != (held.st_dev, held.st_ino):
            return "its lock was taken away"
        if not self.owns_socket():
            return "its socket was replaced"
        return ""

    def is_outdated(self) -> bool:
        """Say whether gitmem's files are no longer those that this daemon runs."""
        return _identity(_OWN_FILE) != self._code


def holder(state: Path) -> int | None:
    """Say which process holds the lock of a repository's daemon, if one does."""
    path = state / LOCK_NAME
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _noted(descriptor)
        finally:
            os.close(descriptor)
    return None


def _opened(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        with disk_errors(path):
            return os.open(path, flags, PRIVATE_FILE)
    except OSError as error:
        raise PathRefused(
            f"{shown(str(path))} cannot be opened: {error.strerror}.",
            "Look at what lies there, and remove it; gitmem makes its own.",
        ) from error


def _noted(descriptor: int) -> int:
    """Read who wrote into the lock; 0 for one that has not written yet."""
    try:
        return int(json.loads(os.pread(descriptor, _NOTE_BYTES, 0))["pid"])
    except (ValueError, KeyError, TypeError):
        return 0


def _identity(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return (found.st_dev, found.st_ino, found.st_mtime_ns)
