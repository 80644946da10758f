"""Section `daily`: today's note of the shared layer, whole."""

from typing import Final

from gitmem.attention.budget import Block
from gitmem.delivery.excerpt import excerpt, within_bytes
from gitmem.delivery.view import View

LIMIT_BYTES: Final = 8 * 1024


def render(view: View) -> tuple[Block, ...]:
    """Show the note of the view's day; one over the limit is cut, and says so."""
    limit = within_bytes(LIMIT_BYTES)
    path = f"daily/{view.today.isoformat()}.md"
    return tuple(
        block
        for layer in view.layers
        if layer.is_shared
        for block in excerpt(view, layer, path, "daily", limit)
    )
