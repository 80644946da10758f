"""Know the person from others, without asking Git at each turn, which waits for it.

What Git said is kept with how the files looked in which it read that.
"""

import contextlib
import json
import time
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import GitmemError
from gitmem.files.atomic import private_folder, write
from gitmem.files.tree import Tree
from gitmem.sync.author import NOBODY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gitmem.catalog.rows import Row
    from gitmem.service.rooms import Rooms

NAME: Final = "person"
# A file that none of the known ones named when it was not there yet is seen after that.
KEPT_SECONDS: Final = 3600.0
LIMIT_BYTES: Final = 1 << 16
_FORMAT: Final = 1


def origins_of(rooms: "Rooms", known: "Sequence[Row]") -> "Mapping[PurePosixPath, str]":
    """Name the other people who wrote memories; one person's machines are no others.

    A commit made where nobody had told Git a name is nobody's in particular.
    """
    emails = {row.author_email for row in known} - {""}
    own = email(rooms) if emails else None
    if own is None:
        return {}
    return {
        row.path: row.author
        for row in known
        if row.author_email not in {"", own} and not row.author_email.endswith(NOBODY)
    }


def email(rooms: "Rooms") -> str | None:
    """Say under which address the person commits; None where Git knows none."""
    kept = _kept(rooms)
    if kept is not None:
        return kept or None
    person, files = rooms.repository().person_from()
    found = person.email if person else ""
    looks = _looks([*files, *_usual(rooms)])
    record = {"format": _FORMAT, "at": time.time(), "email": found, "files": looks}
    with contextlib.suppress(GitmemError, OSError):  # or Git is asked again
        path = private_folder(rooms.state) / NAME
        write(path, json.dumps(record).encode("ascii"), durable=False)
    return found or None


def _kept(rooms: "Rooms") -> str | None:
    """Give what was kept, if it still holds."""
    useless = (GitmemError, OSError, ValueError, TypeError, KeyError, RecursionError)
    with contextlib.suppress(*useless):
        data = Tree(rooms.state).read(PurePosixPath(NAME), limit_bytes=LIMIT_BYTES)
        found: dict[str, Any] = json.loads(data)
        age, files, kept = time.time() - found["at"], found["files"], found["email"]
        is_current = found["format"] == _FORMAT and 0 <= age < KEPT_SECONDS
        if is_current and isinstance(kept, str) and files == _looks(files):
            return kept
    return None


def _usual(rooms: "Rooms") -> "Iterable[str]":
    """Name the files in which Git would look, if they were there."""
    own = rooms.root / ".git"
    home = rooms.home
    return map(
        str,
        (
            home / ".gitconfig",
            home / ".config" / "git" / "config",
            Path("/etc/gitconfig"),
            own / "config",
            own / "config.worktree",
        ),
    )


def _looks(files: "Iterable[str]") -> dict[str, list[int] | None]:
    """Tell each file from what it is after the next edit."""
    return {path: _look(path) for path in files}


def _look(path: str) -> list[int] | None:
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return [found.st_ino, found.st_size, found.st_mtime_ns]
