"""Know what was done with files in the sessions of a project."""

import hashlib
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from gitmem.hosts import workfile
from gitmem.hosts.work import Read, Scan, scan

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.service.rooms import Rooms

# A start waits for so much at most; the rest is read at the next one.
PATIENCE_SECONDS: Final = 1.0


def reads(rooms: "Rooms", hours: int) -> dict[str, Read]:
    """Read what is new in the transcripts of a project, and keep what it comes to."""
    kept = _file(rooms)
    known = workfile.load(kept)
    ends = time.monotonic() + PATIENCE_SECONDS
    watching = rooms.watch.reading
    how = Scan(
        since=rooms.now() - timedelta(hours=hours),
        # A person who sees how far it is can wait.
        goes_on=lambda: watching is not None or time.monotonic() < ends,
        progress=watching or (lambda _done, _total: None),
    )
    found = scan(rooms.transcripts(), known, how)
    if found != known:
        workfile.save(kept, found)
    return found


def _file(rooms: "Rooms") -> "Path":
    project = str(rooms.project.root).encode("utf-8", "surrogateescape")
    name = hashlib.sha256(project).hexdigest()[:16]
    return rooms.cache / "work" / f"{name}.json"
