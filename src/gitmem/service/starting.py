"""Make a start text, and say what an agent knows who has read it."""

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.delivery.start import start_text
from gitmem.errors import SyncError
from gitmem.service import shelf
from gitmem.service.answers import Start
from gitmem.service.capacity import budget
from gitmem.service.view import gather
from gitmem.sessions import trouble

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.service.rooms import Rooms
    from gitmem.sync.standing import Standing


def rendered(rooms: "Rooms", host: str) -> Start:
    """Make a start text of what the files say now."""
    with shelf.fresh(rooms) as catalog:
        return render(rooms, catalog, host)


def render(rooms: "Rooms", catalog: "Catalog", host: str) -> Start:
    """Make a start text of what an open catalog says."""
    delivery = rooms.loaded.settings.delivery
    read: dict[str, str] = {}
    view = gather(rooms, catalog, _standing(rooms), read)
    failures = trouble.seen(rooms.loaded.folders.state)
    view = replace(view, status=(*view.status, *failures))
    most = budget(delivery.budget.start, host)
    rendered = start_text(view, delivery.start, most)
    cut = tuple(each.label for each in rendered.left_out)
    whole = {
        path: found
        for path, found in read.items()
        if not any(label.endswith(f" {path}") for label in cut)
    }
    return Start(rendered.text, rendered.left_out, whole, view.status)


def _standing(rooms: "Rooms") -> "Standing | None":
    """Look at the repository; an agent is told its notes in any state of that."""
    try:
        return rooms.engine().status()
    except SyncError:
        return None
