"""Name and read the small file that is kept of one session."""

import hashlib
import json
import os
from pathlib import Path, PurePosixPath
from typing import Any, Final

from gitmem.errors import NotFound, PathRefused
from gitmem.files.tree import Tree

LIMIT_BYTES: Final = 1024 * 1024

Look = tuple[int, int, int, int]


def file_name(host: str, session_id: str) -> str:
    """Name a file after an id that may hold anything, even half a character."""
    key = json.dumps([host, session_id]).encode("ascii")
    return f"{hashlib.sha256(key).hexdigest()}.json"


def read(folder: Path, name: str, *, below: str = "") -> dict[str, Any] | None:
    """Read what is kept; what cannot be understood counts as nothing."""
    try:
        path = PurePosixPath(below) / name
        found = json.loads(Tree(folder).read(path, limit_bytes=LIMIT_BYTES))
    except (NotFound, PathRefused, OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def look(path: Path) -> Look | None:
    """Tell a file from what it is after the next change; None where there is none."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
