"""Read the end of a file that may be of any size."""

import os
import stat
from pathlib import PurePosixPath
from typing import Final

from gitmem.files.tree import Tree, not_plain

_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def tail(tree: Tree, path: PurePosixPath, limit_bytes: int) -> bytes:
    """Give the whole lines in the last bytes of a plain file, so many at most."""
    with tree.parent(path) as folder:
        descriptor = os.open(path.name, _FLAGS, dir_fd=folder)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise not_plain(path)
        start = max(0, found.st_size - limit_bytes)
        data = os.pread(descriptor, limit_bytes, start)
    finally:
        os.close(descriptor)
    return data.partition(b"\n")[2] if start else data
