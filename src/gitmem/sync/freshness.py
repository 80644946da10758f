"""Decide whether a fetch can be skipped; pure.

Imports next to nothing: `gitmem sync pull` asks here before anything else.
"""

from datetime import datetime, timedelta

TYPE_CHECKING = False  # typing: 3 ms
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# The file in which a machine remembers its last cycles.
NAME = "sync.json"
RECENT = "the last fetch is recent enough"


class Fetched:
    """Of which remote and branch the last fetch was, when, and what waits since."""

    # No dataclass, which brings 20 modules along.
    __slots__ = ("at", "branch", "held", "url")

    def __init__(self, url: str, branch: str, at: datetime | None, held: str) -> None:
        """Take what the record of the last cycles says."""
        self.url, self.branch, self.at, self.held = url, branch, at, held


def fetched(found: "Mapping[str, Any]") -> Fetched:
    """Read it from a record; raises KeyError, TypeError or ValueError if damaged."""
    at = time_of(found["fetch"]["at"])
    return Fetched(str(found["url"]), str(found["branch"]), at, str(found["held"]))


def holds(
    last: Fetched, *, url: str, branch: str, now: datetime, ttl: timedelta
) -> bool:
    """Say whether nothing need be asked of this branch of this remote.

    A decision that waits is asked again whenever somebody could take it.
    """
    return (
        bool(last.url)
        and (last.url, last.branch) == (url, branch)
        and not last.held
        and is_fresh(last.at, now=now, ttl=ttl)
    )


def is_fresh(at: datetime | None, *, now: datetime, ttl: timedelta) -> bool:
    """Say whether a success at `at` still counts; one in the future never does."""
    return at is not None and timedelta(0) <= now - at < ttl


def time_of(text: str | None) -> datetime | None:
    """Read a time as the record holds it; raises ValueError."""
    if not text:
        return None
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError(text)
    return found
