"""`gitmem mv`: another path for a memory."""

import re

import click

from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import bold, good

MENTIONS = 20


@command
@click.argument("old")
@click.argument("new")
def mv(call: Call, old: str, new: str) -> Outcome:
    r"""Give one memory another path.

    What it says stays as it is. Lines of other memories that name the old path are
    told, and left alone. Both paths are as for `gitmem read`; NEW must not exist.

    \b
    Example:  gitmem mv notes/deploy.md core/deploy.md
    Next:     gitmem sync

    The next `gitmem sync` commits it; `gitmem undo` takes that commit back.
    """
    from gitmem.catalog.ripgrep import Kind

    service = call.service()
    before = service.read(old).path
    stored = service.move(old, new)
    name = re.escape("/".join(before.parts[1:]))
    found = service.grep(name, Kind.GREP, limit=MENTIONS)
    complaints = tuple(
        f"{each.path}:{each.number} names the old path" for each in found.lines
    )
    value = {"old": before, "path": stored.path, "mentions": found.lines}
    text = f"{good('Moved')} {bold(before)} to {bold(stored.path)}."
    return Outcome(value, text, (*stored.warnings, *complaints))
