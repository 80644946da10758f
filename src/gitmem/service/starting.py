"""Make a start text, and say what an agent knows who has read it."""

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.delivery.start import start_text
from gitmem.service.answers import Start
from gitmem.service.telling import budget
from gitmem.service.view import gather
from gitmem.sessions import trouble

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.service.rooms import Rooms
    from gitmem.sync.standing import Standing


def render(
    rooms: "Rooms",
    catalog: "Catalog",
    standing: "Standing | None",
    host: str,
) -> Start:
    """Make a start text anew."""
    delivery = rooms.loaded.settings.delivery
    read: dict[str, str] = {}
    view = gather(rooms, catalog, standing, read)
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
