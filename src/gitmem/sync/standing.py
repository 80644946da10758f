"""Say where a repository stands, without changing it and without the network."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from gitmem.memory.conflicts import is_copy
from gitmem.sync.hidden import with_hidden
from gitmem.sync.record import Record
from gitmem.sync.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Standing:
    """What waits to be committed, pushed or settled, and how the last cycles went."""

    branch: str
    url: str | None
    head: str | None
    uncommitted: int
    unpushed: int
    oldest_unpushed: datetime | None
    conflicts: tuple[PurePosixPath, ...]
    leftovers: tuple[str, ...]
    record: Record


def standing(work: Workspace) -> Standing:
    """Describe the repository as it is now."""
    status = with_hidden(work.repository, work.repository.status())
    tips = work.known()
    waiting = (
        work.repository.unpushed(tips.local, tips.remote)
        if tips.local and work.address
        else ()
    )
    tracked = work.repository.tree(status.head) if status.head else {}
    return Standing(
        branch=work.options.branch,
        url=work.address.text if work.address else None,
        head=status.head,
        uncommitted=len(status.entries),
        unpushed=len(waiting),
        oldest_unpushed=min(waiting, default=None),
        conflicts=tuple(sorted(path for path in tracked if is_copy(path))),
        leftovers=work.repository.leftovers(),
        record=work.record,
    )
