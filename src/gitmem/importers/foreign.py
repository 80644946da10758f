"""Read a foreign store with care: below its root, links not followed, all bounded."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem.errors import GitmemError, NotFound
from gitmem.files.names import shown
from gitmem.files.tree import DEFAULT_READ_LIMIT_BYTES, Tree
from gitmem.hosts.place import Where

DEEPEST: Final = 32
MOST_FILES: Final = 200_000
# What lies beside any store, and is nobody's memory.
_UNTOLD: Final = frozenset({".git", ".gitattributes", ".gitignore", ".DS_Store"})


# Folders that are called so in every home and project.
_COMMON: Final = frozenset(
    {"agent", "memories", "memory", "memory-auto", "memory-md", "pi-memory", "projects"}
)


@dataclass(frozen=True, slots=True)
class File:
    """A name in the store; `trouble` says why nothing is read there."""

    path: PurePosixPath
    size: int = 0
    day: str = ""
    trouble: str = ""
    is_too_large: bool = False


class Foreign:
    """A folder, or one file of it, that is read and never written."""

    def __init__(
        self, path: Path, *, file_limit_bytes: int, where: Where | None = None
    ) -> None:
        """Remember where the store is. Raises NotFound where there is nothing.

        `where` is the person's home, for a source that keeps its settings there.
        """
        try:
            real = path.resolve(strict=True)
        except (OSError, RuntimeError, ValueError) as error:
            message = f"There is nothing at {shown(str(path))}."
            raise NotFound(message, "Check the path.") from error
        self.root = real if real.is_dir() else real.parent
        self.only = None if real.is_dir() else real.name
        self.file_limit_bytes = file_limit_bytes
        self.where = where
        self._tree = Tree(self.root)

    @property
    def name(self) -> str:
        """Name the store by its folder, or by the next above that says whose it is."""
        parts = [part for part in self.root.parts[1:] if not _is_common(part)]
        return parts[-1] if parts else "store"

    def files(self, under: str = "") -> Iterator[File]:
        """List what is in the store, or in a folder of it, in order of the names."""
        if self.only is not None:
            yield self._described(PurePosixPath(self.only))
            return
        for count, found in enumerate(self._walk(PurePosixPath(under), 0)):
            if count >= MOST_FILES:
                yield File(found.path, trouble=f"there are more than {MOST_FILES:,}")
                return
            yield found

    def markdown(self, under: str = "") -> Iterator[tuple[File, bytes]]:
        """Read the Markdown files; what is none, or cannot be read, says why."""
        for file in self.files(under):
            yield self._text(file)

    def text(self, path: str | PurePosixPath) -> tuple[File, bytes]:
        """Read one Markdown file; what is none, or cannot be read, says why."""
        return self._text(self._described(PurePosixPath(path)))

    def read(
        self, path: str | PurePosixPath, limit_bytes: int = DEFAULT_READ_LIMIT_BYTES
    ) -> bytes | None:
        """Read a file of the store; None where there is none that can be read."""
        try:
            return self._tree.read(PurePosixPath(path), limit_bytes=limit_bytes)
        except (GitmemError, OSError, ValueError):
            return None

    def beside(self, path: str, limit_bytes: int) -> bytes | None:
        """Read a file next to the store: a fixed place, never one that it names."""
        tree = Tree(self.root.parent)
        try:
            return tree.read(PurePosixPath(path), limit_bytes=limit_bytes)
        except (GitmemError, OSError):
            return None

    def has(self, path: str) -> bool:
        """Say whether a file or a folder is there, and is no link."""
        try:
            mode = os.lstat(self.root / path).st_mode
        except (OSError, ValueError):
            return False
        return stat.S_ISREG(mode) or stat.S_ISDIR(mode)

    def names(self, under: str = "") -> tuple[str, ...]:
        """List the names in a folder of the store, in order."""
        try:
            return tuple(sorted(os.listdir(self.root / under)))
        except OSError:
            return ()

    def _walk(self, folder: PurePosixPath, depth: int) -> Iterator[File]:
        if depth > DEEPEST:
            yield File(folder, trouble=f"it lies more than {DEEPEST} folders deep")
            return
        try:
            names = sorted(os.listdir(self.root / folder))
        except OSError as error:
            yield File(folder, trouble=f"it cannot be listed: {error.strerror}")
            return
        for name in names:
            if name in _UNTOLD:
                continue
            path = folder / name
            if name.startswith("."):
                yield File(path, trouble="it is hidden")
            elif self._is_folder(path):
                yield from self._walk(path, depth + 1)
            else:
                yield self._described(path)

    def _is_folder(self, path: PurePosixPath) -> bool:
        try:
            return stat.S_ISDIR(os.lstat(self.root / path).st_mode)
        except OSError:
            return False

    def _described(self, path: PurePosixPath) -> File:
        try:
            found = os.lstat(self.root / path)
        except FileNotFoundError:
            return File(path, trouble="it is not there")
        except OSError as error:
            return File(path, trouble=f"it cannot be read: {error.strerror}")
        if stat.S_ISLNK(found.st_mode):
            return File(path, trouble="it is a link, and none is followed")
        if not stat.S_ISREG(found.st_mode):
            return File(path, trouble="it is not a regular file")
        return File(path, found.st_size, _day(found.st_mtime))

    def _text(self, file: File) -> tuple[File, bytes]:
        """Read one text, or say why not."""
        if not file.trouble and not file.path.name.lower().endswith(".md"):
            file = replace(file, trouble="it is not Markdown; it stays where it is")
        if not file.trouble and file.size > self.file_limit_bytes:
            said = f"it is larger than {self.file_limit_bytes:,} bytes"
            file = replace(file, trouble=said, is_too_large=True)
        if file.trouble:
            return file, b""
        data = self.read(file.path, self.file_limit_bytes)
        if data is None:
            return replace(file, trouble="it cannot be read"), b""
        if reason := untextual(data):
            return replace(file, trouble=reason), b""
        return file, data


def _is_common(name: str) -> bool:
    return name.startswith(".") or name in _COMMON


def untextual(data: bytes) -> str:
    """Say why bytes are no text, or nothing."""
    if b"\0" in data:
        return "it has a NUL byte; it is not text"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return f"line {line} is not UTF-8"
    return ""


def _day(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""
