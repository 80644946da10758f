"""`gitmem history`: the versions of one memory."""

import click

from gitmem.cli import offered, words
from gitmem.cli.command import Call, Outcome, command


@command
@click.argument("path", shell_complete=offered.memories)
@click.option(
    "--limit", type=click.IntRange(1), default=20, help="The most versions listed."
)
def history(call: Call, path: str, limit: int) -> Outcome:
    r"""List who wrote the versions of one memory.

    Each with the commit, its machine, host and session; also of the time before a
    `gitmem mv`, with the path that it had then. A memory that was deleted has a
    history too. PATH is as for `gitmem read`.

    \b
    Example:  gitmem history core/deploy.md
    Next:     gitmem read core/deploy.md --rev REV
              gitmem restore core/deploy.md@REV
    """
    versions = call.service().history(path, limit=limit)
    return Outcome({"versions": versions}, words.of_versions(versions))
