"""Read a settings file, whatever stands in its place, without waiting for it.

Imports only what the interpreter has loaded anyway: `gitmem path` asks here.
"""

import os
import stat

CONFIG_LIMIT_BYTES = 1 << 20
PROJECT_LIMIT_BYTES = 64 * 1024
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


def read_config(path: str) -> tuple[bytes | None, str]:
    """Read the person's file: its bytes (None: there is none), and what is wrong.

    A symbolic link is followed: people keep their settings with their dotfiles.
    """
    return _read(path, _FLAGS, CONFIG_LIMIT_BYTES, is_strange=False)


def read_project(path: str) -> tuple[bytes | None, str]:
    """Read a project's file, which a stranger may have put there."""
    return _read(path, _FLAGS | os.O_NOFOLLOW, PROJECT_LIMIT_BYTES, is_strange=True)


def read_private(path: str, limit_bytes: int) -> bytes | None:
    """Read a file that nobody but this user can have written, or nothing."""
    flags = _FLAGS | os.O_NOFOLLOW
    data, trouble = _read(path, flags, limit_bytes, is_strange=True, open_to=0o077)
    return None if trouble else data


def _read(
    path: str, flags: int, limit_bytes: int, *, is_strange: bool, open_to: int = 0
) -> tuple[bytes | None, str]:
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        return None, ""
    except (OSError, ValueError) as error:
        if flags & os.O_NOFOLLOW and os.path.islink(path):
            return None, "it is a symbolic link"
        return None, f"it cannot be read: {getattr(error, 'strerror', None) or error}"
    try:
        found = os.fstat(descriptor)
        trouble = _trouble(found, limit_bytes, is_strange=is_strange)
        trouble = trouble or ("others may change it" if found.st_mode & open_to else "")
        return (None, trouble) if trouble else _bytes(descriptor, limit_bytes)
    except OSError as error:
        return None, f"it cannot be read: {error.strerror}"
    finally:
        os.close(descriptor)


def _trouble(found: os.stat_result, limit_bytes: int, *, is_strange: bool) -> str:
    if not stat.S_ISREG(found.st_mode):
        return "it is not a regular file"
    if is_strange and found.st_uid != os.geteuid():
        return "it belongs to another user"
    if found.st_size > limit_bytes:
        return _too_large(limit_bytes)
    return ""


def _bytes(descriptor: int, limit_bytes: int) -> tuple[bytes | None, str]:
    data = b""
    while chunk := os.read(descriptor, limit_bytes + 1 - len(data)):
        data += chunk
        if len(data) > limit_bytes:
            return None, _too_large(limit_bytes)
    return data, ""


def _too_large(limit_bytes: int) -> str:
    return f"it is larger than {limit_bytes // 1024} KiB"
