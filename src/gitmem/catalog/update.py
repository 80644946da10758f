"""Carry suspected changes into the rows and the full text, as one step."""

import contextlib
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gitmem.catalog import entry
from gitmem.catalog.changes import LastCommits, Suspects
from gitmem.catalog.entry import Entry
from gitmem.catalog.filling import Filling
from gitmem.catalog.scan import Reader, Seen, Unreadable
from gitmem.memory.hashes import digest

if TYPE_CHECKING:
    from gitmem.catalog.text import Writer
    from gitmem.repo.history import Commit

PROGRESS_STEP: Final = 250
# Some file systems count time in steps of two seconds: a write in the same step as
# our reading leaves the fingerprint as it was.
CLOCK_STEP_NS: Final = 2_000_000_000
# Bits of `is_unsettled`: why a row has to be looked at again next time.
UNCOMMITTED: Final = 1
TOO_FRESH: Final = 2


class Update:
    """One pass over the suspects; nothing is seen by readers before its end."""

    def __init__(
        self,
        rows: sqlite3.Connection,
        root: Path,
        suspects: Suspects,
        commits: LastCommits,
        started: datetime,
    ) -> None:
        """Take the suspects; nothing is done yet."""
        self._rows = rows
        self._root = root
        self._suspects = suspects
        self._commits = commits
        self._fresh_ns = int(started.timestamp() * 1e9) - CLOCK_STEP_NS
        self._writer: Writer | None = None
        self._filling = Filling(rows)
        self._is_first = False
        self.indexed = 0
        self.dropped = 0
        self.unreadable: list[Unreadable] = list(suspects.unreadable)

    @property
    def is_change(self) -> bool:
        """Tell whether the pass changed what a search can find."""
        return bool(self.indexed or self.dropped)

    def run(
        self,
        open_writer: "Callable[[], AbstractContextManager[Writer]]",
        progress: Callable[[int, int], None],
    ) -> None:
        """Look at every suspect, then commit the full text and after it the rows."""
        generation, head = self._rows.execute(
            "SELECT generation, head FROM state"
        ).fetchone()
        suspects = self._suspects
        self._is_first = not generation
        if (
            generation
            and not (suspects.paths or suspects.gone)
            and (head == suspects.head)
        ):
            return
        self._rows.execute("BEGIN IMMEDIATE")
        try:
            with contextlib.ExitStack() as stack:
                self._pass(lambda: stack.enter_context(open_writer()), progress)
                if self._writer is not None or not generation:
                    generation += 1
                    writer = self._writer or stack.enter_context(open_writer())
                    writer.commit(generation)
                self._finish(generation)
        except BaseException:
            if self._rows.in_transaction:
                self._rows.execute("ROLLBACK")
            raise

    def _finish(self, generation: int) -> None:
        self._rows.execute(
            "UPDATE state SET generation = ?, head = ?",
            (generation, self._suspects.head),
        )
        self._rows.execute("COMMIT")

    def _pass(
        self, open_writer: "Callable[[], Writer]", progress: Callable[[int, int], None]
    ) -> None:
        def writer() -> "Writer":
            self._writer = self._writer or open_writer()
            return self._writer

        total = len(self._suspects.paths)
        for path in sorted(self._suspects.gone):
            self._drop(path, writer)
        with Reader(self._root) as reader:
            for done, path in enumerate(self._suspects.paths):
                if done % PROGRESS_STEP == 0:
                    progress(done, total)
                try:
                    self._look(path, reader, writer)
                except OSError as error:
                    reason = error.strerror or str(error)
                    self.unreadable.append(Unreadable(path, reason))
        self._filling.flush()
        progress(total, total)

    def _known(self, path: str) -> tuple[str, int, bytes] | None:
        """Find what an earlier pass kept of a file."""
        if self._is_first:
            return None
        found: tuple[str, int, bytes] | None = self._rows.execute(
            "SELECT fingerprint, is_unsettled, digest FROM memories WHERE path = ?",
            (path,),
        ).fetchone()
        return found

    def _look(self, path: str, reader: Reader, writer: "Callable[[], Writer]") -> None:
        known = self._known(path)
        if known and not known[1] & TOO_FRESH:
            seen = reader.look(path)
            if seen and seen.fingerprint == known[0]:
                self._note(seen, self._unsettled(seen), known)
                return
        found = reader.read(path)
        if found is None:
            self._drop(path, writer)
            return
        seen, data = found
        if known and digest(data) == known[2]:
            self._note(seen, self._unsettled(seen), known)
            return
        self._put(seen, entry.make(path, data), writer(), is_new=not known)

    def _unsettled(self, seen: Seen) -> int:
        bits = UNCOMMITTED if seen.path in self._suspects.uncommitted else 0
        return bits | (TOO_FRESH if seen.touched_ns >= self._fresh_ns else 0)

    def _note(self, seen: Seen, bits: int, known: tuple[str, int, bytes]) -> None:
        """Remember how an unchanged file looks now."""
        if (seen.fingerprint, bits) != known[:2]:
            self._rows.execute(
                "UPDATE memories SET fingerprint = ?, is_unsettled = ?, size = ?"
                " WHERE path = ?",
                (seen.fingerprint, bits, seen.size, seen.path),
            )

    def _put(self, seen: Seen, made: Entry, writer: "Writer", *, is_new: bool) -> None:
        if not is_new:
            writer.remove(seen.path)
            self._filling.forget_names(seen.path)
        writer.add(seen.path, made.memory.layer, made.fields)
        self._filling.add(seen, made, self._commit(seen), self._unsettled(seen))
        self.indexed += 1

    def _commit(self, seen: Seen) -> "Commit | None":
        """Find who wrote a file; what is not committed was written here."""
        if seen.path in self._suspects.uncommitted:
            return None
        return self._commits.of(seen.path)

    def _drop(self, path: str, writer: "Callable[[], Writer]") -> None:
        if self._rows.execute("DELETE FROM memories WHERE path = ?", (path,)).rowcount:
            self._filling.forget_names(path)
            writer().remove(path)
            self.dropped += 1
