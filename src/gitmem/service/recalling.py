"""Find packets and other memories of earlier sessions: filtered first, then ranked."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from gitmem.catalog import rows
from gitmem.catalog.search import SearchRequest
from gitmem.catalog.search import search as ranked
from gitmem.catalog.standing import standing, traits_of, unasked
from gitmem.errors import GitmemError, NotFound
from gitmem.memory.conflicts import is_copy
from gitmem.memory.layout import PACKETS, is_claim, is_packet
from gitmem.memory.tags import canonical, nearest
from gitmem.packets.order import AHEAD, is_ahead, rank
from gitmem.packets.read import of_fields
from gitmem.packets.read import read as read_packet
from gitmem.service import naming, shelf
from gitmem.service.packet_answers import (
    NOTE,
    PACKET,
    Offered,
    Recalled,
    Recollection,
    Shelved,
    Wanted,
)

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.catalog.search import Hit
    from gitmem.memory.traits import Traits
    from gitmem.packets.packet import Packet
    from gitmem.service.rooms import Rooms

Known = Mapping[str, "Packet"]


def recall(rooms: "Rooms", wanted: Wanted) -> Recollection:
    """Rank what fits; what does not is left out before the limit counts."""
    with shelf.fresh(rooms) as catalog:
        layers = naming.layers(rooms, None, rows.layer_names(catalog))
        packets = _packets(catalog, layers)
        fitting = _fitting(_rows(catalog, layers, wanted), packets, wanted)
        today = rooms.now().astimezone().date()
        if not wanted.query.strip():
            latest = _newest_first(fitting.values(), packets, rooms.now())
            hits = _latest(catalog, latest, packets, wanted, rooms.now())
        else:
            request = SearchRequest(
                wanted.query,
                layers=layers,
                limit=wanted.limit,
                among=frozenset(fitting),
                today=today,
            )
            found = ranked(catalog, request, rooms.tree()).hits if fitting else ()
            hits = tuple(_ranked(hit, packets, rooms.now()) for hit in found)
        like = () if hits else _tags_like(catalog, layers, wanted)
        return Recollection(hits, len(fitting), like, wanted.kinds)


def packets(rooms: "Rooms", wanted: Wanted) -> tuple[Shelved, ...]:
    """List packets that fit, the newest first."""
    with shelf.fresh(rooms) as catalog:
        layers = naming.layers(rooms, None, rows.layer_names(catalog))
        known = _packets(catalog, layers)
        fitting = _fitting(_rows(catalog, layers, wanted), known, wanted)
    latest = _newest_first(fitting.values(), known, rooms.now())
    every = _shelved(rooms, (row.path for row in latest))
    return tuple(islice(every, wanted.limit))


def whole(rooms: "Rooms") -> tuple[Shelved, ...]:
    """Read every packet of the project from its file, the oldest first."""
    layer, now = rooms.access().project.path, rooms.now()
    paths = (
        path
        for path in sorted(rooms.tree().walk())
        if path.is_relative_to(layer) and is_packet(path) and not is_copy(path)
    )
    found = _shelved(rooms, paths)
    return tuple(
        sorted(found, key=lambda each: (*rank(each.packet.at, now), each.path))
    )


def _shelved(rooms: "Rooms", paths: Iterable[PurePosixPath]) -> Iterator[Shelved]:
    """Read packets whole; what cannot be read is named by `gitmem check`."""
    tree, now = rooms.tree(), rooms.now()
    for path in paths:
        with suppress(GitmemError, OSError):
            if packet := read_packet(tree.read(path)):
                yield Shelved(path, packet, is_ahead=is_ahead(packet.at, now))


def newest(rooms: "Rooms") -> PurePosixPath:
    """Name the newest packet. Raises NotFound where there is none."""
    found = packets(rooms, Wanted(limit=1))
    if found:
        return found[0].path
    raise NotFound(
        "There is no packet here.", "Write one: gitmem packet new --topic TOPIC …"
    )


def of_node(rooms: "Rooms", node: str) -> Offered | None:
    """Find the newest packet that was written at a node of a thread."""
    with shelf.fresh(rooms) as catalog:
        layers = naming.layers(rooms, None, rows.layer_names(catalog))
        known = _packets(catalog, layers, node)
    if not known:
        return None
    now = rooms.now()
    path = max(known, key=lambda each: (*rank(known[each].at, now), each))
    packet = known[path]
    told = packet.told
    return Offered(PurePosixPath(path), told.kind, told.topic, packet.at)


def _rows(
    catalog: "Catalog", layers: tuple[str, ...], wanted: Wanted
) -> "tuple[Row, ...]":
    """List what may fit, the newest first."""
    under = "" if NOTE in wanted.kinds else PACKETS
    return rows.entries(catalog, layers, under=under)


def _packets(catalog: "Catalog", layers: tuple[str, ...], node: str = "") -> Known:
    """Read the frontmatter of what lies where packets do, or of those of a node."""
    found = rows.fields_under(catalog, layers, PACKETS)
    read = {
        path: of_fields(fields)
        for path, fields in found.items()
        if not node or fields.get("node") == node
    }
    return {path: packet for path, packet in read.items() if packet is not None}


def _newest_first(known: "Iterable[Row]", packets: Known, now: datetime) -> "list[Row]":
    """Order from the newest to the oldest, then by path."""
    by_path = sorted(known, key=lambda row: str(row.path))
    return sorted(by_path, key=lambda row: rank(_at(row, packets), now), reverse=True)


def _at(row: "Row | Hit", packets: Known) -> datetime:
    """Give the moment of a memory: of a packet its own."""
    packet = packets.get(str(row.path))
    return packet.at if packet else row.changed_at


def _fitting(
    known: "tuple[Row, ...]", packets: Known, wanted: Wanted
) -> "dict[str, Row]":
    """Keep what fits everything that was asked but the words."""
    keys = {canonical(tag) for tag in wanted.tags}
    return {
        str(row.path): row
        for row in known
        if keys <= set(map(canonical, row.tags)) and _fits(row, packets, wanted)
    }


def _fits(row: "Row", packets: Known, wanted: Wanted) -> bool:
    packet = packets.get(str(row.path))
    if is_claim(row.path) or (PACKET if packet else NOTE) not in wanted.kinds:
        return False
    if wanted.kind and (packet is None or packet.told.kind != wanted.kind):
        return False
    day = _at(row, packets).astimezone(UTC).date()
    return wanted.since is None or day >= wanted.since


def _latest(
    catalog: "Catalog",
    ordered: "list[Row]",
    packets: Known,
    wanted: Wanted,
    now: datetime,
) -> tuple[Recalled, ...]:
    """Take the first; where not even a tag was asked for, none that is held back."""
    today = now.astimezone().date()
    if wanted.tags:
        taken = tuple(ordered[: wanted.limit])
    else:
        taken = catalog.ask(
            lambda view: unasked(view.rows, ordered, today, wanted.limit), default=()
        )
    paths = [str(row.path) for row in taken]
    nothing: dict[str, Traits] = {}
    known = catalog.ask(lambda view: traits_of(view.rows, paths), default=nothing)
    why = standing(known, today).over
    return tuple(
        _newest(row, packets, why.get(str(row.path), ""), now) for row in taken
    )


def _why(over: str, *reasons: str) -> tuple[str, ...]:
    return (f"not current ({over})", *reasons) if over else reasons


def _newest(row: "Row", packets: Known, over: str, now: datetime) -> Recalled:
    packet, at = packets.get(str(row.path)), _at(row, packets)
    return Recalled(
        path=row.path,
        kind=packet.told.kind if packet else NOTE,
        title=row.title,
        day=at.astimezone(UTC).date(),
        tags=row.tags,
        description=row.description,
        why=_why(over, AHEAD if is_ahead(at, now) else "newest"),
        score=0.0,
    )


def _ranked(hit: "Hit", packets: Known, now: datetime) -> Recalled:
    packet, at = packets.get(str(hit.path)), _at(hit, packets)
    return Recalled(
        path=hit.path,
        kind=packet.told.kind if packet else NOTE,
        title=packet.told.topic if packet else "",
        day=at.astimezone(UTC).date(),
        tags=hit.tags,
        description=hit.description,
        why=_why(
            hit.over,
            *((AHEAD,) if is_ahead(at, now) else ()),
            *(f"{each.field}: {' '.join(each.words)}" for each in hit.reason),
        ),
        score=hit.score,
    )


def _tags_like(
    catalog: "Catalog", layers: tuple[str, ...], wanted: Wanted
) -> tuple[str, ...]:
    """Name the tags that whoever wrote one that nothing has may have meant."""
    if not wanted.tags:
        return ()
    carried = {
        canonical(tag): tag for row in rows.entries(catalog, layers) for tag in row.tags
    }
    unknown = [tag for tag in wanted.tags if canonical(tag) not in carried]
    return nearest(unknown[0], carried.values()) if unknown else ()
