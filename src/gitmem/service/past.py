"""Look into the past of the memory, and say what was brought back from it."""

from dataclasses import replace
from pathlib import PurePosixPath

from gitmem.memory.conflicts import is_copy
from gitmem.repo.history import Commit
from gitmem.service.answers import Reverted, Version
from gitmem.service.rooms import Rooms
from gitmem.sync.report import Report


def versions(
    rooms: Rooms, *paths: PurePosixPath, revision: str = "", limit: int
) -> tuple[Version, ...]:
    """List the commits that touched some paths, or all, newest first."""
    repository = rooms.repository()
    if repository.head() is None:
        return ()
    return tuple(
        _version(each)
        for each in repository.commits(revision or "HEAD", paths=paths, limit=limit)
    )


def history(rooms: Rooms, path: PurePosixPath, *, limit: int) -> tuple[Version, ...]:
    """List the commits that touched one memory, also where it lay before a move."""
    found: list[Version] = []
    revision = ""
    while True:
        more = versions(rooms, path, revision=revision, limit=limit - len(found))
        found += [replace(each, path=path) for each in more]
        before = _before_move(rooms, more[-1].commit, path) if more else None
        if before is None or len(found) >= limit:
            return tuple(found)
        revision, path = before


def _before_move(
    rooms: Rooms, commit: str, path: PurePosixPath
) -> tuple[str, PurePosixPath] | None:
    """Say where a file lay that a commit put here as it was, and in which commit."""
    repository = rooms.repository()
    parents = repository.commits(commit, limit=1)[0].parents
    if not parents:
        return None
    changes = repository.changed(parents[0], commit)
    added = {c.new.oid for c in changes if c.path == path and not c.old.mode}
    left = (c.path for c in changes if not c.new.mode and c.old.oid in added)
    old = next(left, None)
    return None if old is None else (parents[0], old)


def reverted(rooms: Rooms, report: Report) -> Reverted:
    """Say what the commit of an undo or a restore changed."""
    changed: tuple[PurePosixPath, ...] = ()
    tree = rooms.tree()
    if report.committed:
        made = versions(rooms, revision=report.committed, limit=1)
        changed = made[0].paths
    undone = versions(rooms, revision=report.undone, limit=1) if report.undone else ()
    return Reverted(
        is_changed=bool(report.committed),
        committed=report.committed,
        changed=changed,
        copies=tuple(path for path in changed if is_copy(path) and tree.exists(path)),
        refused=report.refused,
        held=report.held,
        undone=next(iter(undone), None),
        stayed=report.stayed,
    )


def _version(commit: Commit) -> Version:
    return Version(
        commit=commit.oid,
        at=commit.at,
        subject=commit.subject,
        author=commit.author,
        machine=commit.machine,
        host=commit.host,
        session=commit.session,
        paths=commit.paths,
    )
