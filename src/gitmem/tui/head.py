"""What stands above and below a view: where one is, what there is, which keys; pure."""

from typing import Final

from gitmem.tui import days
from gitmem.tui.model import View
from gitmem.tui.text import BAR, FAINT, HEAD, STRONG, Line, line

TIMELINE: Final = "Timeline"
THREADS: Final = "Threads"
KEYWORDS: Final = "Keywords"
VIEWS: Final = (TIMELINE, THREADS, KEYWORDS)
_SPAN_CELLS: Final = 27
_KEYS: Final = {
    TIMELINE: "Enter read  / filter  Ctrl+D delete  n p page  Tab view  ? keys  q quit",
    THREADS: "c check out  a archive  Enter read  / filter  Tab view  ? keys  q quit",
    KEYWORDS: "Enter filter by it  / filter  Tab view  ? keys  q quit",
}
NOTHING: Final = {
    TIMELINE: "There is no anchor yet. Set one: gitmem tape handoff NAME",
    THREADS: "There is no thread yet. Begin one: gitmem tape thread create",
    KEYWORDS: "No anchor has a keyword yet.",
}
HELP: Final = """\
Views
  1 2 3       timeline, threads, keywords
  Tab         the next of them
Moving
  ↑ ↓  j k    a line up, down
  PgUp PgDn   a screen up, down
  Home End    the first line, the last
  n p         the next page of the timeline, the one before
Finding
  /           filter; what is nearly spelled so is found, too
  Esc Ctrl+C  leave the filter
Doing
  Enter       read what was said after an anchor, from the agent's first answer on
  Ctrl+D      delete an anchor that is no thread's, after a question
  c           check out a node of a thread: go on from there
  a           archive a thread, or a node
Reading
  y           copy the host's own command to go on with the session
  r           leave, and print that command
The screen
  t           light or dark
  q           quit
`gitmem review --plain` prints the same as sentences."""


def head(project: str, shown: str, view: View, page: int, width: int) -> list[Line]:
    """Say where one is and what there is, in three lines."""
    tabs = [
        (f" {number} {name} ", HEAD if name == shown else FAINT)
        for number, name in enumerate(VIEWS, start=1)
    ]
    paged = f"  page {page} of {view.pages}" if shown == TIMELINE else ""
    return [
        line((project, STRONG), " ", *tabs, (paged, FAINT)),
        line(view.summary),
        _by_day(view, width),
    ]


def keys(shown: str, said: str) -> list[Line]:
    """Name the keys of a view, or what there is to say just now."""
    return [line((said, HEAD)) if said else line((_KEYS[shown], FAINT))]


def nothing(shown: str, view: View) -> list[Line]:
    """Say that there is nothing to show, and why."""
    said = "Nothing is like this filter. Esc leaves it." if view.query else ""
    return [line((said or NOTHING[shown], FAINT))]


def _by_day(view: View, width: int) -> Line:
    found = days.run(view.counts, max(1, width - _SPAN_CELLS))
    if not found:
        return line()
    drawn = days.sparkline([count for _, count in found])
    return line((drawn, BAR), (f"  {found[0][0]} to {found[-1][0]}", FAINT))
