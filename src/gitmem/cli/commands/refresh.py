"""`gitmem refresh`: a start text made anew."""

import click

from gitmem.cli import complete
from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import good
from gitmem.service.notices import counted


@command
@click.option("--session", metavar="ID", help="Keep the new text for this session.")
@click.option(
    "--host",
    metavar="HOST",
    default="cli",
    shell_complete=complete.sessions_hosts,
    help="The session's host.",
)
def refresh(call: Call, session: str | None, host: str) -> Outcome:
    r"""Make a session's start text anew.

    Without --session only the catalog gains from it. A session keeps the text that it
    was told at its start; this gives it a new one on purpose, after a sync or a large
    edit; its agent is told it at the next turn. The catalog is brought up to date
    first.

    \b
    Example:  gitmem refresh --session 4f0c
    Next:     gitmem context --session 4f0c
    """
    done = call.service().refresh(session, host)
    memories = counted(done.memories, "memory", "memories")
    took = f"{done.indexed} indexed anew, {done.dropped} dropped"
    text = (
        f"{good('Refreshed')}: {memories} in the catalog, {took}.\n"
        f"The start text has {len(done.given.text)} characters."
    )
    return Outcome(done, text)
