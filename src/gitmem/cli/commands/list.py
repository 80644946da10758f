"""`gitmem list`: the memories there are."""

from typing import TYPE_CHECKING

import click

from gitmem.cli import offered
from gitmem.cli.command import Call, Outcome, command
from gitmem.cli.commands.search import require_tags, tags_like
from gitmem.cli.style import bold, faint, listed, safe

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row


@command
@click.option(
    "--tag",
    "tags",
    metavar="TAG",
    shell_complete=offered.tags,
    multiple=True,
    help="Only memories with this tag, however spelled; with each, if several.",
)
@click.option(
    "--layer",
    metavar="LAYER",
    shell_complete=offered.layers,
    help="Whose memories: project (this one's), global (the shared ones), all, or the "
    "name of a layer.  [default: project and global]",
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
    require_tags(tags)
    service = call.service()
    found = service.newest(tags=tags, layer=layer, limit=limit)
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
    if found:
        return Outcome({"memories": memories}, "\n".join(map(_line, found)))
    if not tags:
        where = f"in {layer}" if layer else "here"
        return Outcome({"memories": []}, f"There are no memories {safe(where)} yet.")
    nearest = service.search(tags=tags, layer=layer, limit=1).nearest_tags
    named = f"#{tags[0].lstrip('#')}" if len(tags) == 1 else "each of these tags"
    like = [tags_like(nearest)] if nearest else []
    return Outcome(
        {"memories": [], "nearest_tags": nearest},
        "\n".join([f"No memory has {safe(named)}.", *like]),
    )


def _line(row: "Row") -> str:
    day = row.updated or row.changed_at.date().isoformat()
    tags = listed(f"#{tag}" for tag in row.tags)
    said = f"{bold(row.path)}  {safe(day)}  {safe(row.description)}"
    return f"{said}  {faint(tags)}" if tags else said
