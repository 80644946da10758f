"""Open the catalog as the verbs want it: up to date."""

from contextlib import contextmanager, suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from gitmem.errors import DiskFull, GitmemError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.refresh import Refreshed
    from gitmem.service.rooms import Rooms


@contextmanager
def fresh(rooms: "Rooms") -> "Iterator[Catalog]":
    """Open the catalog, brought up to date."""
    with rooms.catalog() as catalog:
        refreshed(rooms, catalog)
        yield catalog


def refreshed(rooms: "Rooms", catalog: "Catalog") -> "Refreshed":
    """Bring an open catalog up to date."""
    from gitmem.catalog.refresh import refresh

    return refresh(
        catalog,
        rooms.tree(),
        repository=rooms.repository(),
        progress=rooms.watch.indexing,
    )


def keep_up(rooms: "Rooms") -> bool:
    """Bring a catalog that somebody uses up to date; False where nobody does."""
    with rooms.catalog() as catalog:
        if not catalog.is_built():
            return False
        refreshed(rooms, catalog)
    return True


def is_gone(rooms: "Rooms") -> bool:
    """Say whether there could be a catalog, and is none, or one that was given up."""
    try:
        catalog = rooms.catalog()
    except GitmemError:
        return False
    return catalog.is_kept and not catalog.is_built()


def take_in(rooms: "Rooms", *paths: PurePosixPath) -> None:
    """Show the catalog what changed; one that is not built yet is left so.

    What is done stays done where there is no room for it: whoever asks the catalog next
    brings it up to date.
    """
    if not paths:
        return
    from gitmem.catalog.refresh import refresh

    with suppress(DiskFull), rooms.catalog() as catalog:
        if catalog.is_built():
            refresh(catalog, rooms.tree(), repository=rooms.repository(), changed=paths)
