"""Gather from the rooms what the sections of a start text may see."""

from collections import Counter
from datetime import date, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.catalog import rows
from gitmem.delivery import view
from gitmem.delivery.view import Document, Entry, View, is_pinned
from gitmem.errors import NotFound, PathRefused
from gitmem.memory.frontmatter.read import read
from gitmem.memory.hashes import hash_of
from gitmem.memory.layout import PACKETS, is_listed, is_packet
from gitmem.memory.memory import Severity
from gitmem.memory.tags import canonical
from gitmem.memory.traits import Traits, traits
from gitmem.memory.unspoken import FIELDS, unspoken
from gitmem.service import watermark
from gitmem.service.notices import notices
from gitmem.service.person import origins_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row, TagCount
    from gitmem.files.tree import Tree
    from gitmem.memory.layout import Layer
    from gitmem.service.rooms import Rooms
    from gitmem.sync.standing import Standing

# What a start asks of a memory's frontmatter: most have none of it.
_READ: Final = ("priority", "pinned", *FIELDS)
_PLAIN: Final = Traits()


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
    tree, now = rooms.tree(), rooms.now()
    telling = _Telling(_day(now), rows.carrying(catalog, _READ, names))
    origins = origins_of(rooms, known)
    return View(
        layers=tuple(
            _layer(tree, catalog, layer, known, telling, origins) for layer in found
        ),
        read=lambda path: _document(tree, path, telling, origins, seen),
        today=telling.today,
        status=(
            *notices(standing, rooms.loaded, _unreadable(known), now),
            *watermark.due(rooms, [row.path for row in known]),
        ),
        is_empty=not known,
        has_packets=bool(rows.entries(catalog, names, under=PACKETS, limit=1)),
    )


class _Telling:
    """What memories say of themselves that decides whether a start tells of them."""

    def __init__(
        self, today: date, found: "Mapping[str, Mapping[str, object]]"
    ) -> None:
        self.today = today
        self._traits = {path: traits(fields) for path, fields in found.items()}
        self.pinned = frozenset(p for p, fields in found.items() if is_pinned(fields))

    def may_tell(self, row: "Row") -> bool:
        """Say whether a memory may be spoken of though nobody asked for it."""
        known = self._traits.get(str(row.path), _PLAIN)
        return not unspoken(row.path, known, self.today)

    def held_back(self, known: "Iterable[Row]") -> "Iterator[Row]":
        """Find the memories whose own words hold them back."""
        return (
            row
            for row in known
            if str(row.path) in self._traits and not self.may_tell(row)
        )


def _layer(
    tree: "Tree",
    catalog: "Catalog",
    layer: "Layer",
    known: "tuple[Row, ...]",
    telling: _Telling,
    origins: "Mapping[PurePosixPath, str]",
) -> view.Layer:
    listed = [r for r in known if is_listed(r.path, layer) and telling.may_tell(r)]
    silent = [row for row in telling.held_back(known) if row.layer == layer.name]
    return view.Layer(
        folder=layer.name,
        directory=str(tree.root / layer.path),
        is_shared=layer.is_shared,
        entries=tuple(_entry(row, telling.pinned, origins) for row in listed),
        tags=_tags(rows.tag_counts(catalog, [layer.name]), silent),
    )


def _tags(
    counts: "Iterable[TagCount]", silent: "Iterable[Row]"
) -> tuple[view.TagCount, ...]:
    """Leave out a tag that only memories have which are not spoken of."""
    silenced = Counter(
        key
        for row in silent
        if not is_packet(row.path)
        for key in {canonical(tag) for tag in row.tags}
    )
    return tuple(
        view.TagCount(each.tag, each.memories)
        for each in counts
        if silenced[each.canonical] < each.memories
    )


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
    telling: _Telling,
    origins: "Mapping[PurePosixPath, str]",
    seen: dict[str, str],
) -> Document | None:
    try:
        data = tree.read(path)
    except (NotFound, PathRefused, OSError):
        return None
    found = read(data)
    if unspoken(path, traits(found.fields), telling.today):
        return None
    seen[str(path)] = hash_of(data)
    return Document(found.body_text, origins.get(path, ""))


def _unreadable(known: "tuple[Row, ...]") -> list[PurePosixPath]:
    return [
        row.path
        for row in known
        if any(each.severity is Severity.ERROR for each in row.problems)
    ]


def _day(now: datetime) -> date:
    """Name the day as the person's own clock does."""
    return now.astimezone().date()
