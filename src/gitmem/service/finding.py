"""Find lines on disk, in the layers that are meant."""

from typing import TYPE_CHECKING

from gitmem.catalog.ripgrep import Grepped, Kind, grep
from gitmem.memory.claims import layers
from gitmem.service import naming

if TYPE_CHECKING:
    from gitmem.service.rooms import Rooms


def lines(
    rooms: "Rooms", pattern: str, kind: Kind, *, layer: str | None, limit: int
) -> Grepped:
    """Find lines with a regular expression; none where a layer has no folder."""
    tree = rooms.tree()
    known = tuple(each.name for each in layers(tree, shared_name=None))
    wanted = naming.layers(rooms, layer, known)
    chosen = [name for name in wanted if name in known]
    if not chosen:
        return Grepped(())
    return grep(tree.root, pattern, kind=kind, layers=chosen, limit=limit)
