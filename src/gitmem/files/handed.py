"""Read a file that a person names, also where it is a pipe."""

import os
import select
from pathlib import Path

from gitmem.errors import UsageError
from gitmem.files.names import shown

_PIECE_BYTES = 65_536


def handed(path: Path, limit_bytes: int, wait_seconds: float) -> bytes:
    """Read so many bytes at most; whoever has a pipe open may take any time to write.

    Raises UsageError for a pipe that nobody opens to write to.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        first = _first(path, descriptor, min(limit_bytes, _PIECE_BYTES), wait_seconds)
        os.set_blocking(descriptor, True)
        return first + file.read(limit_bytes - len(first))


def _first(path: Path, descriptor: int, limit_bytes: int, wait_seconds: float) -> bytes:
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    came = waiting.poll(wait_seconds * 1000)
    try:
        data = os.read(descriptor, limit_bytes)
    except BlockingIOError:
        return b""
    if data or came:
        return data
    raise UsageError(
        f"{shown(str(path))} is a pipe, and nobody writes to it.",
        "Name a file, or begin what writes to the pipe first.",
    )
