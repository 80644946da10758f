"""`gitmem list`: the memories there are."""

from typing import TYPE_CHECKING

import click

from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.style import bold, faint, listed, safe

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row


@command
@click.option(
    "--tag",
    "tags",
    metavar="TAG",
    multiple=True,
    help="Only memories with this tag, however spelled; with each, if several.",
)
@click.option(
    "--layer",
    metavar="LAYER",
    help="project, global, all, or a layer's name.  [default: project and global]",
)
@click.option(
    "--limit", type=click.IntRange(1), default=100, help="The most memories listed."
)
def list(  # noqa: A001  what a person types
    call: Call, tags: tuple[str, ...], layer: str | None, limit: int
) -> Outcome:
    r"""List the memories, the newest first.

    Each with its path, when it last changed, what it holds, and its tags.

    \b
    Example:  gitmem list --tag deploy
    Next:     gitmem read PATH
    """
    found = call.service().newest(tags=tags, layer=layer, limit=limit)
    memories = [
        {
            "path": each.path,
            "layer": each.layer,
            "description": each.description,
            "tags": each.tags,
            "created": each.created,
            "updated": each.updated or each.changed_at.date(),
        }
        for each in found
    ]
    text = "\n".join(map(_line, found)) or "There are no memories here yet."
    return Outcome({"memories": memories}, text)


def _line(row: "Row") -> str:
    day = row.updated or row.changed_at.date().isoformat()
    tags = listed(f"#{tag}" for tag in row.tags)
    said = f"{bold(row.path)}  {safe(day)}  {safe(row.description)}"
    return f"{said}  {faint(tags)}" if tags else said
