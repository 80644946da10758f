"""Everything that a cycle is told, read once from the settings."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.sync.author import Author

if TYPE_CHECKING:
    from gitmem.process import Stopper
    from gitmem.repo.remote import Progress
    from gitmem.sessions.claims import Claims
    from gitmem.sync.check import Rules


@dataclass(frozen=True, slots=True)
class Options:
    """One memory repository, its remote, and who works on it.

    `state` is the folder in which this machine keeps what it remembers of the
    repository. Without a `url` the repository's own `origin` is used, if it has one.
    A `stopper` can break off, from another thread, what a cycle waits for.
    """

    root: Path
    state: Path
    branch: str
    url: str | None
    author: Author
    rules: "Rules"
    now: Callable[[], datetime]
    timeout_seconds: float
    fetch_ttl: timedelta
    sign: bool = False
    progress: "Progress | None" = None
    stopper: "Stopper | None" = None
    lock_seconds: float = 30.0
    claims: "Claims | None" = None
