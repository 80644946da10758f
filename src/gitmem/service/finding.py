"""Find memories and lines in the layers that are meant."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gitmem.catalog import rows
from gitmem.catalog.catalog import Catalog, View
from gitmem.catalog.ripgrep import Grepped, Kind, grep
from gitmem.catalog.search import Answer, SearchRequest
from gitmem.catalog.search import search as ranked
from gitmem.memory.claims import layers
from gitmem.memory.tags import canonical
from gitmem.service import naming

if TYPE_CHECKING:
    from gitmem.catalog.meaning import Meaning
    from gitmem.catalog.rows import Row
    from gitmem.service.rooms import Rooms


# A search makes vectors for so long; `gitmem refresh` makes all.
PATIENCE: Final = timedelta(seconds=2)


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
    tags = _meant(catalog, wish.tags, chosen)
    today = rooms.now().astimezone().date()
    request = SearchRequest(wish.query, tags, chosen, others, wish.limit, today=today)
    meaning = _meaning(rooms, catalog) if wish.query else None
    if meaning is not None:
        ends = rooms.now() + PATIENCE
        _catch_up(rooms, catalog, meaning, may_go_on=lambda: rooms.now() < ends)
    return ranked(catalog, request, rooms.tree(), meaning)


def understand(rooms: "Rooms", catalog: Catalog) -> None:
    """Make every vector that finding by meaning needs, if there is a model."""
    meaning = _meaning(rooms, catalog)
    if meaning is not None:
        _catch_up(rooms, catalog, meaning, may_go_on=lambda: True)


def newest(rooms: "Rooms", catalog: Catalog, wish: Wish) -> "tuple[Row, ...]":
    """List memories that carry all of the tags, the newest first."""
    chosen = naming.layers(rooms, wish.layer, rows.layer_names(catalog))
    if not wish.tags:
        return rows.entries(catalog, chosen, limit=wish.limit)
    keys = [canonical(tag) for tag in _meant(catalog, wish.tags, chosen)]
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


def _meant(
    catalog: Catalog, tags: tuple[str, ...], layers: Sequence[str]
) -> tuple[str, ...]:
    """Take tags that no memory carries for what a start text shows of some tag."""

    def ask(view: View) -> tuple[str, ...]:
        return tuple(
            tag
            if rows.carriers(view.rows, [canonical(tag)], layers)
            else copied(tag, (each.tag for each in rows.tags(view.rows, layers))) or tag
            for tag in tags
        )

    if not tags:
        return ()
    from gitmem.delivery.sections.tags import copied  # only for tags

    return catalog.ask(ask, default=tags)


def _meaning(rooms: "Rooms", catalog: Catalog) -> "Meaning | None":
    folder = rooms.loaded.settings.search.semantic
    if not folder:
        return None
    from gitmem.catalog import vectors  # rarely needed
    from gitmem.catalog.meaning import Meaning

    return Meaning(catalog.folder, vectors.opened(Path(folder)))


def _catch_up(
    rooms: "Rooms",
    catalog: Catalog,
    meaning: "Meaning",
    *,
    may_go_on: Callable[[], bool],
) -> None:
    tree, progress = rooms.tree(), rooms.watch.indexing
    catalog.ask(
        lambda view: meaning.catch_up(
            view.rows, tree, may_go_on=may_go_on, progress=progress
        ),
        default=0,
    )
