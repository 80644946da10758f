"""How many anchors there are, and on which days; pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from gitmem.service.notices import counted
from gitmem.tape.anchor import HANDOFF, SESSION, THREAD, TYPES
from gitmem.tui.rows import Row

_BARS: Final = "▁▂▃▄▅▆▇█"
_TYPES: Final = {
    SESSION: ("of a session", "of sessions"),
    HANDOFF: ("handoff", "handoffs"),
    THREAD: ("node", "nodes"),
}


def by_day(rows: Iterable[Row]) -> dict[date, int]:
    """Count anchors by day, the newest day first."""
    found = Counter(each.day for each in rows)
    return dict(sorted(found.items(), reverse=True))


def run(counts: Mapping[date, int], last: int) -> tuple[tuple[date, int], ...]:
    """Give the days up to the newest one, those without anchors too, `last` of them."""
    if not counts:
        return ()
    newest, oldest = max(counts), min(counts)
    length = min(last, (newest - oldest).days + 1)
    days = (newest - timedelta(days=back) for back in reversed(range(length)))
    return tuple((day, counts.get(day, 0)) for day in days)


def sparkline(counts: Sequence[int]) -> str:
    """Draw counts as bars; nothing is a space, and the most is a whole block."""
    most = max(counts, default=0)
    return "".join(_bar(count, most) for count in counts)


def summary(rows: Sequence[Row], threads: int) -> str:
    """Count the anchors, those of each type, and the threads."""
    found = Counter(each.type for each in rows)
    kinds = [counted(found[name], *_TYPES[name]) for name in TYPES if found[name]]
    told = f" ({', '.join(kinds)})" if kinds else ""
    return f"{counted(len(rows), 'anchor')}{told} · {counted(threads, 'thread')}"


def _bar(count: int, most: int) -> str:
    if not count:
        return " "
    return _BARS[(count * len(_BARS) - 1) // most]
