"""Find memories and lines in the layers that are meant."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.catalog import rows
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.ripgrep import Grepped, Kind, grep
from gitmem.catalog.search import Answer, SearchRequest
from gitmem.catalog.search import search as ranked
from gitmem.memory.claims import layers
from gitmem.memory.tags import canonical
from gitmem.service import naming

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.service.rooms import Rooms


@dataclass(frozen=True, slots=True)
class Wish:
    """What is looked for, in which layer (None: those of the project), how many."""

    query: str
    tags: tuple[str, ...]
    layer: str | None
    limit: int


def search(rooms: "Rooms", catalog: Catalog, wish: Wish) -> Answer:
    """Find memories, and count those in the layers that were not asked for."""
    known = rows.layer_names(catalog)
    chosen = naming.layers(rooms, wish.layer, known)
    others = tuple(name for name in known if name not in chosen)
    request = SearchRequest(wish.query, wish.tags, chosen, others, wish.limit)
    return ranked(catalog, request, rooms.tree())


def newest(rooms: "Rooms", catalog: Catalog, wish: Wish) -> "tuple[Row, ...]":
    """List memories that carry all of the tags, the newest first."""
    chosen = naming.layers(rooms, wish.layer, rows.layer_names(catalog))
    if not wish.tags:
        return rows.entries(catalog, chosen, limit=wish.limit)
    keys = [canonical(tag) for tag in wish.tags]
    return catalog.ask(
        lambda view: rows.tagged(view.rows, keys, chosen, limit=wish.limit), default=()
    )


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
