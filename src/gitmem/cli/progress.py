"""Show how far long work is, on a terminal only: Git's lines, and an index growing."""

import re
from typing import Final

from gitmem.cli import output
from gitmem.files.names import shown
from gitmem.service.rooms import Watch

WIDTH: Final = 30
LEAST_MEMORIES: Final = 200
EVERY: Final = 50
LEAST_BYTES: Final = 20_000_000
_STEP: Final = re.compile(
    r"(?:remote: )?([A-Z][a-z]+ objects|[A-Z][a-z]+ deltas): +(\d+)%"
)


def watch() -> Watch:
    """Watch the work if somebody sits there."""
    if not output.shows_progress():
        return Watch()
    return Watch(_show_git, _show_indexing, _show_reading, _show_importing)


def bar(what: str, done: int, total: int) -> str:
    """Draw a bar as text; pure."""
    part = done / max(total, 1)
    drawn = "#" * int(WIDTH * part)
    return f"{what} [{drawn:.<{WIDTH}}] {part:.0%}"


def step(line: str) -> str:
    """Draw one line of Git's progress, or nothing for any other; pure."""
    found = _STEP.search(line)
    return bar(shown(found[1]), int(found[2]), 100) if found else ""


def _show_git(data: bytes) -> None:
    for line in re.split(r"[\r\n]+", data.decode("utf-8", "replace")):
        if drawn := step(line):
            output.redraw("" if drawn.endswith("100%") else drawn)


def _show_indexing(done: int, total: int) -> None:
    if total >= LEAST_MEMORIES and (done % EVERY == 0 or done == total):
        output.redraw("" if done == total else bar("Indexing memories", done, total))


def _show_reading(done: int, total: int) -> None:
    if total >= LEAST_BYTES:
        output.redraw("" if done >= total else bar("Reading transcripts", done, total))


def _show_importing(done: int, total: int) -> None:
    """Draw how far an import is; while nobody knows of how much, only a count."""
    if done % EVERY == 0 and done != total:
        known = bar("Importing", done, total) if total else f"Looking at {done:,}"
        output.redraw(known)
    elif done == total:
        output.redraw("")
