"""Section `cues`: one short entry for each memory that the prompt brings to mind."""

from typing import Final

from gitmem.attention.budget import Block, Piece
from gitmem.delivery import fence
from gitmem.delivery.view import Cue, Turn

WHY_LIMIT: Final = 120
TITLE_LIMIT: Final = 120


def render_turn(turn: Turn) -> tuple[Block, ...]:
    """Name what bears on the turn, the most telling first."""
    if not turn.cues:
        return ()
    return (
        Block(
            label="cues",
            noun="memories",
            head="<memory_cues>\nNot read yet; open what bears on the task:",
            pieces=tuple(Piece(_entry(cue), str(cue.path)) for cue in turn.cues),
            tail="</memory_cues>",
        ),
    )


def _entry(cue: Cue) -> str:
    about = ", ".join((cue.kind, *cue.marks, cue.day.isoformat()))
    description = cue.description if cue.description != cue.title else ""
    lines = {
        "path": fence.name(cue.place),
        "description": fence.line(description),
        "why": fence.line(cue.why, WHY_LIMIT),
        "origin": fence.line(cue.origin),
    }
    shown = [f"  {name}: {text}" for name, text in lines.items() if text]
    head = f"- {fence.line(cue.title, TITLE_LIMIT)} ({fence.line(about)})"
    return "\n".join([head, *shown])
