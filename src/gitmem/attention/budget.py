"""Fit blocks into a budget of characters, and say what did not fit; pure."""

import itertools
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

NAMED_AT_MOST: Final = 10
NAMED_AT_MOST_CHARACTERS: Final = 200


@dataclass(frozen=True, slots=True)
class Piece:
    """The smallest thing that is shown or left out; never cut in the middle."""

    text: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """Pieces between a head and a tail, the most important first.

    `label` names the block where not even its head has room, `noun` what a piece is.
    `beyond` holds the ids of what the section's own limit left out, empty strings
    for pieces without a name; `rest` says where all that is left out can be had.
    """

    label: str
    noun: str
    head: str
    pieces: tuple[Piece, ...]
    tail: str
    beyond: tuple[str, ...] = ()
    rest: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How much of a block is not in the text, and which by name."""

    label: str
    noun: str
    count: int
    total: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text within its budget, and what had no room in it."""

    text: str
    left_out: tuple[LeftOut, ...]


def cost(text: str) -> int:
    """Count characters as hosts do: in UTF-16, where an emoji is two."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def fit(blocks: Sequence[Block], budget: int) -> Fitted:
    """Join as much of the blocks as the budget holds, the first served first.

    Every block that is cut says so in its place. A line for each later block is set
    aside before an earlier one takes its room, so that no block goes unmentioned.
    """
    least = [_least(block) for block in blocks]
    spare = budget - sum(cost(line) + 1 for line in least) + 1
    if spare < 0:
        return _nothing(blocks, budget)
    texts = []
    left_out = []
    for block, line in zip(blocks, least, strict=True):
        text, shown = _prefix(block, line, spare + cost(line))
        spare += cost(line) - cost(text)
        texts.append(text)
        left_out.append(_left_out(block, shown))
    return Fitted("\n".join(texts), tuple(left for left in left_out if left.count))


def _nothing(blocks: Sequence[Block], budget: int) -> Fitted:
    left_out = tuple(_left_out(block, 0) for block in blocks)
    counts: dict[str, int] = {}
    for left in left_out:
        counts[left.noun] = counts.get(left.noun, 0) + left.count
    told = ", ".join(f"{count} {noun}" for noun, count in counts.items())
    text = f"[no room for anything: {told} left out]"
    return Fitted(text if cost(text) <= budget else "", left_out)


def _prefix(block: Block, least: str, room: int) -> tuple[str, int]:
    """Show the longest run of first pieces that has room with its notice."""
    frame = cost(block.head) + 1 + cost(block.tail)
    sizes = (cost(piece.text) + 1 for piece in block.pieces)
    most = bisect_right(list(itertools.accumulate(sizes)), room - frame)
    for shown in range(most, -1, -1):
        text = _joined(block, shown)
        if cost(text) <= room:
            return text, shown
    return least, 0


def _joined(block: Block, shown: int) -> str:
    lines = [block.head, *(piece.text for piece in block.pieces[:shown])]
    if shown < _total(block):
        more = f"; {block.rest}" if block.rest else ""
        lines.append(f"[{_counted(block, shown)}{_named(block, shown)}{more}]")
    return "\n".join([*lines, block.tail])


def _least(block: Block) -> str:
    """Mention a block without showing it, unless showing it is shorter."""
    told = f"[{block.label}: {_counted(block, 0)}]"
    return min(_joined(block, len(block.pieces)), told, key=cost)


def _left_out(block: Block, shown: int) -> LeftOut:
    return LeftOut(
        label=block.label,
        noun=block.noun,
        count=_total(block) - shown,
        total=_total(block),
        ids=tuple(filter(None, _ids(block, shown))),
    )


def _counted(block: Block, shown: int) -> str:
    total = _total(block)
    return f"{total - shown} of {total} {block.noun} left out"


def _named(block: Block, shown: int) -> str:
    named: list[str] = []
    room = NAMED_AT_MOST_CHARACTERS
    for name in itertools.islice(_ids(block, shown), NAMED_AT_MOST):
        room -= cost(name) + 2
        if not name or room < 0:
            break
        named.append(name)
    if not named:
        return ""
    more = _total(block) - shown - len(named)
    return f": {', '.join(named)}" + (f" and {more} more" if more else "")


def _total(block: Block) -> int:
    return len(block.pieces) + len(block.beyond)


def _ids(block: Block, shown: int) -> Iterator[str]:
    yield from (piece.id for piece in block.pieces[shown:])
    yield from block.beyond
