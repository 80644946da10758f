"""Merge the frontmatter of two sides, field by field; pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gitmem.memory.frontmatter.edit import edit
from gitmem.memory.frontmatter.read import read
from gitmem.memory.frontmatter.split import Block, split
from gitmem.sync.items import merge_items

_FENCE: Final = b"---\n"
_COMMENT: Final = re.compile(rb"(?:^|(?<=[ \t]))#[^\r\n]*", re.MULTILINE)
# What a value is made of, however it is laid out.
_WORD: Final = re.compile(rb"""[^\s"',\[\]{}]+""")
_DATE: Final = re.compile(r"[\dTZ:.+ -]*")
# Of two dates, the one that counts.
_DATES: Final[dict[str | None, Callable[[Iterable[str]], str]]] = {
    "updated": max,
    "created": min,
}


@dataclass(frozen=True, slots=True)
class _Choice:
    """The block that stays, and whether nothing of the other side went missing."""

    block: Block | None
    is_settled: bool = True


def merge_blocks(
    base: Sequence[Block], winner: Sequence[Block], loser: Sequence[Block]
) -> tuple[tuple[Block, ...], bool]:
    """Merge fields; False when a value of the loser found no place.

    A side that left a field alone yields to the other. Of two edits `updated` takes the
    later, `created` the earlier, a list everything that no side removed; any other
    field takes the winner's. An edit beats a removal.
    """
    before, ours, theirs = _named(base), _named(winner), _named(loser)
    choices = [
        _choose(before.get(name), ours.get(name), theirs.get(name))
        for name in dict.fromkeys((*ours, *theirs))
    ]
    kept = tuple(choice.block for choice in choices if choice.block is not None)
    return kept, all(choice.is_settled for choice in choices)


def _named(blocks: Iterable[Block]) -> dict[tuple[str, int], Block]:
    """Tell blocks apart by field, and the second of a doubled field from the first."""
    named: dict[tuple[str, int], Block] = {}
    count: Counter[str] = Counter()
    for block in blocks:
        key = block.key if block.key is not None else f"\0{block.text!r}"
        named[key, count[key]] = block
        count[key] += 1
    return named


def _choose(base: Block | None, winner: Block | None, loser: Block | None) -> _Choice:
    if loser in (winner, base):
        return _Choice(winner)
    if winner == base:
        return _Choice(loser)
    if winner is None or loser is None:
        return _Choice(winner or loser)
    return _settle(base, winner, loser)


def _settle(base: Block | None, winner: Block, loser: Block) -> _Choice:
    """Decide a field that both sides set to something of their own."""
    ours, theirs = _value(winner), _value(loser)
    if isinstance(ours, list) and isinstance(theirs, list):
        return _joined(base, winner, loser)
    if ours == theirs:
        # What reads alike may still say more: a key given twice, a byte not read.
        return _Choice(winner, _words(loser) <= _words(winner) | _words(base))
    if winner.key in _DATES and _is_date(ours) and _is_date(theirs):
        wanted = _DATES[winner.key](filter(None, (ours, theirs)))
        if wanted == theirs and _comments(winner) <= _comments(loser):
            return _Choice(loser)
        says_all = _comments(loser) <= _comments(winner) | _comments(base)
        return _Choice(_rewritten(winner, wanted), says_all)
    return _Choice(winner, is_settled=False)


def _joined(base: Block | None, winner: Block, loser: Block) -> _Choice:
    """Join two lists, if no comment of either side goes with an item of it."""
    merged = merge_items(base, winner, loser)
    if merged is None or not _comments(winner) <= _comments(merged) | _comments(base):
        return _Choice(winner, is_settled=False)
    return _Choice(merged, _comments(loser) <= _comments(merged) | _comments(base))


def _words(block: Block | None) -> Counter[bytes]:
    return Counter(_WORD.findall(block.text) if block else ())


def _is_date(value: object) -> bool:
    return isinstance(value, str) and _DATE.fullmatch(value) is not None


def _comments(block: Block | None) -> set[bytes]:
    """Find what may be a comment; taking a value for one costs a copy too many."""
    found = _COMMENT.findall(block.text) if block else ()
    return {comment.strip() for comment in found}


def _value(block: Block) -> Any:  # noqa: ANN401  frontmatter holds any YAML value
    return read(_FENCE + block.text + _FENCE).fields.get(block.key or "")


def _rewritten(block: Block, value: object) -> Block:
    edited = edit(_FENCE + block.text + _FENCE, {block.key or "": value})
    return split(edited).block(block.key or "") or block
