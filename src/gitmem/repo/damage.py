"""Find objects that a power cut or a bad disk took, and put them aside."""

import hashlib
import re
import zlib
from pathlib import Path
from typing import Final

from gitmem.files.atomic import private_folder

_OID: Final = re.compile(r"(?!0{40})[0-9a-f]{40}")
FOLDER: Final = "gitmem-rescue/damaged"


def find(git_folder: Path) -> tuple[Path, ...]:
    """List loose objects that do not hold what they are named after."""
    return tuple(path for path in _loose(git_folder) if not _is_whole(path))


def put_aside(git_folder: Path) -> tuple[str, ...]:
    """Move damaged objects out of the way, and name them."""
    damaged = find(git_folder)
    for path in damaged:
        target = private_folder(git_folder / FOLDER) / f"{path.parent.name}{path.name}"
        path.replace(target)
    return tuple(f"{path.parent.name}{path.name}" for path in damaged)


def put_index_aside(git_folder: Path) -> None:
    """Move an index out that cannot be read."""
    (git_folder / "index").replace(private_folder(git_folder / FOLDER) / "index")


def commits_of_log(git_folder: Path, ref: str) -> tuple[str, ...]:
    """List where a ref has stood, the latest first, as its log remembers."""
    try:
        text = (git_folder / "logs" / ref).read_text("utf-8", "replace")
    except OSError:
        return ()
    named = [line.split(" ")[1] for line in text.splitlines() if line.count(" ") > 1]
    return tuple(dict.fromkeys(filter(_OID.fullmatch, reversed(named))))


def _loose(git_folder: Path) -> list[Path]:
    return sorted((git_folder / "objects").glob("[0-9a-f][0-9a-f]/" + "[0-9a-f]" * 38))


def _is_whole(path: Path) -> bool:
    try:
        data = zlib.decompress(path.read_bytes())
    except zlib.error:
        return False
    name = hashlib.sha1(data, usedforsecurity=False).hexdigest()
    return name == f"{path.parent.name}{path.name}"
