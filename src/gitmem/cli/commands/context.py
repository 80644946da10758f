"""`gitmem context`: what an agent is told."""

import click

from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import safe_lines
from gitmem.service.answers import Given, Visit

_NOTHING = "Nothing is stored for this project yet, so an agent is told nothing."
_NO_CUES = "Nothing is given at a turn where nothing came up."


@command
@click.option(
    "--session", metavar="ID", help="The text that this session was told, kept for it."
)
@click.option("--host", metavar="HOST", default="cli", help="The session's host.")
@click.option(
    "--prompt", metavar="TEXT", help="What is given at a turn with this prompt."
)
def context(call: Call, session: str | None, host: str, prompt: str | None) -> Outcome:
    r"""Print exactly what an agent is told.

    That is the text given at the start of a session. With --session the text is kept:
    the same session is told the same bytes again, whatever was synced meanwhile, until
    `gitmem refresh --session ID`. With --prompt it is the text of a turn, which tells
    only what came up since: most turns are told nothing.

    \b
    Example:  gitmem context
    Next:     gitmem settings --explain    (delivery.start chooses the sections)
    """
    service = call.service()
    if prompt is not None:
        turn = service.session.turn(Visit("cli", ""), prompt)
        complaints = () if turn.text else (_NO_CUES,)
        return Outcome(Given(turn.text), safe_lines(turn.text), complaints)
    given = service.context(session, host)
    complaints = () if given.text else (_NOTHING,)
    return Outcome(given, safe_lines(given.text), complaints)
