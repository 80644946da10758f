"""Look into the past of the memory."""

from pathlib import PurePosixPath

from gitmem.service.answers import Version
from gitmem.service.rooms import Rooms


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
