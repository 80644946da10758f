"""Look at the files of a memory repository: which there are, and what they hold.

Folders are entered by descriptor and without following links, one open at a time for
each level, so that neither a link nor a low limit of open files gets in the way.
"""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from gitmem.memory.layout import SUFFIX, is_layer_name

DEPTH_LIMIT: Final = 64
READ_LIMIT_BYTES: Final = 4_000_000
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# A link, or nothing, where a file was; every other error only hides it.
_ABSENT: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO})
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Seen:
    """A memory file as the file system describes it."""

    path: str
    size: int
    modified_ns: int
    touched_ns: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file or folder that could not be looked into, and the system's reason."""

    path: str
    reason: str


@dataclass(slots=True)
class Walk:
    """All that was found below a folder."""

    seen: list[Seen] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)


def walk(root: Path, below: str = "") -> Walk:
    """Find every memory below a folder of the root."""
    found = Walk()
    try:
        descriptor = _enter(root, below)
    except OSError as error:
        found.unreadable.append(Unreadable(below, error.strerror or str(error)))
        return found
    try:
        _walk(descriptor, f"{below}/" if below else "", 0, found)
    finally:
        os.close(descriptor)
    return found


class Reader:
    """Reads files below a root; neighbours share one open folder."""

    def __init__(self, root: Path) -> None:
        """Remember the root."""
        self._root = root
        self._folder: str | None = None
        self._descriptor = -1

    def __enter__(self) -> Self:
        """Enter."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the folder that is open."""
        self._leave()

    def look(self, path: str) -> Seen | None:
        """Describe a file; None when no regular file is there. Raises OSError."""
        folder, _, name = path.rpartition("/")
        try:
            self._open(folder)
            found = os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)
        except OSError as error:
            if error.errno in _ABSENT:
                return None
            raise
        return seen(path, found) if stat.S_ISREG(found.st_mode) else None

    def read(self, path: str) -> tuple[Seen, bytes] | None:
        """Read a file, at most READ_LIMIT_BYTES of it. Raises OSError."""
        folder, _, name = path.rpartition("/")
        try:
            self._open(folder)
            descriptor = os.open(name, _FILE, dir_fd=self._descriptor)
        except OSError as error:
            if error.errno in _ABSENT:
                return None
            raise
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                return None
            return seen(path, found), _read(descriptor, found.st_size)
        finally:
            os.close(descriptor)

    def _open(self, folder: str) -> None:
        if folder != self._folder:
            self._leave()
            self._descriptor = _enter(self._root, folder)
            self._folder = folder

    def _leave(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor, self._folder = -1, None


def seen(path: str, found: os.stat_result) -> Seen:
    """Make a fingerprint that any later write changes."""
    # The change time as well: a tool may put the modification time back.
    return Seen(
        path=path,
        size=found.st_size,
        modified_ns=found.st_mtime_ns,
        touched_ns=max(found.st_mtime_ns, found.st_ctime_ns),
        fingerprint=(
            f"{found.st_size}.{found.st_mtime_ns}.{found.st_ctime_ns}.{found.st_ino}"
        ),
    )


def _enter(root: Path, folder: str) -> int:
    """Open a folder, each component without following a link."""
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    for part in filter(None, folder.split("/")):
        try:
            inner = os.open(part, _FOLDER, dir_fd=descriptor)
        finally:
            os.close(descriptor)
        descriptor = inner
    return descriptor


def _walk(descriptor: int, prefix: str, depth: int, found: Walk) -> None:
    folders = []
    try:
        for entry in _sorted(descriptor):
            if not is_layer_name(entry.name) if not prefix else entry.name[0] == ".":
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
            elif prefix and entry.name.lower().endswith(SUFFIX):
                _note(prefix + entry.name, descriptor, entry, found)
    except OSError as error:
        reason = error.strerror or str(error)
        found.unreadable.append(Unreadable(prefix.rstrip("/"), reason))
    for name in folders:
        _descend(descriptor, name, prefix, depth, found)


def _sorted(descriptor: int) -> Iterator[os.DirEntry[str]]:
    with os.scandir(descriptor) as entries:
        yield from sorted(entries, key=lambda entry: entry.name)


def _descend(descriptor: int, name: str, prefix: str, depth: int, found: Walk) -> None:
    if depth >= DEPTH_LIMIT:
        found.unreadable.append(Unreadable(prefix + name, "it lies too deep"))
        return
    try:
        inner = os.open(name, _FOLDER, dir_fd=descriptor)
    except OSError as error:
        reason = error.strerror or str(error)
        found.unreadable.append(Unreadable(prefix + name, reason))
        return
    try:
        _walk(inner, f"{prefix}{name}/", depth + 1, found)
    finally:
        os.close(inner)


def _note(path: str, descriptor: int, entry: os.DirEntry[str], found: Walk) -> None:
    if not entry.is_file(follow_symlinks=False):
        return
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        shown = path.encode("utf-8", "backslashreplace").decode("utf-8")
        found.unreadable.append(Unreadable(shown, "its name is not UTF-8"))
        return
    with contextlib.suppress(FileNotFoundError):
        at = os.stat(entry.name, dir_fd=descriptor, follow_symlinks=False)
        found.seen.append(seen(path, at))


def _read(descriptor: int, size: int) -> bytes:
    data = os.read(descriptor, min(size + 1, READ_LIMIT_BYTES))
    if len(data) in {0, size}:
        return data
    chunks = [data]
    left = READ_LIMIT_BYTES - len(data)
    while left > 0 and (chunk := os.read(descriptor, min(left, 1 << 20))):
        chunks.append(chunk)
        left -= len(chunk)
    return b"".join(chunks)
