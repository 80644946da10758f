"""Note who wrote a memory, so that the commit that holds it can say so."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.lineage import ancestors, is_alive

if TYPE_CHECKING:
    from gitmem.service.rooms import Rooms

_NOBODY: Final = "cli"


def claim(rooms: "Rooms", written: Mapping[PurePosixPath, bytes]) -> None:
    """Claim files for the session that wrote them, or for none where that is known."""
    found = caller(rooms)
    if found is not None:
        note(rooms, *found, written)


def caller(rooms: "Rooms") -> tuple[str, str] | None:
    """Name the host and the session that call; None where no session is at work.

    A command that a session's host started, by whatever it runs, calls for it.
    """
    author = rooms.options().author
    if author.host != _NOBODY:
        return author.host, author.session
    live = rooms.sessions().live()
    if not live:
        return None
    above = set(ancestors())
    owners = [s for s in live if s.pid in above and is_alive(s.pid, s.born)]
    return (owners[-1].host, owners[-1].id) if owners else (_NOBODY, "")


def note(
    rooms: "Rooms", host: str, session: str, written: Mapping[PurePosixPath, bytes]
) -> None:
    """Note that a session wrote these files."""
    from gitmem.sessions.claims import Claims
    from gitmem.sync.apply import blob_oid

    oids = {str(path): blob_oid(data) for path, data in written.items()}
    Claims(rooms.state / "sessions").add(host, session, oids)
