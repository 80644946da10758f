"""Say which memories no longer hold, and what holds in the place of each."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from gitmem.catalog.rows import Row
from gitmem.memory.tags import canonical
from gitmem.memory.traits import Traits, traits
from gitmem.memory.unspoken import over, unspoken

_CHUNK: Final = 500


@dataclass(frozen=True, slots=True)
class Standing:
    """Why what some memories say does not hold now, by path.

    `current` maps such a path to those of the same key that do hold.
    """

    over: Mapping[str, str] = field(default_factory=dict)
    current: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def standing(known: Mapping[str, Traits], today: date) -> Standing:
    """Tell what is over from what holds; pure."""
    reasons = {path: over(each, today) for path, each in known.items()}
    keys = {path: canonical(each.key) for path, each in known.items() if each.key}
    holding: defaultdict[str, list[str]] = defaultdict(list)
    for path, key in keys.items():
        if not reasons[path]:
            holding[key].append(path)
    return Standing(
        {path: reason for path, reason in reasons.items() if reason},
        {
            path: tuple(holding[key])
            for path, key in keys.items()
            if reasons[path] and key in holding
        },
    )


def unasked(
    rows: sqlite3.Connection, ordered: Sequence[Row], today: date, most: int
) -> tuple[Row, ...]:
    """Take the first that may be spoken of though nobody asked about them."""
    able: list[Row] = []
    for start in range(0, len(ordered), _CHUNK):
        chunk = ordered[start : start + _CHUNK]
        known = traits_of(rows, [str(row.path) for row in chunk])
        able += [
            row
            for row in chunk
            if (found := known.get(str(row.path)))
            and not unspoken(row.path, found, today)
        ]
        if len(able) >= most:
            break
    return tuple(able[:most])


def traits_of(rows: sqlite3.Connection, paths: Collection[str]) -> dict[str, Traits]:
    """Read what memories say of themselves."""
    every, found = list(paths), {}
    for start in range(0, len(every), _CHUNK):
        chunk = every[start : start + _CHUNK]
        inside = ", ".join("?" * len(chunk))
        query = f"SELECT path, fields FROM memories WHERE path IN ({inside})"  # noqa: S608
        for path, fields in rows.execute(query, chunk):
            found[path] = traits(json.loads(fields))
    return found
