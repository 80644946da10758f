"""Answer at once what the last settings and the last sync settle.

Before anything else is imported. What could have more to tell than these lines, or may
not be as it was, is left to the whole program.
"""

import os

from gitmem.settings import reading, snapshot

TYPE_CHECKING = False  # typing: 3 ms
if TYPE_CHECKING:
    from typing import Any

    from gitmem.settings.snapshot import Glance
    from gitmem.sync.freshness import Fetched

_RECORD_BYTES = 1 << 20


def answer(arguments: list[str]) -> str | None:
    """Give the answer, or None for what needs the whole program."""
    if arguments not in (["path"], ["sync", "pull"]):
        return None
    # The table of variables without the 30 modules that `process` brings along.
    found = snapshot.glance(os.environ)  # noqa: TID251  the light path
    if found is None:
        return None
    return found.local_path if arguments == ["path"] else _throttled(found)


def skipped(reason: str) -> str:
    """Say that the remote was not asked, and why."""
    return f"Nothing asked of the remote: {reason}."


def _throttled(found: "Glance") -> str | None:
    """Say that no pull is due, where nothing else could have to be said."""
    is_there = os.path.exists(f"{found.local_path}/.git")
    if not is_there or os.path.realpath(found.local_path) != found.real:
        return None
    last = _fetched(found.state)
    if last is None or found.repo_url not in {"", last.url}:
        return None
    from datetime import UTC, datetime, timedelta

    from gitmem.sync.freshness import RECENT, holds

    is_recent = holds(
        last,
        url=last.url,
        branch=found.branch,
        now=datetime.now(UTC),
        ttl=timedelta(seconds=found.fetch_ttl),
    )
    return skipped(RECENT) if is_recent else None


def _fetched(state: str) -> "Fetched | None":
    """Read of the sync record what the throttle decides by."""
    if not snapshot.is_private(state):
        return None
    from gitmem.sync.freshness import NAME, fetched

    data = reading.read_private(f"{state}/{NAME}", _RECORD_BYTES)
    if data is None:
        return None

    try:
        # What `json` itself reads with; `json` brings `re` along: 8 ms.
        from _json import make_scanner

        scan: Any = make_scanner
        return fetched(scan(_Plain)(data.decode(), 0)[0])
    except (ImportError, LookupError, TypeError, ValueError):
        return None
    except (RecursionError, StopIteration):
        return None


class _Plain:
    """What a scanner is told of: nothing but plain JSON."""

    strict = True
    object_hook = object_pairs_hook = parse_constant = None
    parse_float = float
    parse_int = int
