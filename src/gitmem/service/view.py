"""Gather from the rooms what the sections of a start text may see."""

from datetime import date, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from gitmem.catalog import rows
from gitmem.delivery import view
from gitmem.delivery.view import Document, Entry, View
from gitmem.errors import NotFound, PathRefused
from gitmem.memory.conflicts import is_copy
from gitmem.memory.frontmatter.read import read
from gitmem.memory.hashes import hash_of
from gitmem.memory.layout import PACKETS, is_claim, is_listed
from gitmem.memory.memory import Severity
from gitmem.service import watermark
from gitmem.service.notices import notices
from gitmem.service.person import origins_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.files.tree import Tree
    from gitmem.memory.layout import Layer
    from gitmem.service.rooms import Rooms
    from gitmem.sync.standing import Standing


def gather(
    rooms: "Rooms",
    catalog: "Catalog",
    standing: "Standing | None",
    seen: dict[str, str],
) -> View:
    """Make the view of a project's layers as they are now.

    The hash of each memory that is read goes into `seen`, by path.
    """
    access = rooms.access()
    both = dict.fromkeys((access.shared, access.project))
    found = [each for each in both if each is not None]
    names = [layer.name for layer in found]
    known = rows.entries(catalog, names)
    pinned = _pinned(catalog)
    tree, now = rooms.tree(), rooms.now()
    origins = origins_of(rooms, known)
    return View(
        layers=tuple(
            _layer(tree, catalog, layer, known, pinned, origins) for layer in found
        ),
        read=lambda path: _document(tree, path, origins, seen),
        today=_day(now),
        status=(
            *notices(standing, rooms.loaded, _unreadable(known), now),
            *watermark.due(rooms, [row.path for row in known]),
        ),
        is_empty=not known,
        has_packets=bool(rows.entries(catalog, names, under=PACKETS, limit=1)),
    )


def _layer(
    tree: "Tree",
    catalog: "Catalog",
    layer: "Layer",
    known: "tuple[Row, ...]",
    pinned: frozenset[str],
    origins: "Mapping[PurePosixPath, str]",
) -> view.Layer:
    listed = [row for row in known if _is_listed(row.path, layer)]
    return view.Layer(
        folder=layer.name,
        directory=str(tree.root / layer.path),
        is_shared=layer.is_shared,
        entries=tuple(_entry(row, pinned, origins) for row in listed),
        tags=tuple(
            view.TagCount(each.tag, each.memories)
            for each in rows.tag_counts(catalog, [layer.name])
        ),
    )


def _is_listed(path: PurePosixPath, layer: "Layer") -> bool:
    """Leave out what says nothing to an agent: claims, and copies to be settled."""
    return is_listed(path, layer) and not is_claim(path) and not is_copy(path)


def _pinned(catalog: "Catalog") -> frozenset[str]:
    """Find the memories that ask to be listed first, with one look at all of them."""
    found = rows.carrying(catalog, ("priority", "pinned"))
    return frozenset(path for path, fields in found.items() if view.is_pinned(fields))


def _entry(
    row: "Row", pinned: frozenset[str], origins: "Mapping[PurePosixPath, str]"
) -> Entry:
    return Entry(
        path=row.path,
        description=row.description,
        tags=row.tags,
        changed_at=row.changed_at,
        is_pinned=str(row.path) in pinned,
        origin=origins.get(row.path, ""),
    )


def _document(
    tree: "Tree",
    path: PurePosixPath,
    origins: "Mapping[PurePosixPath, str]",
    seen: dict[str, str],
) -> Document | None:
    try:
        data = tree.read(path)
    except (NotFound, PathRefused, OSError):
        return None
    seen[str(path)] = hash_of(data)
    return Document(read(data).body_text, origins.get(path, ""))


def _unreadable(known: "tuple[Row, ...]") -> list[PurePosixPath]:
    return [
        row.path
        for row in known
        if any(each.severity is Severity.ERROR for each in row.problems)
    ]


def _day(now: datetime) -> date:
    """Name the day as the person's own clock does."""
    return now.astimezone().date()
