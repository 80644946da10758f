"""Know what was done with files in the sessions of a project."""

import hashlib
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from gitmem.hosts import workfile
from gitmem.hosts.transcripts import root_of
from gitmem.hosts.work import Read, Scan, scan
from gitmem.sessions import roots

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.service.rooms import Rooms

# A start waits for so much at most; the rest is read at the next one.
PATIENCE_SECONDS: Final = 1.0


def reads(rooms: "Rooms", hours: int) -> dict[str, Read]:
    """Read what is new in the transcripts of a project, and keep what it comes to."""
    note_roots(rooms)
    kept = _file(rooms)
    known = workfile.load(kept)
    ends = time.monotonic() + PATIENCE_SECONDS
    how = Scan(
        since=rooms.now() - timedelta(hours=hours),
        goes_on=lambda: time.monotonic() < ends,
    )
    found = scan(rooms.transcripts(), known, how)
    if found != known:
        workfile.save(kept, found)
    return found


def note_roots(rooms: "Rooms") -> None:
    """Remember where the sessions at work have their transcripts."""
    for session in rooms.sessions().live():
        if session.transcript:
            root = root_of(session.host, session.transcript)
            roots.note(rooms.sessions().folder, session.host, root)


def _file(rooms: "Rooms") -> "Path":
    project = str(rooms.project.root).encode("utf-8", "surrogateescape")
    name = hashlib.sha256(project).hexdigest()[:16]
    return rooms.cache / "work" / f"{name}.json"
