"""Section `index`: the beginning of each layer's `MEMORY.md`."""

from typing import Final

from gitmem.attention.budget import Block
from gitmem.delivery.excerpt import excerpt, within_characters
from gitmem.delivery.view import View

LIMIT_LINES: Final = 200
LIMIT_CHARACTERS: Final = 25_000


def render(view: View) -> tuple[Block, ...]:
    """Show each layer's durable notes, cut at a line end where they are long."""
    limit = within_characters(LIMIT_CHARACTERS, LIMIT_LINES)
    return tuple(
        block
        for layer in view.layers
        for block in excerpt(view, layer, "MEMORY.md", "index", limit)
    )
