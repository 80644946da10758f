"""Bring the catalog up to date with the files, or make it anew.

Order: the full text is committed under the next generation, then the rows under the
same number. Killed in between, the two disagree, and the next refresh replaces both.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.catalog import activation, builds, changes, schema
from gitmem.catalog.builds import BrokenText
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.changes import LastCommits, Suspects
from gitmem.catalog.scan import Unreadable
from gitmem.catalog.update import Update
from gitmem.errors import Busy, DiskFull, GitmemError

if TYPE_CHECKING:
    from gitmem.files.tree import Tree
    from gitmem.repo.repository import Repository

FIRST_BUILD_WAIT_SECONDS: Final = 60.0

Progress = Callable[[int, int], None]


class Outcome(StrEnum):
    """How a refresh ended."""

    UNCHANGED = "unchanged"
    UPDATED = "updated"
    BUILT = "built"
    LEFT_TO_ANOTHER = "left-to-another"


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh found: memories indexed and dropped, places it could not see."""

    outcome: Outcome
    indexed: int = 0
    dropped: int = 0
    unreadable: tuple[Unreadable, ...] = field(default=())


def refresh(  # noqa: PLR0913  each is a choice of the caller
    catalog: Catalog,
    tree: "Tree",
    *,
    repository: "Repository | None" = None,
    changed: Iterable[PurePosixPath] | None = None,
    progress: Progress | None = None,
    wait_seconds: float = 0.0,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Refreshed:
    """Index what changed.

    `changed` narrows the look to paths that somebody saw change. While another process
    refreshes, what is there is left to it, and can be searched; only where there is
    nothing yet, its end is waited for.
    """
    job = _Job(tree.root, repository, progress or _silent, now)
    wait = wait_seconds if catalog.is_built() else FIRST_BUILD_WAIT_SECONDS
    try:
        with builds.writing(catalog.folder, wait_seconds=wait):
            build = builds.current(catalog.folder)
            if build is not None:
                with contextlib.suppress(sqlite3.DatabaseError, BrokenText):
                    return _update(build, job, changed)
            return _build(catalog.folder, job)
    except Busy:
        return Refreshed(Outcome.LEFT_TO_ANOTHER)


def rebuild(
    catalog: Catalog,
    tree: "Tree",
    *,
    repository: "Repository | None" = None,
    progress: Progress | None = None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Refreshed:
    """Make the catalog anew, whatever is there."""
    job = _Job(tree.root, repository, progress or _silent, now)
    with builds.writing(catalog.folder, wait_seconds=FIRST_BUILD_WAIT_SECONDS):
        return _build(catalog.folder, job)


@dataclass(frozen=True, slots=True)
class _Job:
    root: Path
    repository: "Repository | None"
    progress: Progress
    now: Callable[[], datetime]

    def suspects(
        self, rows: sqlite3.Connection, changed: Iterable[PurePosixPath] | None
    ) -> Suspects:
        if changed is not None:
            return changes.named(self.root, rows, map(str, changed))
        if self.repository is not None:
            return changes.told(self.repository, rows)
        return changes.walked(self.root, rows)


def _update(
    build: Path, job: _Job, changed: Iterable[PurePosixPath] | None
) -> Refreshed:
    from gitmem.catalog.text import TextIndex  # brings in tantivy

    rows = schema.open_writer(build / builds.ROWS)
    try:
        started = job.now()
        text = TextIndex(build / builds.TEXT)
        generation, head = rows.execute("SELECT generation, head FROM state").fetchone()
        if text.generation() != generation:
            raise BrokenText("its generation is not that of the rows")
        suspects = job.suspects(rows, changed)
        commits = LastCommits(job.repository, since=head)
        update = Update(rows, job.root, suspects, commits, started)
        update.run(lambda: text.writing(is_build=False), job.progress)
        activation.update(rows, job.root)
    finally:
        rows.close()
    outcome = Outcome.UPDATED if update.is_change else Outcome.UNCHANGED
    return _refreshed(update, outcome)


def _build(folder: Path, job: _Job) -> Refreshed:
    try:
        return _filled(folder, job)
    except (sqlite3.DatabaseError, BrokenText) as error:
        if builds.is_full(error):
            message = f"There is no room for the catalog in {folder}."
            raise DiskFull(message, "Free some space; no memory is lost.") from error
        message = f"The catalog in {folder} cannot be written: {error}."
        raise GitmemError(
            message, "Check that the folder can be written to."
        ) from error


def _filled(folder: Path, job: _Job) -> Refreshed:
    from gitmem.catalog.text import TextIndex  # brings in tantivy

    with builds.replacing(folder) as build:
        rows = schema.create(build / builds.ROWS)
        try:
            started = job.now()
            text = TextIndex(build / builds.TEXT, create=True)
            suspects = job.suspects(rows, None)
            commits = LastCommits(job.repository, since=None)
            update = Update(rows, job.root, suspects, commits, started)
            update.run(lambda: text.writing(is_build=True), job.progress)
            activation.update(rows, job.root)
            schema.settle(rows)
        finally:
            rows.close()
    return _refreshed(update, Outcome.BUILT)


def _refreshed(update: Update, outcome: Outcome) -> Refreshed:
    return Refreshed(outcome, update.indexed, update.dropped, tuple(update.unreadable))


def _silent(done: int, total: int) -> None:
    """Tell nobody."""
