"""Lead from the session before to the first prompt of the next one, once.

A hook asks here: imports no more than a turn needs.
"""

import contextlib
import json
import os
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gitmem.errors import GitmemError
from gitmem.files.atomic import private_folder, write
from gitmem.sessions import names

if TYPE_CHECKING:
    from gitmem.attention.bridged import Bridged
    from gitmem.hosts.entry import Session
    from gitmem.hosts.transcripts import Transcripts
    from gitmem.service.answers import Visit
    from gitmem.service.rooms import Rooms

ACTION: Final = "session_bridge"
GAP: Final = timedelta(seconds=60)
# A host writes on for a moment after the last entry.
SLACK: Final = timedelta(seconds=60)
# These begin another conversation, or go on with one that was left.
REASONS: Final = frozenset({"startup", "new", "clear", "resume", "fork"})
LOOKED_AT: Final = 10
_FOLDER: Final = "bridges"


def prepare(rooms: "Rooms", visit: "Visit") -> None:
    """Note which session was left a moment ago for the one that begins."""
    is_wanted = ACTION in rooms.loaded.settings.hooks.before_agent_start
    if not (is_wanted and visit.id and visit.reason in REASONS):
        return
    with contextlib.suppress(GitmemError, OSError):
        if not rooms.tape().is_open:
            return
        left = _left(rooms, visit)
        if left is not None:
            said = {"host": left.host, "session": left.id}
            path = _file(rooms, visit)
            private_folder(path.parent)
            write(path, json.dumps(said).encode("ascii"))


def take(rooms: "Rooms", visit: "Visit", prompt: str) -> "tuple[Bridged, ...]":
    """Give what of the session before answers to a prompt; only the first asks."""
    if ACTION not in rooms.loaded.settings.hooks.before_agent_start:
        return ()
    if not prompt.strip():
        return ()
    path = _file(rooms, visit)
    found = names.read(path.parent, path.name)
    with contextlib.suppress(OSError):
        path.unlink()
    if found is None:
        return ()
    with contextlib.suppress(GitmemError, OSError):
        if rooms.tape().is_open:
            return _picked(rooms, visit, found, prompt)
    return ()


def _picked(
    rooms: "Rooms", visit: "Visit", found: dict[str, str], prompt: str
) -> "tuple[Bridged, ...]":
    from gitmem.attention import bridge  # rare: one prompt of a session

    transcripts = rooms.transcripts()
    left = transcripts.session(str(found.get("host")), str(found.get("session")))
    if left is None:
        return ()
    messages = bridge.said(transcripts.entries(left), _own(transcripts, visit))
    anchors = bridge.anchored(rooms.tape().recent(), left.id)
    return bridge.pick(prompt, messages, anchors)


def _own(transcripts: "Transcripts", visit: "Visit") -> frozenset[str]:
    """Name the entries that the session has itself: a fork begins with a copy."""
    own = transcripts.session(visit.host, visit.id)
    entries = transcripts.entries(own) if own else ()
    return frozenset(each.id for each in entries)


def _left(rooms: "Rooms", visit: "Visit") -> "Session | None":
    transcripts, now = rooms.transcripts(), rooms.now()
    since = (now - GAP - SLACK).timestamp() * 1e9
    recent = (file for file in transcripts.files() if file.changed_ns >= since)
    for _, file in zip(range(LOOKED_AT), recent, strict=False):
        session = transcripts.opened(file)
        if session is None or session.is_part or _is_own(session, visit):
            continue
        last = transcripts.last_entry(session.host, session.id, session.path)
        if last is not None and now - last.at <= GAP:
            return session
    return None


def _is_own(session: "Session", visit: "Visit") -> bool:
    return (session.host, session.id) == (visit.host, visit.id)


def _file(rooms: "Rooms", visit: "Visit") -> Path:
    folder = rooms.sessions().folder / _FOLDER
    return Path(os.path.join(folder, names.file_name(visit.host, visit.id)))
