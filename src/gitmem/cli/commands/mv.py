"""`gitmem mv`: another path for a memory."""

import re

import click

from gitmem.cli import offered, words
from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import bold, good

MENTIONS = 20


@command
@click.argument("old", shell_complete=offered.memories)
@click.argument("new")
def mv(call: Call, old: str, new: str) -> Outcome:
    r"""Give one memory another path.

    That becomes a commit of its own, which `gitmem undo` takes back. What the memory
    says stays as it is, and `gitmem history NEW` goes back beyond the move. Lines of
    other memories that name the old path are told, and left alone. Both paths are as
    for `gitmem read`; NEW must not exist.

    \b
    Example:  gitmem mv notes/deploy.md core/deploy.md
    Next:     gitmem sync
    """
    from gitmem.catalog.ripgrep import Kind
    from gitmem.memory.origins import is_about_an_import

    service = call.service()
    moved = service.move(old, new)
    before, stored = moved.old, moved.stored
    name = re.escape("/".join(before.parts[1:]))
    found = service.grep(name, Kind.GREP, limit=MENTIONS)
    mentions = [each for each in found.lines if not is_about_an_import(each.text)]
    complaints = tuple(
        f"{each.path}:{each.number} names the old path" for each in mentions
    )
    value = {
        "old": before,
        "path": stored.path,
        "mentions": mentions,
        "committed": moved.report.committed,
    }
    text = f"{good('Moved')} {bold(before)} to {bold(stored.path)}."
    undone = words.left_over(moved.report)
    return Outcome(
        value,
        f"{text}\n{words.of_change(moved.report)}",
        (*stored.warnings, *complaints, *undone),
        int(bool(undone)),
    )
