"""Where the catalog lies: whole builds side by side, one of them current.

A rebuild fills a new folder and then changes one small file that names it. Nothing of
an older build is overwritten, so a reader that has it open goes on undisturbed.
"""

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from gitmem.files.atomic import private_folder, write
from gitmem.files.lock import locked

POINTER: Final = "current"
LOCK: Final = "writer.lock"
ROWS: Final = "catalog.sqlite"
TEXT: Final = "text"
_NAME: Final = re.compile(r"build-[0-9a-f]{16}")


class BrokenText(Exception):
    """The full text of a build cannot be read."""


def current(folder: Path) -> Path | None:
    """Find the build that is to be read, if there is one."""
    try:
        name = (folder / POINTER).read_text("ascii")
    except (OSError, UnicodeDecodeError):
        return None
    return folder / name if _NAME.fullmatch(name) else None


@contextlib.contextmanager
def writing(folder: Path, *, wait_seconds: float) -> Iterator[None]:
    """Be the only writer of the catalog; raises Busy after `wait_seconds`."""
    private_folder(folder)
    with locked(folder / LOCK, timeout_seconds=wait_seconds):
        yield


@contextlib.contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """Give an empty build to fill; it becomes current when the block ends well."""
    build = folder / f"build-{os.urandom(8).hex()}"
    build.mkdir(mode=0o700)
    try:
        yield build
        write(folder / POINTER, build.name.encode("ascii"))
    except BaseException:
        _remove(build)
        raise
    _remove_others(folder, build)


def discard(build: Path) -> None:
    """Let nobody read a broken build again; the next refresh makes a new one."""
    if current(build.parent) == build:
        (build.parent / POINTER).unlink(missing_ok=True)


def is_full(error: Exception) -> bool:
    """Tell whether a store failed because the disk has no room."""
    code = getattr(error, "sqlite_errorcode", None)
    said = ("No space left", "File too large", "quota exceeded")
    return code == sqlite3.SQLITE_FULL or any(words in str(error) for words in said)


def _remove_others(folder: Path, kept: Path) -> None:
    for other in folder.iterdir():
        if _NAME.fullmatch(other.name) and other != kept:
            _remove(other)


def _remove(build: Path) -> None:
    import shutil  # for writers: 3 ms

    shutil.rmtree(build, ignore_errors=True)
