"""Read and write below one folder, by relative path, without following links.

Paths are opened one component at a time below a folder descriptor with `O_NOFOLLOW`,
so a link put in the way between a check and a use leads nowhere.
"""

import contextlib
import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem.errors import HeldOpen, NotFound, PathRefused, StaleWrite
from gitmem.files.atomic import (
    PRIVATE_FILE,
    PRIVATE_FOLDER,
    TEMPORARY_PREFIX,
    aside_name,
    disk_errors,
    write_temporary,
)
from gitmem.files.names import shown
from gitmem.files.writers import is_being_written

DEFAULT_READ_LIMIT_BYTES: Final = 64 * 1024 * 1024
_FOLDER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_RENAME_EXCHANGE: Final = 2
_ATTEMPTS: Final = 10
_CHUNK_BYTES: Final = 1 << 20


class Tree:
    """A folder below which files are read and written by relative path.

    Every method raises PathRefused when a component is a link or not a folder, and
    NotFound when there is nothing at the path.
    """

    def __init__(self, root: Path, *, new_mode: int = PRIVATE_FILE) -> None:
        """Remember the root; nothing is opened yet."""
        self.root = root
        self._new_mode = new_mode

    def read(
        self, path: PurePosixPath, *, limit_bytes: int = DEFAULT_READ_LIMIT_BYTES
    ) -> bytes:
        """Read a regular file, at most `limit_bytes` of it."""
        with self._file(path) as descriptor:
            chunks: list[bytes] = []
            left = limit_bytes
            while left > 0 and (chunk := os.read(descriptor, min(left, _CHUNK_BYTES))):
                chunks.append(chunk)
                left -= len(chunk)
            return b"".join(chunks)

    def stat(self, path: PurePosixPath) -> os.stat_result:
        """Describe a regular file without following links."""
        with self._file(path) as descriptor:
            return os.fstat(descriptor)

    def find(self, path: PurePosixPath) -> bytes | None:
        """Read a regular file; None if there is nothing at the path."""
        try:
            return self.read(path)
        except NotFound:
            return None

    def exists(self, path: PurePosixPath) -> bool:
        """Say whether anything, of whatever kind, stands at the path."""
        try:
            with self.parent(path) as folder:
                os.stat(path.name, dir_fd=folder, follow_symlinks=False)
        except (NotFound, FileNotFoundError):
            return False
        return True

    def replace(
        self,
        path: PurePosixPath,
        data: bytes,
        *,
        expected: bytes | None,
        durable: bool = True,
    ) -> None:
        """Write `data` if the file still holds `expected` (None: if there is none).

        Raises StaleWrite, having changed nothing, when somebody else was faster, and
        its kind HeldOpen when somebody has the file open and may yet write to it. The
        old and the new file change places in one step, so that a write which lands
        between the comparison and the exchange is seen and put back.
        """
        for _ in range(_ATTEMPTS):
            # Another process may remove the folder, as empty, before it is used.
            with contextlib.suppress(FileNotFoundError):
                return self._replace(path, data, expected, durable=durable)
        raise _stale(path)

    def remove(self, path: PurePosixPath, *, expected: bytes) -> None:
        """Delete the file if it still holds `expected`, and folders left empty.

        Raises StaleWrite or HeldOpen, having changed nothing, as `replace` does.
        """
        with disk_errors(self.root / path), self.parent(path) as folder:
            _take_turns(folder)
            if _read_plain(folder, path.name) != expected:
                raise _stale(path)
            aside = aside_name(path.name)
            try:
                os.rename(path.name, aside, src_dir_fd=folder, dst_dir_fd=folder)
            except FileNotFoundError:
                raise _stale(path) from None
            if refusal := _unsettled(folder, aside, expected, path):
                _put_back(folder, aside, path)
                raise refusal
            os.unlink(aside, dir_fd=folder)
        self._prune(path.parent)

    def rename(self, path: PurePosixPath, name: str) -> None:
        """Give a file a name that is free in its folder; who writes to it goes on."""
        with disk_errors(self.root / path), self.parent(path) as folder:
            if self.exists(path.with_name(name)):
                raise _stale(path.with_name(name))
            try:
                os.rename(path.name, name, src_dir_fd=folder, dst_dir_fd=folder)
            except FileNotFoundError:
                raise _stale(path) from None

    def clear_empty(self, path: PurePosixPath) -> bool:
        """Remove a folder without a file in it; False where something else stands."""
        try:
            with self.parent(path) as folder:
                _remove_empty(folder, path.name)
        except (OSError, NotFound, PathRefused):
            return False
        return True

    def walk(self) -> Iterator[PurePosixPath]:
        """Yield every regular file below the root, links and `.git` left out."""
        for folder, names, files in os.walk(self.root, followlinks=False):
            names[:] = sorted(name for name in names if name != ".git")
            for name in sorted(files):
                full = Path(folder, name)
                if _is_plain(full) and not name.startswith(TEMPORARY_PREFIX):
                    yield PurePosixPath(full.relative_to(self.root).as_posix())

    def _replace(
        self, path: PurePosixPath, data: bytes, expected: bytes | None, *, durable: bool
    ) -> None:
        with disk_errors(self.root / path), self.parent(path, create=True) as folder:
            _take_turns(folder)
            mode = _mode_of(folder, path, self._new_mode)
            temporary = write_temporary(folder, data, mode=mode, durable=durable)
            try:
                if expected is None:
                    _create(folder, temporary, path)
                else:
                    temporary = _complete(folder, temporary, path)
                    _exchange(folder, temporary, path, expected, data)
            finally:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(temporary, dir_fd=folder)
            if durable:
                os.fsync(folder)

    @contextlib.contextmanager
    def parent(self, path: PurePosixPath, *, create: bool = False) -> Iterator[int]:
        """Open the folder that holds, or is to hold, what is named by the path."""
        try:
            descriptor = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise _explained(error, path) from error
        try:
            for part in path.parent.parts:
                inner = _enter(descriptor, part, path, create=create)
                os.close(descriptor)
                descriptor = inner
            yield descriptor
        finally:
            os.close(descriptor)

    @contextlib.contextmanager
    def _file(self, path: PurePosixPath) -> Iterator[int]:
        with self.parent(path) as folder:
            # O_NONBLOCK: a FIFO in the way must not hold us up.
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            try:
                descriptor = os.open(path.name, flags, dir_fd=folder)
            except OSError as error:
                raise _explained(error, path) from error
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise not_plain(path)
            yield descriptor
        finally:
            os.close(descriptor)

    def _prune(self, folder: PurePosixPath) -> None:
        """Remove a folder that became empty, then its parents; Git keeps none."""
        while folder.parts:
            try:
                with self.parent(folder) as above:
                    os.rmdir(folder.name, dir_fd=above)
            except (OSError, NotFound, PathRefused):
                return
            folder = folder.parent


def _enter(folder: int, part: str, path: PurePosixPath, *, create: bool) -> int:
    if create:
        with contextlib.suppress(FileExistsError):
            os.mkdir(part, PRIVATE_FOLDER, dir_fd=folder)
    try:
        return os.open(part, _FOLDER_FLAGS, dir_fd=folder)
    except OSError as error:
        if create and error.errno == errno.ENOENT:
            raise
        raise _explained(error, path) from error


def _remove_empty(folder: int, name: str) -> None:
    descriptor = os.open(name, _FOLDER_FLAGS, dir_fd=folder)
    try:
        for inner in os.listdir(descriptor):
            _remove_empty(descriptor, inner)
    finally:
        os.close(descriptor)
    os.rmdir(name, dir_fd=folder)


def _take_turns(folder: int) -> None:
    """Let one gitmem at a time replace files in a folder, until it is closed.

    Two exchanges that cross could each undo the other. A network file system may have
    no such lock; then only the comparison is left.
    """
    with contextlib.suppress(OSError):
        fcntl.flock(folder, fcntl.LOCK_EX)


def _mode_of(folder: int, path: PurePosixPath, new_mode: int) -> int:
    try:
        found = os.stat(path.name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return new_mode
    if not stat.S_ISREG(found.st_mode):
        raise not_plain(path)
    return stat.S_IMODE(found.st_mode)


def _is_plain(path: Path) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return stat.S_ISREG(path.lstat().st_mode)
    return False


def _create(folder: int, temporary: str, path: PurePosixPath) -> None:
    try:
        os.link(temporary, path.name, src_dir_fd=folder, dst_dir_fd=folder)
    except FileExistsError:
        raise _stale(path) from None


def _complete(folder: int, temporary: str, path: PurePosixPath) -> str:
    """Tell by its name that a file is whole, and may soon be another's only copy."""
    aside = aside_name(path.name)
    os.rename(temporary, aside, src_dir_fd=folder, dst_dir_fd=folder)
    return aside


def _exchange(
    folder: int, temporary: str, path: PurePosixPath, expected: bytes, data: bytes
) -> None:
    if _read_plain(folder, path.name) != expected:
        raise _stale(path)
    try:
        is_swapped = _swap(folder, temporary, path.name)
    except FileNotFoundError:
        raise _stale(path) from None
    if not is_swapped:
        os.rename(temporary, path.name, src_dir_fd=folder, dst_dir_fd=folder)
    elif refusal := _unsettled(folder, temporary, expected, path):
        _undo(folder, temporary, path, data)
        raise refusal


def _undo(folder: int, temporary: str, path: PurePosixPath, data: bytes) -> None:
    """Exchange back, and keep what was written between the two exchanges."""
    with contextlib.suppress(FileNotFoundError):
        _swap(folder, temporary, path.name)
        if not _unsettled(folder, temporary, data, path):
            return
    _put_back(folder, temporary, path)


def _swap(folder: int, first: str, second: str) -> bool:
    """Let two names change places; False where the system cannot do that."""
    import ctypes  # for writers: 4 ms

    library = ctypes.CDLL(None, use_errno=True)
    exchange = getattr(library, "renameat2", None) or getattr(
        library, "renameatx_np", None
    )
    if exchange is None:
        return False
    done: int = exchange(
        folder, os.fsencode(first), folder, os.fsencode(second), _RENAME_EXCHANGE
    )
    if done == 0:
        return True
    number = ctypes.get_errno()
    if number in {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}:
        return False
    raise OSError(number, os.strerror(number), second)


def _read_plain(folder: int, name: str) -> bytes | None:
    """Read a regular file below an open folder; None for anything else."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(name, flags, dir_fd=folder)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return b"".join(iter(lambda: os.read(descriptor, _CHUNK_BYTES), b""))
    finally:
        os.close(descriptor)


def _unsettled(
    folder: int, name: str, expected: bytes, path: PurePosixPath
) -> StaleWrite | None:
    """Say why a file that was taken from its place may not hold these bytes for good.

    Who opened it before may still write to it, and nobody would see that again.
    """
    is_open = is_being_written(folder, name)
    if _read_plain(folder, name) != expected:
        return _stale(path)
    return _held_open(path) if is_open else None


def _put_back(folder: int, aside: str, path: PurePosixPath) -> None:
    """Restore a file taken aside, unless a newer one already stands there."""
    try:
        os.link(
            aside,
            path.name,
            src_dir_fd=folder,
            dst_dir_fd=folder,
            follow_symlinks=False,
        )
    except FileExistsError:
        kept = f"{path.stem}.conflict-{os.urandom(4).hex()}{path.suffix}"
        os.rename(aside, kept, src_dir_fd=folder, dst_dir_fd=folder)
    else:
        os.unlink(aside, dir_fd=folder)


def _explained(error: OSError, path: PurePosixPath) -> Exception:
    name = shown(str(path))
    if error.errno in {errno.ELOOP, errno.ENOTDIR, errno.EMLINK}:
        return PathRefused(
            f"{name} passes through a link or a file.",
            "gitmem follows no links inside the memory repository.",
        )
    if error.errno == errno.ENOENT:
        return NotFound(f"{name} does not exist in the memory repository.")
    if error.errno in {errno.EACCES, errno.EPERM}:
        return PathRefused(
            f"{name} cannot be read: {error.strerror}.",
            "Check the owner and the permissions of the file.",
        )
    return error


def not_plain(path: PurePosixPath) -> PathRefused:
    """Say that something else than a file stands at a path."""
    return PathRefused(
        f"{shown(str(path))} is not a regular file.",
        "Only plain files can be memories.",
    )


def _stale(path: PurePosixPath) -> StaleWrite:
    return StaleWrite(
        f"{shown(str(path))} changed since it was read.",
        "Read it again, and repeat the change on what it holds now.",
    )


def _held_open(path: PurePosixPath) -> HeldOpen:
    return HeldOpen(
        f"{shown(str(path))} is open in another program, which may still write to it.",
        "Close it there, and run the command again.",
    )
