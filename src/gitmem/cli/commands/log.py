"""`gitmem log`: the commits of the memory."""

import click

from gitmem.cli import words
from gitmem.cli.command import Call, Outcome, command


@command
@click.option(
    "--limit", type=click.IntRange(1), default=20, help="The most commits listed."
)
def log(call: Call, limit: int) -> Outcome:
    r"""List the commits of the memory.

    Newest first, each with the machine, host and session that wrote it.

    \b
    Example:  gitmem log --limit 5
    Next:     gitmem undo COMMIT
    """
    versions = call.service().log(limit=limit)
    text = words.of_versions(versions) or "There is no commit yet; run `gitmem sync`."
    return Outcome({"versions": versions}, text)
