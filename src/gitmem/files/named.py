"""Write a file that a person named, and replace nothing but a plain file."""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from gitmem.errors import NotFound, PathRefused
from gitmem.files import atomic
from gitmem.files.names import shown


def write(path: Path, data: bytes) -> None:
    """Create a file for its owner's eyes, or replace a plain one as a whole.

    Raises PathRefused for a link, a folder, a device or whatever else is no plain file,
    and NotFound where there is no folder to write into.
    """
    with _explained(path):
        if not path.parent.is_dir():
            folder = shown(str(path.parent))
            raise NotFound(
                f"There is no folder {folder}.", "Make it, or name another one."
            )
        _require_plain(path)
        atomic.write(path, data)


def is_open_as(path: Path, descriptor: int) -> bool:
    """Say whether a path leads to what is open under a number, as /dev/stdout does."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


def _require_plain(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISREG(mode):
        return
    kinds = {stat.S_IFLNK: "a link", stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe"}
    kind = kinds.get(stat.S_IFMT(mode), "a device or socket")
    raise PathRefused(
        f"{shown(str(path))} is {kind}, and only a plain file is replaced.",
        "Name a file; `-` is standard output.",
    )


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        with atomic.disk_errors(path):
            yield
    except OSError as error:
        raise PathRefused(
            f"{shown(str(path))} cannot be written: {error.strerror}.",
            "Name another file.",
        ) from error
