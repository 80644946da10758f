"""Section `status`: one line, only when something needs the person."""

from typing import Final

from gitmem.attention.budget import Block, Piece
from gitmem.delivery import fence
from gitmem.delivery.view import View

SHOWN_AT_MOST: Final = 5
SENTENCE_LIMIT: Final = 200


def render(view: View) -> tuple[Block, ...]:
    """Say what needs the person, in one line."""
    if not view.status:
        return ()
    shown = [fence.line(said, SENTENCE_LIMIT) for said in view.status[:SHOWN_AT_MOST]]
    more = len(view.status) - len(shown)
    if more:
        shown.append(f"And {more} more: run `gitmem check`.")
    return (
        Block(
            label="status",
            noun="lines",
            head="<memory_status>",
            pieces=(Piece(" ".join(shown)),),
            tail="</memory_status>",
        ),
    )
