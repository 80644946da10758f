"""Remember which memories were read after a session was told of them.

It lives in the catalog and goes with it: a count that is lost is no loss. Old reads
fade, so that no memory stays in front by what it was once.
"""

import contextlib
import math
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from gitmem.catalog import builds, schema
from gitmem.catalog.catalog import Catalog

FADES_IN_DAYS: Final = 30.0
KEPT: Final = 5_000
# Whoever reads a memory does not wait for a writer of the catalog.
_PATIENCE_MILLISECONDS: Final = 50


@dataclass(frozen=True, slots=True)
class Reads:
    """How often a memory was read after a cue, as counted on the day of the last."""

    count: float = 0.0
    day: date = date.min

    def on(self, today: date) -> float:
        """Say what is left of the count: half of it after FADES_IN_DAYS."""
        days = max(0, (today - self.day).days)
        return self.count * math.exp2(-days / FADES_IN_DAYS)


NEVER: Final = Reads()


def note(catalog: Catalog, path: str, today: date) -> None:
    """Count one read; nothing where the catalog cannot be written at once."""
    build = builds.current(catalog.folder)
    if build is None:
        return
    with contextlib.suppress(sqlite3.Error, OSError):
        rows = schema.open_writer(build / builds.ROWS)
        with contextlib.closing(rows):
            rows.execute(f"PRAGMA busy_timeout = {_PATIENCE_MILLISECONDS}")
            rows.execute("BEGIN IMMEDIATE")
            _count(rows, path, today)
            rows.execute("COMMIT")


def of(rows: sqlite3.Connection, paths: Sequence[str]) -> dict[str, Reads]:
    """Give the counts of these memories; none of one that was never read."""
    inside = ", ".join("?" * len(paths))
    query = f"SELECT path, count, day FROM reads WHERE path IN ({inside})"  # noqa: S608
    return {
        path: Reads(count, date.fromisoformat(day))
        for path, count, day in rows.execute(query, list(paths))
    }


def _count(rows: sqlite3.Connection, path: str, today: date) -> None:
    before = of(rows, [path]).get(path, NEVER)
    values = (path, before.on(today) + 1.0, today.isoformat())
    rows.execute("INSERT OR REPLACE INTO reads VALUES (?, ?, ?)", values)
    rows.execute(
        "DELETE FROM reads WHERE path IN"
        " (SELECT path FROM reads ORDER BY day DESC, path LIMIT -1 OFFSET ?)",
        (KEPT,),
    )
