"""`gitmem read`: print one memory."""

import click

from gitmem.cli import offered
from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import safe_lines


@command
@click.argument("path", shell_complete=offered.memories)
@click.option("--rev", metavar="REV", help="Print it as it was at this commit.")
def read(call: Call, path: str, rev: str | None) -> Outcome:
    r"""Print one memory, as it is or as it was.

    PATH is relative to this project's layer, begins with a layer's name, or is absolute
    as an agent was told it. With --json the memory's hash comes along, for `gitmem
    write --expected-hash`.

    REV is a commit as `gitmem history` lists it.

    \b
    Example:  gitmem read core/deploy.md
    Next:     gitmem history core/deploy.md
    """
    found = call.service().read(path, rev)
    text = found.data.decode("utf-8", "replace")
    value = {"path": found.path, "hash": found.hash, "text": text}
    return Outcome(value, safe_lines(text.removesuffix("\n")), raw=found.data)
