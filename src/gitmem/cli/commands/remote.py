"""`gitmem remote`: the remote of the memory."""

import click

from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import bold, safe


@command
@click.argument("url", required=False)
def remote(call: Call, url: str | None) -> Outcome:
    r"""Print the remote of the memory, or set it.

    Nothing is sent yet: the next sync merges with what the new remote has. Where your
    settings name a remote, they are changed too.

    \b
    Example:  gitmem remote git@example.org:me/memory.git
    Next:     gitmem sync
    """
    found = call.service().remote(url)
    if url is None:
        text = safe(found) if found else "none; set one with `gitmem remote URL`"
    else:
        text = f"The remote is {bold(found)} now; exchange with it by `gitmem sync`."
    return Outcome({"url": found}, text)
