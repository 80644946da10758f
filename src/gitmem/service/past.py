"""Look into the past of the memory, and say what was brought back from it."""

from pathlib import PurePosixPath

from gitmem.memory.conflicts import is_copy
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
        Version(
            commit=each.oid,
            at=each.at,
            subject=each.subject,
            author=each.author,
            machine=each.machine,
            host=each.host,
            session=each.session,
            paths=each.paths,
        )
        for each in repository.commits(revision or "HEAD", paths=paths, limit=limit)
    )


def reverted(rooms: Rooms, report: Report) -> Reverted:
    """Say what the commit of an undo or a restore changed."""
    changed: tuple[PurePosixPath, ...] = ()
    tree = rooms.tree()
    if report.committed:
        made = versions(rooms, revision=report.committed, limit=1)
        changed = made[0].paths
    return Reverted(
        is_changed=bool(report.committed),
        committed=report.committed,
        changed=changed,
        copies=tuple(path for path in changed if is_copy(path) and tree.exists(path)),
        refused=report.refused,
        held=report.held,
    )
