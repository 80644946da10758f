"""Keep what went wrong on this machine, in full, where a person can look it up."""

import contextlib
import os
from datetime import datetime
from pathlib import Path
from typing import Final

from gitmem.errors import GitmemError
from gitmem.files.atomic import PRIVATE_FILE, private_folder
from gitmem.secrets import mask

NAME: Final = "gitmem.log"
LIMIT_BYTES: Final = 1_000_000
# Neither a link nor a FIFO in the log's place leads away or holds up.
_PLAIN: Final = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_APPENDING: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | _PLAIN
_READING: Final = os.O_RDONLY | _PLAIN


def record(folder: Path, text: str, *, now: datetime, name: str = NAME) -> None:
    """Append one entry, secrets masked; a log that cannot be written stops nothing."""
    with contextlib.suppress(OSError, GitmemError):
        append(folder, text, now=now, name=name)


def append(folder: Path, text: str, *, now: datetime, name: str = NAME) -> None:
    """Append one entry, secrets masked; raises what keeps it from being written."""
    line = f"{now.isoformat(timespec='seconds')} [{os.getpid()}] {mask(text)}\n"
    path = private_folder(folder) / name
    _rotate(path)
    descriptor = os.open(path, _APPENDING, PRIVATE_FILE)
    try:
        os.write(descriptor, line.encode("utf-8", "backslashreplace"))
    finally:
        os.close(descriptor)


def last_lines(folder: Path, count: int, *, name: str = NAME) -> list[str]:
    """Give the last lines of a log, without waiting at what is no plain file."""
    with (
        contextlib.suppress(OSError),
        open(os.open(folder / name, _READING), "rb") as log,
    ):
        log.seek(max(0, os.fstat(log.fileno()).st_size - 2 * LIMIT_BYTES))
        return log.read().decode("utf-8", "replace").splitlines()[-count:]
    return []


def _rotate(path: Path) -> None:
    """Keep one older log beside the current one."""
    with contextlib.suppress(FileNotFoundError):
        if path.lstat().st_size > LIMIT_BYTES:
            path.replace(path.with_suffix(".log.1"))
