"""`gitmem path`: where the memory is."""

from typing import Literal

import click

from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import safe


@command
@click.option(
    "--layer",
    type=click.Choice(["project", "global"]),
    help="Print the folder of this project's layer, or of the shared one.",
)
def path(call: Call, layer: Literal["project", "global"] | None) -> Outcome:
    r"""Print where the memory repository is, or one of its layers.

    It prints the path and nothing else.

    The folder need not exist yet: `gitmem init` makes the repository, the first
    memory makes a layer.

    \b
    Example:  cd "$(gitmem path --layer project)"
    Next:     gitmem check
    """
    found = call.service().path(layer)
    return Outcome({"path": found, "layer": layer}, safe(str(found)))
