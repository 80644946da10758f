"""`gitmem rm`: delete a memory."""

import click

from gitmem.cli import offered, words
from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import bold, good


@command
@click.argument("path", shell_complete=offered.memories)
def rm(call: Call, path: str) -> Outcome:
    r"""Delete one memory.

    That becomes a commit of its own, which `gitmem undo` takes back. What the memory
    says is committed first; a file that may not be committed is not deleted. PATH is
    as for `gitmem read`.

    \b
    Example:  gitmem rm notes/old.md
    Next:     gitmem sync

    To have it back later: `gitmem history notes/old.md` lists its versions, and
    `gitmem restore notes/old.md@REV` brings one back.
    """
    deleted = call.service().delete(path)
    value = {
        "path": deleted.old,
        "hash": deleted.stored.hash,
        "committed": deleted.report.committed,
    }
    said = f"{good('Deleted')} {bold(deleted.old)}."
    complaints = words.left_over(deleted.report)
    text = f"{said}\n{words.of_change(deleted.report)}"
    return Outcome(value, text, complaints, int(bool(complaints)))
