"""`gitmem undo`: take a commit back."""

import click

from gitmem.cli import words
from gitmem.cli.command import Call, Outcome, command


@command
@click.argument("commit", required=False, default="")
def undo(call: Call, commit: str) -> Outcome:
    r"""Take a commit back, as a new commit.

    Without COMMIT it is the last one that is no merge. What came after it stays. Where
    a later edit overlaps, the file stays as it is and its former version comes to lie
    beside it as a conflict copy.

    \b
    Example:  gitmem undo 4f0c2ab
    Next:     gitmem log
    """
    report = call.service().undo(commit)
    text = words.of_report(report) if report.committed else "It is undone already."
    complaints = words.left_over(report)
    return Outcome(report, text, complaints, int(bool(complaints)))
