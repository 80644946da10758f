"""`gitmem undo`: take a commit back."""

import click

from gitmem.cli import words
from gitmem.cli.command import Call, Outcome, command

_NOTHING = "Nothing was changed: that is undone already, or a later edit stands."


@command
@click.argument("commit", required=False, default="")
def undo(call: Call, commit: str) -> Outcome:
    r"""Take a commit back, as a new commit.

    Without COMMIT it is the last one that this machine made and that is no merge: each
    `rm`, `mv`, `restore` and `undo` is one, and so is what a `sync` committed. What was
    not committed yet is committed first; if there was any, name the COMMIT. What came
    after it stays. Where a later edit overlaps, the file stays as it is and its former
    version comes to lie beside it as a conflict copy; one that COMMIT made stays, and
    is named.

    \b
    Example:  gitmem undo 4f0c2ab
    Next:     gitmem sync
    """
    done = call.service().undo(commit)
    text = words.of_reverted(done, _NOTHING)
    complaints = words.left_over(done)
    return Outcome(done, text, complaints, int(bool(complaints)))
