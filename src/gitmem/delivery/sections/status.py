"""Section `status`: one line, only when something needs the person."""

from collections.abc import Sequence
from typing import Final

from gitmem.attention.budget import Block, Piece
from gitmem.delivery import fence
from gitmem.delivery.view import Turn, View

SHOWN_AT_MOST: Final = 5
SENTENCE_LIMIT: Final = 200


def render(view: View) -> tuple[Block, ...]:
    """Say what needs the person, in one line."""
    return _block(view.status)


def render_turn(turn: Turn) -> tuple[Block, ...]:
    """Say what came to need the person since the session was told."""
    return _block(turn.status)


def _block(sentences: Sequence[str]) -> tuple[Block, ...]:
    if not sentences:
        return ()
    shown = [fence.line(said, SENTENCE_LIMIT) for said in sentences[:SHOWN_AT_MOST]]
    more = len(sentences) - len(shown)
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
