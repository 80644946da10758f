"""Section `news`: what a pull brought after the session was told its start text."""

from typing import Final

from gitmem.attention.budget import Block, Piece
from gitmem.delivery import fence
from gitmem.delivery.view import Turn

SHOWN_AT_MOST: Final = 20


def render_turn(turn: Turn) -> tuple[Block, ...]:
    """Name the files that came in, one a line."""
    if not turn.news:
        return ()
    names = [fence.name(path) for path in turn.news]
    return (
        Block(
            label="news",
            noun="files",
            head="<memory_news>\nCame in after this session began:",
            pieces=tuple(Piece(f"- {name}", name) for name in names[:SHOWN_AT_MOST]),
            tail="</memory_news>",
            beyond=tuple(names[SHOWN_AT_MOST:]),
        ),
    )
