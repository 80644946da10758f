"""`gitmem restore`: bring back a version of one memory."""

import click

from gitmem.cli import words
from gitmem.cli.command import Call, Outcome, command
from gitmem.errors import UsageError


@command
@click.argument("version", metavar="PATH@REV")
def restore(call: Call, version: str) -> Outcome:
    r"""Bring back a version of one memory.

    REV is a commit as `gitmem history PATH` lists it. What it held at PATH becomes a
    commit of its own. What is there now is committed first, so nothing is lost;
    restoring the version before brings it back.

    \b
    Example:  gitmem restore core/deploy.md@4f0c2ab
    Next:     gitmem sync
    """
    path, _, revision = version.rpartition("@")
    if not path or not revision:
        raise UsageError(
            f"{version!r} does not say which version.",
            "Write PATH@REV; `gitmem history PATH` lists the versions.",
        )
    done = call.service().restore(path, revision)
    text = words.of_reverted(done, "It is that version already; nothing was changed.")
    complaints = words.left_over(done)
    return Outcome(done, text, complaints, int(bool(complaints)))
