"""Questions that the rows answer alone, without the full text."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Final

from gitmem.catalog.catalog import Catalog, View
from gitmem.memory.memory import Problem, Severity

_COLUMNS: Final = (
    "path, layer, description, title, tags, created, updated, changed_at, author,"
    " author_email, size, problems"
)
_CHUNK: Final = 500


@dataclass(frozen=True, slots=True)
class Row:
    """What the catalog knows of one memory; `changed_at` is when it last changed.

    `author` and `author_email` are those of the commit that wrote it; empty while what
    the catalog read is not committed.
    """

    path: PurePosixPath
    layer: str
    description: str
    title: str
    tags: tuple[str, ...]
    created: str
    updated: str
    changed_at: datetime
    author: str
    author_email: str
    size: int
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class TagCount:
    """A tag as it is written most often, and how many memories carry it."""

    canonical: str
    tag: str
    memories: int


def entries(
    catalog: Catalog,
    layers: Sequence[str] | None = None,
    *,
    under: str = "",
    limit: int | None = None,
) -> tuple[Row, ...]:
    """List memories, newest first, of the layers (None: of all).

    `under` narrows to a folder inside each layer, such as `core`.
    """
    return catalog.ask(
        lambda view: newest(view.rows, layers, under=under, limit=limit), default=()
    )


def get(catalog: Catalog, paths: Sequence[PurePosixPath]) -> tuple[Row, ...]:
    """Look memories up by path; those that the catalog does not know are left out."""
    names = [str(path) for path in paths]
    nothing: dict[str, Row] = {}
    found = catalog.ask(lambda view: by_path(view.rows, names), default=nothing)
    return tuple(found[name] for name in names if name in found)


def count(catalog: Catalog, layers: Sequence[str] | None = None) -> int:
    """Count the memories of the layers (None: of all)."""
    where, values = _inside(layers)
    query = f"SELECT count(*) FROM memories WHERE {where}"  # noqa: S608  own text
    return catalog.ask(
        lambda view: int(view.rows.execute(query, values).fetchone()[0]), default=0
    )


def layer_names(catalog: Catalog) -> tuple[str, ...]:
    """List the layers that hold memories."""
    query = "SELECT DISTINCT layer FROM memories ORDER BY layer"

    def names(view: View) -> tuple[str, ...]:
        return tuple(name for (name,) in view.rows.execute(query))

    return catalog.ask(names, default=())


def tag_counts(
    catalog: Catalog, layers: Sequence[str] | None = None
) -> tuple[TagCount, ...]:
    """Count the memories of each tag, the most used first."""
    return catalog.ask(lambda view: tags(view.rows, layers), default=())


def spellings(catalog: Catalog, layer: str) -> tuple[tuple[str, str, int], ...]:
    """List a layer's tags by key and spelling, with their memories, most used first."""
    query = (
        "SELECT canonical, written, memories FROM tag_counts WHERE layer = ?"
        " ORDER BY memories DESC, written"
    )
    return catalog.ask(
        lambda view: tuple(view.rows.execute(query, (layer,))), default=()
    )


def fields(catalog: Catalog, path: PurePosixPath) -> dict[str, object]:
    """Return a memory's frontmatter as it was read; empty for an unknown path."""
    query = "SELECT fields FROM memories WHERE path = ?"

    def read(view: View) -> dict[str, object]:
        row = view.rows.execute(query, (str(path),)).fetchone()
        return dict(json.loads(row[0])) if row else {}

    return catalog.ask(read, default={})


def carrying(
    catalog: Catalog, names: Sequence[str], layers: Sequence[str]
) -> dict[str, dict[str, object]]:
    """Map the path of each memory that has one of the fields to its frontmatter."""
    where, values = _inside(layers)
    has_one = " OR ".join("fields LIKE ?" for _ in names)
    query = f"SELECT path, fields FROM memories WHERE {where} AND ({has_one})"  # noqa: S608
    patterns = [f'%"{name}"%' for name in names]

    def read(view: View) -> dict[str, dict[str, object]]:
        return {
            path: dict(json.loads(text))
            for path, text in view.rows.execute(query, [*values, *patterns])
        }

    return catalog.ask(read, default={})


def fields_under(
    catalog: Catalog, layers: Sequence[str], under: str
) -> dict[str, dict[str, object]]:
    """Map the path of each memory in a folder of the layers to its frontmatter."""
    where, values = _inside(layers)
    query = (
        f"SELECT path, fields FROM memories WHERE {where}"  # noqa: S608  own text
        " AND substr(path, length(layer) + 2, ?) = ?"
    )

    def read(view: View) -> dict[str, dict[str, object]]:
        found = view.rows.execute(query, [*values, len(under) + 1, f"{under}/"])
        return {path: dict(json.loads(text)) for path, text in found}

    return catalog.ask(read, default={})


def newest(
    rows: sqlite3.Connection,
    layers: Sequence[str] | None,
    *,
    under: str = "",
    left_out: str = "",
    limit: int | None = None,
) -> tuple[Row, ...]:
    """Select rows, newest first, without the file of that name in each layer."""
    where, values = _inside(layers)
    if under:
        prefix = f"{under.strip('/')}/"
        where += " AND substr(path, length(layer) + 2, ?) = ?"
        values = [*values, len(prefix), prefix]
    if left_out:
        where += " AND path <> layer || '/' || ?"
        values = [*values, left_out]
    query = (
        f"SELECT {_COLUMNS} FROM memories WHERE {where}"  # noqa: S608  own text
        " ORDER BY changed_at DESC, path LIMIT ?"
    )
    found = rows.execute(query, [*values, -1 if limit is None else limit])
    return tuple(map(_row, found))


def by_path(rows: sqlite3.Connection, paths: Sequence[str]) -> dict[str, Row]:
    """Select rows by path."""
    found: dict[str, Row] = {}
    for start in range(0, len(paths), _CHUNK):
        chunk = list(paths[start : start + _CHUNK])
        marks = ", ".join("?" * len(chunk))
        query = f"SELECT {_COLUMNS} FROM memories WHERE path IN ({marks})"  # noqa: S608
        for values in rows.execute(query, chunk):
            row = _row(values)
            found[str(row.path)] = row
    return found


def tagged(
    rows: sqlite3.Connection,
    canonical: Sequence[str],
    layers: Sequence[str] | None,
    *,
    limit: int,
) -> tuple[Row, ...]:
    """Select the rows that carry every one of these tags, newest first."""
    where, values = _inside(layers)
    carry, wanted = _carrying(canonical)
    query = (
        f"SELECT {_COLUMNS} FROM memories WHERE {where} AND path IN ({carry})"  # noqa: S608
        " ORDER BY changed_at DESC, path LIMIT ?"
    )
    return tuple(map(_row, rows.execute(query, [*values, *wanted, limit])))


def carriers(
    rows: sqlite3.Connection, canonical: Sequence[str], layers: Sequence[str] | None
) -> frozenset[str]:
    """Select the paths of all memories that carry every one of these tags."""
    where, values = _inside(layers)
    carry, wanted = _carrying(canonical, where)
    found = rows.execute(carry, [*values, *wanted])
    return frozenset(path for (path,) in found)


def tags(
    rows: sqlite3.Connection, layers: Sequence[str] | None
) -> tuple[TagCount, ...]:
    """Count tags; of several spellings the most frequent stands for all."""
    where, values = _inside(layers)
    query = (
        "SELECT canonical, written, sum(sum(memories)) OVER (PARTITION BY canonical)"  # noqa: S608
        f" FROM tag_counts WHERE {where} GROUP BY canonical, written"
        " ORDER BY 3 DESC, canonical, sum(memories) DESC, written"
    )
    found: dict[str, TagCount] = {}
    for canonical, written, total in rows.execute(query, values):
        found.setdefault(canonical, TagCount(canonical, written, total))
    return tuple(found.values())


def _carrying(canonical: Sequence[str], where: str = "1") -> tuple[str, list[object]]:
    """Write the query for the paths with all of these tags."""
    tags = list(dict.fromkeys(canonical))
    query = (
        f"SELECT path FROM tags WHERE {where}"  # noqa: S608
        f" AND canonical IN ({', '.join('?' * len(tags))})"
        " GROUP BY path HAVING count(DISTINCT canonical) = ?"
    )
    return query, [*tags, len(tags)]


def _inside(layers: Sequence[str] | None) -> tuple[str, list[object]]:
    if layers is None:
        return "1", []
    return f"layer IN ({', '.join('?' * len(layers))})", list(layers)


def _row(values: tuple[str, ...]) -> Row:
    path, layer, description, title, tags_, created, updated, *rest = values
    changed, author, author_email, size, odd = rest
    return Row(
        path=PurePosixPath(path),
        layer=layer,
        description=description,
        title=title,
        tags=tuple(json.loads(tags_)),
        created=created,
        updated=updated,
        changed_at=datetime.fromisoformat(changed),
        author=author,
        author_email=author_email,
        size=int(size),
        problems=tuple(
            Problem(line, code, message, Severity(severity))
            for line, code, message, severity in json.loads(odd)
        ),
    )
