"""Merge two lists of frontmatter; each item stays spelled as it was; pure."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from gitmem.memory.frontmatter.read import block_value
from gitmem.memory.frontmatter.split import Block, blocks, key_end, leading_trivia

_OPENING: Final = re.compile(rb"\s*\[")
_TOKEN: Final = re.compile(
    rb"""(?P<open>[\[{]) | (?P<close>[\]}]) | (?P<comma>,) | \s+
        | "(?:[^"\\]|\\.)*" | '(?:[^']|'')*' | [^\s,\[\]{}"'\#][^,\[\]{}\r\n]*""",
    re.VERBOSE | re.DOTALL,
)
_MARKER: Final = re.compile(rb"[ \t]*-(?:[ \t]+|(?=[\r\n]|\Z))")


@dataclass(frozen=True, slots=True)
class _Item:
    """What an item says, how that is spelled, and the bytes in which it stands."""

    meaning: str
    spelling: bytes
    text: bytes


@dataclass(frozen=True, slots=True)
class _List:
    """A list field: what stands before, between and behind its items."""

    head: bytes
    items: tuple[_Item, ...]
    tail: bytes
    # Before an item that comes from elsewhere: `- ` as indented here, or a space.
    lead: bytes
    newline: bytes
    is_flow: bool


def merge_items(base: Block | None, winner: Block, loser: Block) -> Block | None:
    """Join two lists, less what a side took out; None where an item has no place."""
    ours, theirs = _read(winner), _read(loser)
    before = _read(base) if base else None
    if ours is None or theirs is None:
        return None
    known = before.items if before else ()
    chosen = list(_chosen(known, ours.items, theirs.items))
    spelled = {item.spelling for item in known}
    added = {
        item.spelling: item.meaning for item in chosen if item.spelling not in spelled
    }
    if len(set(added.values())) < len(added):
        return None  # both wrote the same in a way of their own
    placed = [_placed(item, ours) for item in chosen]
    text = _written(ours, [part for part in placed if part is not None])
    merged = Block(winner.key, text)
    wanted = [item.meaning for item in chosen]
    return merged if _meanings(merged) == wanted and _is_whole(merged) else None


def _read(block: Block) -> _List | None:
    meanings = _meanings(block)
    if meanings is None:
        return None
    trivia = leading_trivia(block.text)
    field = block.text[len(trivia) :]
    line = field.splitlines(keepends=True)[0]
    opening = _OPENING.match(field, key_end(line))
    found = _flow(field, opening.end()) if opening else _lines(field)
    if found is None or len(found.items) != len(meanings):
        return None
    items = (
        replace(item, meaning=meaning)
        for item, meaning in zip(found.items, meanings, strict=True)
    )
    newline = line[len(line.rstrip(b"\r\n")) :]
    return replace(
        found, head=trivia + found.head, items=tuple(items), newline=newline or b"\n"
    )


def _meanings(block: Block) -> list[str] | None:
    value = block_value(block)
    if not isinstance(value, list):
        return None
    return [json.dumps(item, sort_keys=True) for item in value]


def _flow(field: bytes, begin: int) -> _List | None:
    """Cut what stands between brackets at its commas."""
    cuts, depth, at = [begin - 1], 1, begin
    while depth:
        token = _TOKEN.match(field, at)
        if token is None:
            return None
        depth += (token.lastgroup == "open") - (token.lastgroup == "close")
        if token.lastgroup == "comma" and depth == 1:
            cuts.append(at)
        at = token.end()
    cuts.append(at - 1)
    parts = [field[start + 1 : end] for start, end in pairwise(cuts)]
    # A comma behind the last item belongs to what stands behind.
    tail = parts.pop() if not parts[-1].strip() else b""
    tail = (b"," if parts and tail else b"") + tail
    if parts and (bare := parts[-1].rstrip()) != parts[-1]:
        tail = parts[-1][len(bare) :] + tail
        parts[-1] = bare
    items = tuple(_Item("", part.strip(), part) for part in parts)
    lead = _lead(parts[-1]) if parts else b""
    if len(parts) == 1 and b"\n" not in lead:
        lead = b" "
    return _List(field[:begin], items, tail + field[at - 1 :], lead, b"", is_flow=True)


def _lines(field: bytes) -> _List | None:
    """Cut a list that has one item a line above each of them."""
    head, *lines = field.splitlines(keepends=True)
    behind = head[key_end(head) :].strip()
    starts = [index for index, line in enumerate(lines) if _MARKER.match(line)]
    if not starts or (behind and not behind.startswith(b"#")):
        return None
    first = _MARKER.match(lines[starts[0]])
    marker = first.group() if first else b""
    indent = len(_lead(marker))
    starts = [index for index in starts if len(_lead(lines[index])) <= indent]
    ends = [*starts[1:], len(lines)]
    texts = [b"".join(lines[a:b]) for a, b in zip(starts, ends, strict=True)]
    items = tuple(
        _Item("", _MARKER.sub(b"", text, count=1).strip(), text) for text in texts
    )
    lead = marker if marker.endswith((b" ", b"\t")) else marker + b" "
    above = b"".join(lines[: starts[0]])
    return _List(head + above, items, b"", lead, b"", is_flow=False)


def _lead(text: bytes) -> bytes:
    return text[: len(text) - len(text.lstrip())]


def _chosen(
    base: Sequence[_Item], ours: Sequence[_Item], theirs: Sequence[_Item]
) -> Iterator[_Item]:
    """Yield the items that stay: ours in our order, then what they added."""
    before, here, there = (
        Counter(item.spelling for item in items) for items in (base, ours, theirs)
    )
    removed = (before - here) | (before - there)
    left = before - removed + ((here - before) | (there - before))
    for item in (*ours, *theirs):
        if left[item.spelling] > 0:
            left[item.spelling] -= 1
            yield item


def _placed(item: _Item, among: _List) -> bytes | None:
    """Give the bytes of an item as they stand in this list."""
    if item in among.items:
        return item.text
    if among.is_flow:
        return among.lead + item.spelling
    if b"\n" in item.spelling:
        return item.text if item.text.startswith(among.lead) else None
    return among.lead + item.spelling + among.newline


def _written(found: _List, texts: Sequence[bytes]) -> bytes:
    if not texts and not found.is_flow:
        return found.head.rstrip(b"\r\n") + b" []" + found.newline
    if not found.is_flow:
        return found.head + b"".join(texts) + found.tail
    if not texts:
        return found.head + b"]" + found.tail.partition(b"]")[2]
    lead = _lead(found.items[0].text) if found.items else b""
    first = lead + texts[0].lstrip()
    return found.head + b",".join((first, *texts[1:])) + found.tail


def _is_whole(block: Block) -> bool:
    return list(blocks(block.text)) == [block]
