"""Section `critical`: constraints and policies that bear on the turn, in full."""

from gitmem.attention.budget import Block, Piece
from gitmem.delivery import fence
from gitmem.delivery.view import Turn, Whole


def render_turn(turn: Turn) -> tuple[Block, ...]:
    """Give the text of each, the most telling first."""
    return tuple(_block(each) for each in turn.critical)


def _block(whole: Whole) -> Block:
    cue = whole.cue
    said = {
        "path": cue.place,
        "kind": cue.kind,
        "date": cue.day.isoformat(),
        "why": cue.why,
        "origin": cue.origin,
    }
    attributes = "".join(
        f' {name}="{fence.attribute(text)}"' for name, text in said.items() if text
    )
    lines = fence.text(whole.text.strip("\n")).split("\n")
    return Block(
        label=f"critical {fence.name(str(cue.path))}",
        noun="lines",
        head=f"<memory_critical{attributes}>",
        pieces=tuple(Piece(line) for line in lines),
        tail="</memory_critical>",
    )
