"""Write a file as a whole or not at all, and turn the disk's answers into errors."""

import contextlib
import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from gitmem.errors import Corrupt, DiskFull, PathRefused
from gitmem.files.names import shown

TEMPORARY_PREFIX: Final = ".gitmem-tmp-"
PRIVATE_FOLDER: Final = 0o700
PRIVATE_FILE: Final = 0o600
_USUAL_FOLDER: Final = 0o777
_OTHERS_WRITE: Final = 0o022
_KEPT_NAME_BYTES: Final = 200
_TEMPORARY: Final = re.compile(
    rf"{re.escape(TEMPORARY_PREFIX)}(?P<pid>\d+)-[^-]+(?:-(?P<kept>.+))?", re.DOTALL
)


def usual_mode() -> int:
    """Give the mode of a file that is new among a person's own: what the umask leaves.

    The umask can only be read by setting it, so this is for a process with one thread.
    """
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def private_folder(path: Path) -> Path:
    """Create a folder that only its owner can enter, and its parents.

    Raises PathRefused where no folder can be made.
    """
    return _folder(path, PRIVATE_FOLDER)


def usual_folder(path: Path) -> Path:
    """Create a folder among a person's own, and its parents, as the umask has it.

    Raises PathRefused where no folder can be made.
    """
    return _folder(path, _USUAL_FOLDER)


def _folder(path: Path, mode: int) -> Path:
    if path.is_dir():
        return path
    for folder in reversed([path, *path.parents]):
        try:
            with disk_errors(folder):
                # Not `parents=True`, which would leave those to the umask.
                folder.mkdir(mode=mode, exist_ok=True)
        except (FileExistsError, NotADirectoryError, FileNotFoundError) as error:
            raise PathRefused(
                f"{shown(str(folder))} cannot be made: {error.strerror}.",
                "Look at what lies there; gitmem needs a folder in that place.",
            ) from error
    return path


def own_folder(path: Path) -> Path:
    """Create one of gitmem's own folders, or refuse one that others could change.

    Raises PathRefused: what lies there could have been put there for us to believe.
    """
    with disk_errors(path):
        found = private_folder(path).stat()
    if found.st_uid != os.geteuid():
        raise PathRefused(
            f"{shown(str(path))} belongs to another user.",
            "Remove it, or let GITMEM_HOME name a folder of your own.",
        )
    if found.st_mode & _OTHERS_WRITE:
        raise PathRefused(
            f"{shown(str(path))} can be changed by other users.",
            f"Look at what lies there, then: chmod -R go-w {shown(str(path))}",
        )
    return path


def write(
    path: Path, data: bytes, *, mode: int = PRIVATE_FILE, durable: bool = True
) -> None:
    """Replace one of gitmem's own files as a whole, or not at all.

    What is not durable may be found empty after a loss of power.
    """
    with disk_errors(path):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            temporary = write_temporary(folder, data, mode=mode, durable=durable)
            try:
                os.rename(temporary, path.name, src_dir_fd=folder, dst_dir_fd=folder)
            except OSError:
                os.unlink(temporary, dir_fd=folder)
                raise
            if durable:
                os.fsync(folder)
        finally:
            os.close(folder)


def write_temporary(
    folder: int, data: bytes, *, mode: int, durable: bool = True
) -> str:
    """Create a new file in an open folder, and say its name."""
    name = temporary_name()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, flags, mode, dir_fd=folder)
    try:
        os.fchmod(descriptor, mode)  # the umask would take from what was there
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        if durable:
            os.fsync(descriptor)
    except OSError:
        os.unlink(name, dir_fd=folder)
        raise
    finally:
        os.close(descriptor)
    return name


def temporary_name() -> str:
    """Make a name that no memory has."""
    return f"{temporary_prefix()}{os.urandom(6).hex()}"


def temporary_prefix() -> str:
    """Begin a name so that it can be told later whether its maker is gone."""
    return f"{TEMPORARY_PREFIX}{os.getpid()}-"


def aside_name(name: str) -> str:
    """Make such a name for a whole file that may be needed again as `name`.

    A kill can leave it behind, and with it what somebody wrote in that moment.
    """
    kept = os.fsencode(name)[-_KEPT_NAME_BYTES:].decode("utf-8", "ignore")
    return f"{temporary_name()}-{kept}"


def left_behind(name: str) -> tuple[int, str] | None:
    """Read a temporary name: who made it, and which file it may be needed as.

    The second is empty where nobody will need it; None for any other name.
    """
    found = _TEMPORARY.fullmatch(name)
    return (int(found["pid"]), found["kept"] or "") if found else None


@contextlib.contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Say what a failed write to `path` means for a person."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
            raise DiskFull(
                f"There is no room to write {shown(str(path))}.",
                "Free some space; what was there before is unchanged.",
            ) from error
        if error.errno == errno.EROFS:
            raise PathRefused(
                f"{shown(str(path))} cannot be written: {error.strerror}.",
                "Mount its disk so that it can be written, or keep gitmem's folders "
                "on another one.",
            ) from error
        if error.errno in {errno.EACCES, errno.EPERM}:
            raise PathRefused(
                f"{shown(str(path))} cannot be written: {error.strerror}.",
                "Check the owner and the permissions of its folder.",
            ) from error
        if error.errno == errno.EIO:
            raise Corrupt(
                f"The disk failed at {shown(str(path))}: {error.strerror}.",
                "Look at the disk, and run `gitmem sync` again; nothing was lost.",
            ) from error
        raise
