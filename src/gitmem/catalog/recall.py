"""Read of memories what a turn weighs: once, for as long as no row changes."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gitmem.catalog.reason import cut
from gitmem.catalog.rows import Row, by_path
from gitmem.memory.tags import canonical
from gitmem.memory.traits import Traits, marks, traits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.catalog.catalog import View

# About 5 KB each.
KEPT_AT_MOST: Final = 2_000
_CHUNK: Final = 500


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory as the catalog knows it; `tokens` are those of its short fields.

    `names` are the keys of the tags, subjects and domains that it is counted by.
    """

    row: Row
    traits: Traits
    names: frozenset[str]
    digest: bytes
    tokens: "Mapping[str, tuple[str, ...]]"


def recall(view: "View", paths: Sequence[str]) -> "dict[str, Recalled]":
    """Give these memories, of those that the catalog knows."""
    kept = view.kept()
    if len(kept) > KEPT_AT_MOST:
        kept.clear()
    kept.update(_read(view, [path for path in paths if path not in kept]))
    return {path: kept[path] for path in paths if path in kept}


def names_of(tags: Iterable[str], known: Traits) -> frozenset[str]:
    """Give the keys of the tags, subjects and domains that a memory is counted by."""
    named = (key for what, key in marks(known) if what in {"subject", "domain"})
    return frozenset((*map(canonical, tags), *named)) - {""}


def _read(view: "View", paths: Sequence[str]) -> "dict[str, Recalled]":
    if not paths:
        return {}
    rows, text = by_path(view.rows, paths), view.text()
    found = {}
    for path, fields, digest in _more(view.rows, list(rows)):
        row, known = rows[path], traits(json.loads(fields))
        names = names_of(row.tags, known)
        found[path] = Recalled(row, known, names, digest, cut(row, text))
    return found


def _more(
    rows: sqlite3.Connection, paths: Sequence[str]
) -> "list[tuple[str, str, bytes]]":
    found: list[tuple[str, str, bytes]] = []
    for start in range(0, len(paths), _CHUNK):
        chunk = paths[start : start + _CHUNK]
        inside = ", ".join("?" * len(chunk))
        query = f"SELECT path, fields, digest FROM memories WHERE path IN ({inside})"  # noqa: S608
        found += rows.execute(query, chunk)
    return found
