"""Make a start text, and say what an agent knows who has read it."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gitmem.delivery.start import start_text
from gitmem.delivery.view import Selected, View
from gitmem.errors import GitmemError, SyncError
from gitmem.service import shelf
from gitmem.service.answers import Start
from gitmem.service.capacity import budget
from gitmem.service.view import gather
from gitmem.sessions import trouble

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.service.rooms import Rooms
    from gitmem.sync.standing import Standing

_LARGE: Final = (
    "The tape is too large to be read whole at a start, only its end is: "
    "`gitmem tape reset --archive` on each machine begins it anew."
)


def rendered(rooms: "Rooms", host: str, prompt: str = "") -> Start:
    """Make a start text of what the files say now."""
    with shelf.fresh(rooms) as catalog:
        return render(rooms, catalog, host, prompt)


def render(rooms: "Rooms", catalog: "Catalog", host: str, prompt: str = "") -> Start:
    """Make a start text of what an open catalog says."""
    delivery = rooms.loaded.settings.delivery
    read: dict[str, str] = {}
    view = gather(rooms, catalog, _standing(rooms), read)
    failures = trouble.seen(rooms.loaded.folders.state)
    status = (*view.status, *failures, *_of_tape(rooms))
    view = replace(view, status=status, tape=_tape(rooms, view, prompt))
    most = budget(delivery.budget.start, host)
    rendered = start_text(view, _sections(delivery.start, view), most)
    cut = tuple(each.label for each in rendered.left_out)
    whole = {
        path: found
        for path, found in read.items()
        if not any(label.endswith(f" {path}") for label in cut)
    }
    return Start(rendered.text, rendered.left_out, whole, view.status)


def _tape(rooms: "Rooms", view: View, prompt: str) -> Selected | None:
    if not rooms.loaded.settings.tape.enabled:
        return None
    from gitmem.service import selecting  # only with a tape

    try:
        return selecting.choose(rooms, view, prompt)
    except (GitmemError, OSError):
        # Where nothing can be chosen, everything is listed.
        return None


def _of_tape(rooms: "Rooms") -> tuple[str, ...]:
    """Say that only the end of a tape is looked at, and what to do."""
    if not rooms.loaded.settings.tape.enabled:
        return ()
    with suppress(GitmemError, OSError):
        tape = rooms.tape()
        if tape.is_open and tape.is_large():
            return (_LARGE,)
    return ()


def _sections(names: Sequence[str], view: View) -> tuple[str, ...]:
    """Let what the tape chose stand for all that there is, where there is a tape."""
    listed = "files" if view.tape is None else "tape"
    both = ("files", "tape")
    return tuple(dict.fromkeys(listed if name in both else name for name in names))


def _standing(rooms: "Rooms") -> "Standing | None":
    """Look at the repository; an agent is told its notes in any state of that."""
    try:
        return rooms.engine().status()
    except SyncError:
        return None
