"""Read and replace the files of a host, which belong to the person."""

import contextlib
import itertools
import os
import stat
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem.errors import GitmemError, PathRefused, SettingsError, StaleWrite
from gitmem.files import atomic
from gitmem.files.atomic import (
    disk_errors,
    left_behind,
    private_folder,
    usual_folder,
    usual_mode,
)
from gitmem.files.names import shown
from gitmem.files.tree import Tree

_LIMIT_BYTES: Final = 16 * 1024 * 1024
_WRITABLE: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, slots=True)
class Change:
    """One file of a host: what it holds, and what it is to hold; None is no file.

    `path` is where the bytes are: links of the person's have been followed. The whole
    file `is_own` where gitmem makes it, and `is_kept` where the person edited it.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    is_own: bool = False
    is_kept: bool = False

    @property
    def is_needed(self) -> bool:
        """Say whether there is something to do."""
        return self.before != self.after


def resolved(path: Path) -> Path:
    """Follow the links by which people keep their settings elsewhere."""
    return Path(os.path.realpath(path))


def read(path: Path) -> bytes | None:
    """Read a file; None where there is none.

    Raises PathRefused for what is no file, and SettingsError for what is too large.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            message = f"{shown(str(path))} is not a file."
            raise PathRefused(message, "Look at what lies there.")
        if found.st_size > _LIMIT_BYTES:
            raise SettingsError(f"{shown(str(path))} is too large to be edited.")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PathRefused(
            f"{shown(str(path))} cannot be read: {error.strerror}.",
            "Check its owner and its permissions.",
        ) from error


def require_writable(change: Change) -> None:
    """Refuse a file that the person, or the system, keeps from being written."""
    path = change.path
    folder = next(each for each in path.parents if each.exists())
    is_open = os.access(folder, os.W_OK | os.X_OK)
    if change.before is not None:
        # Not only by `access`: to root, everything is writable.
        is_open = is_open and bool(path.stat().st_mode & _WRITABLE)
        is_open = is_open and os.access(path, os.W_OK)
    if not is_open:
        raise PathRefused(
            f"{shown(str(path))} cannot be written; it is read-only.",
            "Make it writable, then run the command again. Nothing was changed.",
        )


def carry_out(change: Change) -> None:
    """Replace, create or remove a file, unless it changed since it was read."""
    folder, name = Tree(change.path.parent), PurePosixPath(change.path.name)
    try:
        if change.after is not None:
            usual_folder(change.path.parent)
            if _is_shared(change.path):
                _overwrite(change)
                return
            # Where it is new, it is as if the person had made it.
            folder = Tree(change.path.parent, new_mode=usual_mode())
            folder.replace(name, change.after, expected=change.before)
        elif change.before is not None:
            folder.remove(name, expected=change.before)
    except StaleWrite as error:
        raise StaleWrite(
            f"{shown(str(change.path))} was changed by another program just now.",
            "Run the command again.",
        ) from error


def _is_shared(path: Path) -> bool:
    """Say whether a file has another name, too, that a new one would not have."""
    try:
        return path.lstat().st_nlink > 1
    except FileNotFoundError:
        return False


def _overwrite(change: Change) -> None:
    """Write into the file itself; the ledger holds what was there before."""
    with disk_errors(change.path), change.path.open("r+b") as file:
        if file.read() != change.before:
            raise StaleWrite(f"{shown(str(change.path))} changed.")
        file.seek(0)
        file.write(change.after or b"")
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def aside(path: Path, data: bytes) -> Path:
    """Name a file beside another one in which a person's edit of it is kept."""
    names = itertools.chain(["kept"], (f"kept-{count}" for count in itertools.count(2)))
    beside = (path.with_name(f"{path.name}.{name}") for name in names)
    return next(each for each in beside if not _holds_else(each, data))


def _holds_else(path: Path, data: bytes) -> bool:
    is_there = os.path.lexists(path)
    return is_there and (not path.is_file() or path.read_bytes() != data)


def missing_folders(path: Path) -> tuple[Path, ...]:
    """Name the folders above a file that are not there yet, the outermost first."""
    return tuple(each for each in reversed(path.parents) if not each.exists())


def clear(folders: tuple[Path, ...]) -> None:
    """Remove folders that were made for gitmem and are empty again."""
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()


def differing(folder: Path, files: Mapping[PurePosixPath, bytes]) -> list[Path]:
    """Name the files of a folder of gitmem's own that are not as they should be."""
    wanted = {folder / name: data for name, data in files.items()}
    there = {path for path in folder.rglob("*") if not path.is_dir()}
    wrong = {path for path, data in wanted.items() if read(path) != data}
    return sorted(wrong | (there - wanted.keys()))


def sweep(folder: Path, known: Collection[bytes | None]) -> None:
    """Remove what a kill left behind; of whole files, only those that are known.

    The caller holds the lock, so nobody is at work on them.
    """
    for path in folder.iterdir() if folder.is_dir() else ():
        found = left_behind(path.name)
        # Whoever else writes here may have put anything under such a name.
        if found and stat.S_ISREG(path.lstat().st_mode):
            with contextlib.suppress(OSError, GitmemError):
                if not found[1] or read(path) in known:
                    path.unlink()


def lay_out(folder: Path, files: Mapping[PurePosixPath, bytes]) -> None:
    """Make a folder of gitmem's own hold exactly these files."""
    wanted = {folder / name: data for name, data in files.items()}
    for path in differing(folder, files):
        if path in wanted:
            private_folder(path.parent)
            _write(path, wanted[path])
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            with contextlib.suppress(OSError):
                path.rmdir()
        elif path not in wanted:
            path.unlink()


def remove(folder: Path) -> None:
    """Remove a folder of gitmem's own."""
    import shutil  # rarely needed

    with disk_errors(folder), contextlib.suppress(FileNotFoundError):
        shutil.rmtree(folder)


def _write(path: Path, data: bytes) -> None:
    is_program = data.startswith(b"#!")
    atomic.write(path, data, mode=0o700 if is_program else 0o600)
