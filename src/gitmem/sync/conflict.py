"""Keep the other side of a conflict beside the file, under the same name everywhere."""

import hashlib
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final

from gitmem.memory import conflicts
from gitmem.memory.frontmatter.edit import edit

SHORT_HASH: Final = 8


def copy_path(path: PurePosixPath, data: bytes) -> PurePosixPath:
    """Name the conflict copy of `path` that holds `data`."""
    return conflicts.copy_of(path, hashlib.sha256(data).hexdigest()[:SHORT_HASH])


def unoccupied(
    path: PurePosixPath, data: bytes, is_taken: Callable[[PurePosixPath], bool]
) -> PurePosixPath:
    """Give a copy another name where somebody has written on the copy of that name."""
    while is_taken(path):
        path = copy_path(path, data)
        data += b"\n"
    return path


def copy_of(path: PurePosixPath, data: bytes) -> bytes:
    """Render the conflict copy: the other side's bytes, and what they conflict with."""
    if path.suffix != ".md":
        return data
    return edit(data, {"conflict_of": str(path)})
