"""Section `profile`: who the person is, `USER.md` of the shared layer, whole."""

from typing import Final

from gitmem.attention.budget import Block
from gitmem.delivery.excerpt import excerpt, within_bytes
from gitmem.delivery.view import View

LIMIT_BYTES: Final = 8 * 1024


def render(view: View) -> tuple[Block, ...]:
    """Show the profile; one larger than the limit is cut, and says so."""
    limit = within_bytes(LIMIT_BYTES)
    return tuple(
        block
        for layer in view.layers
        if layer.is_shared
        for block in excerpt(view, layer, "USER.md", "profile", limit)
    )
