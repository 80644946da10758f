"""Put what is known of memories into the tables, many at a time."""

import sqlite3
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Final

from gitmem.catalog import entry
from gitmem.catalog.entry import Entry
from gitmem.catalog.scan import Seen
from gitmem.memory.traits import names_of

if TYPE_CHECKING:
    from gitmem.repo.history import Commit

BATCH: Final = 250
_MEMORY: Final = (
    "INSERT OR REPLACE INTO memories"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_TAG: Final = "INSERT INTO tags VALUES (?, ?, ?, ?)"
_MARK: Final = "INSERT INTO marks VALUES (?, ?, ?, ?)"

_Values = tuple[object, ...]


@dataclass(slots=True)
class Filling:
    """Memories on their way into the tables; `flush` before they are asked for."""

    rows: sqlite3.Connection
    _memories: list[_Values] = field(default_factory=list)
    _tags: list[_Values] = field(default_factory=list)
    _marks: list[_Values] = field(default_factory=list)

    def add(
        self, seen: Seen, made: Entry, commit: "Commit | None", unsettled: int
    ) -> None:
        """Take a memory of which the tables hold nothing, or only a row to replace."""
        path, layer = seen.path, made.memory.layer
        self._memories.append(_values(seen, made, commit, unsettled))
        for key, written in entry.canonical_tags(made.memory).items():
            self._tags.append((path, key, layer, written))
        for what, key in names_of(made.memory.fields):
            self._marks.append((path, what, key, layer))
        if len(self._memories) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Put in what was taken."""
        for query, waiting in (
            (_MEMORY, self._memories),
            (_TAG, self._tags),
            (_MARK, self._marks),
        ):
            self.rows.executemany(query, waiting)
            waiting.clear()

    def forget_names(self, path: str) -> None:
        """Take out the tags and marks of a memory."""
        self.rows.execute("DELETE FROM tags WHERE path = ?", (path,))
        self.rows.execute("DELETE FROM marks WHERE path = ?", (path,))


def _values(
    seen: Seen, made: Entry, commit: "Commit | None", unsettled: int
) -> _Values:
    memory = made.memory
    return (
        seen.path,
        memory.layer,
        memory.description,
        memory.title,
        entry.as_json(memory.tags),
        memory.created,
        memory.updated,
        entry.fields_json(memory.fields),
        entry.problems_json(memory.problems),
        _changed_at(seen, made, commit).isoformat(timespec="seconds"),
        commit.author if commit else "",
        commit.author_email if commit else "",
        seen.size,
        made.digest,
        seen.fingerprint,
        unsettled,
    )


def _changed_at(seen: Seen, made: Entry, commit: "Commit | None") -> datetime:
    """Ask the memory, then Git; a clone makes every modification time new.

    A memory says the day; which hour of it, the others may know.
    """
    said = entry.said_at(made.memory)
    if said is not None and said.time() != time.min:
        return said
    written = datetime.fromtimestamp(seen.modified_ns / 1e9, UTC)
    known = commit.at.astimezone(UTC) if commit else written
    return known if said is None or known.date() == said.date() else said
