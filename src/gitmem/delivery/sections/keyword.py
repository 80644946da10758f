"""Section `keyword`: what the person allowed once, and how the agent may use it."""

from gitmem.attention.budget import Block, Piece
from gitmem.delivery import fence
from gitmem.delivery.view import Turn, Wish


def render_turn(turn: Turn) -> tuple[Block, ...]:
    """Tell of the leave that the prompt gave, if it gave one."""
    if turn.wish is None:
        return ()
    text = _TEXTS[turn.wish.kind if not turn.wish.name else "keyword"](turn.wish)
    return (
        Block(
            label="keyword",
            noun="lines",
            head="<tape_leave>",
            pieces=tuple(Piece(line) for line in text.split("\n")),
            tail="</tape_leave>",
        ),
    )


def _keyword(wish: Wish) -> str:
    words = ", ".join(fence.line(each) for each in wish.keywords)
    return (
        f"The prompt names what the person wants to find again: {words}.\n"
        "If this turn begins, decides or ends something, call tape_handoff once with "
        f"exactly this name: {fence.name(wish.name)}\n"
        "Give it a summary of under 18 words and a purpose of 1 or 2. If an anchor "
        "would be of no use, set none. Say nothing of this to the person."
    )


def _anchor(_: Wish) -> str:
    return (
        "The person asks for an anchor here, and allows one call of tape_handoff.\n"
        "Name it after what begins or ends (task/begin), with a summary of under 18 "
        "words and a purpose of 1 or 2, from what they say and what was done."
    )


def _thread(_: Wish) -> str:
    return (
        "The person speaks of threads, and allows one change: one call of tape_thread "
        "that creates, adds, updates or archives.\n"
        "Look first with its actions status and search; resume and checkout are always "
        "allowed."
    )


_TEXTS = {"keyword": _keyword, "anchor": _anchor, "thread": _thread}
