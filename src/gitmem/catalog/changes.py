"""Find out which memories may have changed since the catalog last looked."""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from gitmem.catalog import scan
from gitmem.catalog.scan import Unreadable
from gitmem.errors import GitmemError
from gitmem.memory.layout import is_memory

if TYPE_CHECKING:
    from gitmem.repo.history import Commit
    from gitmem.repo.repository import Repository
    from gitmem.repo.status import Status


@dataclass(slots=True)
class Suspects:
    """Paths to be looked at again, and what is known about them beforehand.

    `uncommitted` differ from the last commit, so they are suspects next time as well.
    `gone` hold no memory that counts. `head` is what the rows will be true for.
    """

    paths: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    uncommitted: frozenset[str] = frozenset()
    unreadable: list[Unreadable] = field(default_factory=list)
    head: str | None = None


class LastCommits:
    """Which commits touched files last; the history is read at the first question."""

    def __init__(self, repository: "Repository | None", since: str | None) -> None:
        """Ask all of the history, or only what came after the commit `since`."""
        self._repository = repository
        self._since = since
        self._commits: Mapping[str, Commit] | None = None

    def of(self, path: str) -> "Commit | None":
        """Find the last commit that touched a file."""
        if self._commits is None:
            self._commits = self._read()
        return self._commits.get(path)

    def _read(self) -> "Mapping[str, Commit]":
        if self._repository is None or self._repository.head() is None:
            return {}
        if self._since is None:
            return self._repository.last_commits()
        try:
            return self._repository.last_commits(f"{self._since}..HEAD")
        except GitmemError:
            # There is no such commit, or no longer.
            return self._repository.last_commits()


def named(root: Path, rows: sqlite3.Connection, changed: Iterable[str]) -> Suspects:
    """Suspect the paths that somebody watched change, and all below a folder."""
    found = Suspects(head=_head(rows))
    wanted: set[str] = set()
    for path in changed:
        if path.startswith("/") or any(p[0] == "." for p in PurePosixPath(path).parts):
            continue
        if is_memory(PurePosixPath(path)):
            wanted.add(path)
        wanted.update(_known_below(rows, path))
        if (root / path).is_dir() and not (root / path).is_symlink():
            below = scan.walk(root, path)
            wanted.update(seen.path for seen in below.seen)
            found.unreadable += below.unreadable
    found.paths = sorted(wanted)
    found.uncommitted = frozenset(wanted)
    return found


def walked(root: Path, rows: sqlite3.Connection) -> Suspects:
    """Suspect every file whose fingerprint changed, without Git's help."""
    return _compared(root, rows, uncommitted=frozenset(), counted=None)


def told(repository: "Repository", rows: sqlite3.Connection) -> Suspects:
    """Suspect what Git says changed, committed or not, and what was open before."""
    status = repository.status(with_ignored=False)
    uncommitted = _memories(entry.path for entry in status.entries)
    committed = _committed(repository, _head(rows), status.head)
    if committed is None:
        return _all_of(repository, rows, status, uncommitted)
    again = rows.execute("SELECT path FROM memories WHERE is_unsettled <> 0")
    unsettled = {path for (path,) in again}
    strays = unsettled - uncommitted - committed
    gone = strays - _tracked(repository, status.head) if strays else set()
    return Suspects(
        paths=sorted((committed | uncommitted | unsettled) - gone),
        gone=gone,
        uncommitted=uncommitted,
        head=status.head,
    )


def _all_of(
    repository: "Repository",
    rows: sqlite3.Connection,
    status: "Status",
    uncommitted: frozenset[str],
) -> Suspects:
    """Look at every file, less those that Git ignores."""
    counted = _tracked(repository, status.head) | uncommitted
    found = _compared(repository.root, rows, uncommitted=uncommitted, counted=counted)
    found.head = status.head
    return found


def _compared(
    root: Path,
    rows: sqlite3.Connection,
    *,
    uncommitted: frozenset[str],
    counted: frozenset[str] | None,
) -> Suspects:
    """Compare a walk with the rows. What could not be looked into keeps its rows."""
    walk = scan.walk(root)
    known = {
        path: (fingerprint, is_unsettled)
        for path, fingerprint, is_unsettled in rows.execute(
            "SELECT path, fingerprint, is_unsettled FROM memories"
        )
    }
    here = {
        seen.path: seen.fingerprint
        for seen in walk.seen
        if counted is None or seen.path in counted
    }
    hidden = tuple(f"{each.path}/" if each.path else "" for each in walk.unreadable)
    return Suspects(
        paths=[path for path, print_ in here.items() if known.get(path) != (print_, 0)],
        gone={path for path in known.keys() - here if not path.startswith(hidden)},
        uncommitted=uncommitted,
        unreadable=walk.unreadable,
    )


def _committed(
    repository: "Repository", old: str | None, new: str | None
) -> frozenset[str] | None:
    """List what commits changed; None when only a full comparison can tell."""
    if old is None or new is None:
        return None
    if old == new:
        return frozenset()
    try:
        return _memories(change.path for change in repository.changed(old, new))
    except GitmemError:
        # The old commit is gone: the history was replaced and cleaned up.
        return None


def _tracked(repository: "Repository", head: str | None) -> frozenset[str]:
    return repository.names(head) if head else frozenset()


def _memories(paths: Iterable[PurePosixPath]) -> frozenset[str]:
    return frozenset(str(path) for path in paths if is_memory(path))


def _known_below(rows: sqlite3.Connection, path: str) -> list[str]:
    query = "SELECT path FROM memories WHERE path > ? AND path < ?"
    return [found for (found,) in rows.execute(query, (f"{path}/", f"{path}0"))]


def _head(rows: sqlite3.Connection) -> str | None:
    (head,) = rows.execute("SELECT head FROM state").fetchone()
    return None if head is None else str(head)
