"""Learn from what a session reads: a cue that led to it was worth telling."""

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from gitmem.errors import GitmemError
from gitmem.service import claiming, telling

if TYPE_CHECKING:
    from gitmem.service.rooms import Rooms


def note(rooms: "Rooms", found: Mapping[str, str]) -> None:
    """Note what whoever calls has read, by path and hash; reading never fails by it."""
    with suppress(GitmemError, OSError):
        caller = claiming.caller(rooms)
        if caller and caller[1]:
            opened(rooms, *caller, found)


def opened(
    rooms: "Rooms", host: str, session: str, found: Mapping[str, str]
) -> tuple[str, ...]:
    """Note what a session has read, and count what it was told of before, once."""
    told = rooms.ledger().read(host, session)
    cued = {
        path: content
        for path, content in found.items()
        if path in told.named and not told.knows(path, content)
    }
    if not cued:
        return ()
    from gitmem.catalog import reads  # only after a cue

    telling.change(rooms, host, session, lambda now: now.with_given(cued))
    today = rooms.now().astimezone().date()
    with rooms.catalog() as catalog:
        for path in cued:
            reads.note(catalog, path, today)
    return tuple(cued)
