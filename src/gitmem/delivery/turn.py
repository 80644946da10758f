"""What an agent is told at a turn: what came up since, and chosen sections."""

from collections.abc import Sequence
from typing import Final

from gitmem.attention.budget import cost, fit
from gitmem.delivery import registry
from gitmem.delivery.start import CLOSING, Rendered
from gitmem.delivery.view import Turn

OPENING: Final = '<memory_context moment="turn">'
# Before the sections that settings choose; they speak only when something came up.
ALWAYS: Final = ("status", "news", "keyword")
# Behind them, where another setting wants it at all.
AT_LAST: Final = ("bridge",)


def turn_text(turn: Turn, names: Sequence[str], budget_characters: int) -> Rendered:
    """Render the sections in their order, within the budget; empty for no news."""
    order = dict.fromkeys((*ALWAYS, *names, *AT_LAST))
    blocks = [block for name in order for block in registry.turn_blocks(name, turn)]
    if not blocks:
        return Rendered("")
    fitted = fit(blocks, budget_characters - cost(OPENING) - cost(CLOSING) - 2)
    if not fitted.text:
        return Rendered("", fitted.left_out)
    return Rendered(f"{OPENING}\n{fitted.text}\n{CLOSING}", fitted.left_out)
