"""`gitmem review`: look over the tape."""

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from gitmem.cli import output
from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import safe
from gitmem.errors import UsageError
from gitmem.process import environment
from gitmem.service.notices import counted
from gitmem.tui.model import LIMIT, MOST

if TYPE_CHECKING:
    from gitmem.tui.model import Model, View

_STDOUT: Final = 1


@command
@click.option("--plain", is_flag=True, help="Print sentences, as for a screen reader.")
@click.option(
    "--filter",
    "query",
    metavar="TEXT",
    default="",
    show_default=False,
    help="Only anchors that are like this.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, MOST),
    default=LIMIT,
    help="The most anchors on a page.",
)
@click.option(
    "--page",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="Which page to print, the newest first.",
)
@click.option("--show", metavar="ID", help="Print what was said after an anchor.")
@click.option(
    "--html",
    type=click.Path(path_type=Path, readable=False),
    metavar="FILE",
    help="Write all of it into one HTML page: a new file, or in place of a plain one, "
    "never through a link; `-` is standard output.",
)
def review(  # noqa: PLR0913, PLR0917  one for each option
    call: Call,
    plain: bool,
    query: str,
    limit: int,
    page: int,
    show: str | None,
    html: Path | None,
) -> Outcome:
    r"""Look over the tape: anchors, threads, keywords.

    Anchors stand in the order of time, threads as a tree, keywords with what they
    stand beside. On a terminal it fills the screen; ? lists the keys there. With
    --plain, or where nobody sees a terminal, it prints a page. A filter finds what is
    nearly spelled so, in names, summaries, purposes, triggers, keywords and times.

    \b
    Example:  gitmem review
              gitmem review --plain --filter 'deploy 2026-04'
              gitmem review --html review.html
    Next:     gitmem review --show ID
    """
    from gitmem.tui import desk as desks
    from gitmem.tui.model import Model

    desk = desks.ServiceDesk(call.service())
    if show is not None:
        from gitmem.tui import plain as words

        played = desk.replay(show)
        return Outcome(played, words.played(played))
    model = Model(desk.review(), limit)
    if html is not None:
        return _written(call, model, model.view(query), html)
    if plain or call.is_json or not _is_interactive():
        return _page(model, model.view(query), page)
    from gitmem.tui.door import run  # heavy: 200 ms

    return Outcome({}, run(desk, model, query, limit))


def _is_interactive() -> bool:
    """Say whether a person sits before a terminal that a screen can be drawn on."""
    types = sys.stdin is not None and sys.stdin.isatty()
    return output.is_terminal() and types and environment().get("TERM") != "dumb"


def _page(model: "Model", view: "View", number: int) -> Outcome:
    from gitmem.tui import plain as words

    if number > view.pages:
        raise UsageError(
            f"There is no page {number}; the last one is {view.pages}.",
            "Give a lower --page.",
        )
    document = {
        "project": model.project,
        "total": len(view.rows),
        "page": number,
        "pages": view.pages,
        "anchors": [row.anchor for row in view.page(number)],
        "threads": view.threads,
        "keywords": view.keywords,
        "days": {str(day): count for day, count in view.counts.items()},
    }
    return Outcome(document, words.page(model.project, view, number))


def _written(call: Call, model: "Model", view: "View", path: Path) -> Outcome:
    from gitmem.files import named
    from gitmem.tui.page import page

    written = f"written {datetime.now().astimezone():%Y-%m-%d %H:%M}"
    text = page(model.project, view, written)
    target = call.cwd.absolute() / path
    if str(path) == "-" or named.is_open_as(target, _STDOUT):
        return _handed_on(call, text)
    named.write(target, text.encode("utf-8"))
    said = f"Wrote {counted(len(view.rows), 'anchor')} to {safe(str(target))}."
    return Outcome({"path": target, "anchors": len(view.rows)}, said)


def _handed_on(call: Call, text: str) -> Outcome:
    """Put the page itself on standard output."""
    if call.is_json:
        raise UsageError(
            "The page and --json both want standard output.",
            "Leave out --json, or give --html a file.",
        )
    return Outcome({}, text.rstrip("\n"), raw=text.encode("utf-8"))
