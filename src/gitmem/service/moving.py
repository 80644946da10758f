"""Give a memory another path, or delete it, so that either can be taken back."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from gitmem.errors import NotFound, PathRefused
from gitmem.files.names import shown
from gitmem.service import naming

if TYPE_CHECKING:
    from gitmem.memory.store import Stored
    from gitmem.service.rooms import Rooms


@dataclass(frozen=True, slots=True)
class Moved:
    """A memory at its new place, and where it was."""

    old: PurePosixPath
    stored: "Stored"


def move(rooms: "Rooms", path: str, target: str) -> Moved:
    """Move it; what it says stays as it is."""
    store, old = rooms.store(), _existing(rooms, path)
    stored = store.move(str(old), naming.within(rooms, target))
    return Moved(old, stored)


def delete(rooms: "Rooms", path: str) -> "Stored":
    """Delete it; raises PathRefused for a text that no commit holds.

    The commit comes first: what was never committed could not be brought back.
    """
    old = _existing(rooms, path)
    rooms.engine().commit()
    store = rooms.store()
    held = store.read(str(old))
    try:
        is_kept = rooms.repository().show("HEAD", old) == held.data
    except NotFound:
        is_kept = False
    if not is_kept:
        raise PathRefused(
            f"{shown(str(old))} is not committed, so it could not be brought back.",
            "`gitmem sync` says why. Delete the file yourself if it is to be lost.",
        )
    return store.delete(str(old), expected_hash=held.hash)


def _existing(rooms: "Rooms", path: str) -> PurePosixPath:
    try:
        return rooms.store().read(naming.within(rooms, path)).path
    except NotFound as error:
        raise naming.lacking(rooms, path, error) from error
