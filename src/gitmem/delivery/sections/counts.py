"""Section `counts`: how much is held on what the prompt is about."""

from gitmem.attention.budget import Block, Piece
from gitmem.delivery import fence
from gitmem.delivery.view import Count, Turn


def render_turn(turn: Turn) -> tuple[Block, ...]:
    """Say for each subject how many memories there are, so that none is missed."""
    if not turn.counts:
        return ()
    return (
        Block(
            label="counts",
            noun="lines",
            head="<memory_counts>",
            pieces=tuple(Piece(_line(each)) for each in turn.counts),
            tail="</memory_counts>",
        ),
    )


def _line(each: Count) -> str:
    loops = f", {each.open} open" if each.open else ""
    return f"{each.held} about {fence.line(each.subject)}{loops}; {each.shown} shown"
