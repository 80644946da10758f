"""`gitmem rm`: delete a memory."""

import click

from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import bold, good


@command
@click.argument("path")
def rm(call: Call, path: str) -> Outcome:
    r"""Delete one memory.

    What it says is committed first, so that it can be brought back; a file that may
    not be committed is not deleted. PATH is as for `gitmem read`.

    \b
    Example:  gitmem rm notes/old.md
    Next:     gitmem sync

    To have it back: gitmem restore notes/old.md@HEAD before the next `gitmem sync`,
    or any version that `gitmem history notes/old.md` lists.
    """
    deleted = call.service().delete(path)
    text = f"{good('Deleted')} {bold(deleted.path)}; `gitmem sync` commits that."
    return Outcome({"path": deleted.path, "hash": deleted.hash}, text)
