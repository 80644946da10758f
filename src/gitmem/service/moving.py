"""Give a memory another path, or delete it, so that either can be taken back."""

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from gitmem.errors import NotFound, PathRefused
from gitmem.files.names import shown
from gitmem.service import naming
from gitmem.service.answers import Changed

if TYPE_CHECKING:
    from gitmem.memory.store import Stored
    from gitmem.service.rooms import Rooms


def move(rooms: "Rooms", path: str, target: str) -> Changed:
    """Move it, as a commit of its own; what it says stays as it is."""
    store, old = rooms.store(), _existing(rooms, path)
    moved: list[Stored] = []

    def do() -> None:
        if not moved:
            moved.append(store.move(str(old), naming.within(rooms, target)))

    new = naming.found(rooms, target)
    subject = f"memory(*): move {shown(str(old))} to {shown(str(new))}"
    report = rooms.engine().change(subject, frozenset({old}), do)
    return Changed(old, moved[0], report)


def delete(rooms: "Rooms", path: str) -> Changed:
    """Delete it, as a commit of its own; raises PathRefused where none holds its text.

    What was never committed could not be brought back.
    """
    old = _existing(rooms, path)
    deleted: list[Stored] = []

    def do() -> None:
        if not deleted:
            deleted.append(_delete(rooms, old))

    report = rooms.engine().change("", frozenset({old}), do)
    return Changed(old, deleted[0], report)


def _delete(rooms: "Rooms", old: PurePosixPath) -> "Stored":
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
