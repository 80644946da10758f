"""Learn from what a session reads: a cue that led to it was worth telling."""

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from gitmem.errors import GitmemError
from gitmem.service import claiming

if TYPE_CHECKING:
    from gitmem.service.rooms import Rooms
    from gitmem.sessions.ledger import Told

# Of a long transcript only the end is read, which takes a moment and no more.
TAIL_BYTES: Final = 4 * 1024 * 1024


def note(rooms: "Rooms", found: Mapping[str, str]) -> None:
    """Note what whoever calls has read, by path and hash; reading never fails by it."""
    with suppress(GitmemError, OSError):
        caller = claiming.caller(rooms)
        if caller and caller[1]:
            opened(rooms, *caller, found)


def learn(rooms: "Rooms", host: str, session: str, transcript: str) -> None:
    """Note what a session that ends has opened with its host's own tools."""
    with suppress(GitmemError, OSError):
        cued = _cued(rooms.ledger().read(host, session))
        if cued and transcript:
            places = {f"{rooms.root}/{path}": path for path in cued}
            named = _named(host, session, transcript, tuple(places))
            opened(rooms, host, session, {places[n]: cued[places[n]] for n in named})


def opened(
    rooms: "Rooms", host: str, session: str, found: Mapping[str, str]
) -> tuple[str, ...]:
    """Note what a session has read, and count what it was told of before, once."""
    cued = {
        path: found[path]
        for path in _cued(rooms.ledger().read(host, session))
        if path in found
    }
    if not cued:
        return ()
    from gitmem.catalog import reads  # only after a cue

    rooms.ledger().change(host, session, lambda now: now.with_given(cued))
    today = rooms.now().astimezone().date()
    with rooms.catalog() as catalog:
        for path in cued:
            reads.note(catalog, path, today)
    return tuple(cued)


def _cued(told: "Told") -> dict[str, str]:
    """Give what a session was told of and has not read, by path and hash."""
    return {
        path: content
        for path, content in told.named.items()
        if not path.startswith("#") and not told.knows(path, content)
    }


def _named(
    host: str, session: str, transcript: str, places: tuple[str, ...]
) -> set[str]:
    """Find which of these places the calls of tools in a transcript name."""
    from gitmem.hosts.entry import EPOCH, Session
    from gitmem.hosts.lines import Place
    from gitmem.hosts.transcripts import follow, root_of

    if not root_of(host, transcript):
        return set()
    start = max(0, os.lstat(transcript).st_size - TAIL_BYTES)
    own = Session(host, session, transcript, "", EPOCH)
    calls = (
        " ".join(map(str, call.arguments.values()))
        for followed in follow(own, Place(start))
        if followed.entry
        for call in followed.entry.calls
    )
    return {place for said in calls for place in places if place in said}
