"""Section `tags`: every canonical tag of a layer, and how many memories carry it."""

import re
from collections.abc import Iterable
from typing import Final

from gitmem.attention.budget import Block, Piece
from gitmem.delivery import fence
from gitmem.delivery.view import Layer, TagCount, View
from gitmem.memory.tags import TAG_LIMIT_CHARACTERS, canonical

TAGS_AT_MOST: Final = 200
_COUNT: Final = r" \(\d+\)$"


def render(view: View) -> tuple[Block, ...]:
    """List each layer's tags, the most used first."""
    return tuple(_table(layer) for layer in view.layers if layer.tags)


def copied(text: str, tags: Iterable[str]) -> str:
    """Find the tag that somebody copied out of the table; empty where it is not there.

    Fenced, a tag may be spelled in signs that its key does not have.
    """
    known = tuple(tags)
    for wanted in (text.strip(), re.sub(_COUNT, "", text.strip())):
        key = canonical(wanted)
        by_key = (tag for tag in known if key and canonical(tag) == key)
        by_name = (tag for tag in known if _name(tag) in {wanted, f"#{wanted}"})
        if found := next(by_key, "") or next(by_name, ""):
            return found
    return ""


def _table(layer: Layer) -> Block:
    ordered = sorted(layer.tags, key=_order)
    return Block(
        label=f"tags {fence.name(layer.folder)}",
        noun="tags",
        head=f'<memory_tags source="{layer.source}">',
        pieces=tuple(
            Piece(f"{_name(each.tag)} ({each.count})", id=_name(each.tag))
            for each in ordered[:TAGS_AT_MOST]
        ),
        tail="</memory_tags>",
        beyond=tuple(_name(each.tag) for each in ordered[TAGS_AT_MOST:]),
        rest="`gitmem tags` lists all",
    )


def _order(each: TagCount) -> tuple[int, str]:
    return (-each.count, each.tag)


def _name(tag: str) -> str:
    return f"#{fence.line(tag, TAG_LIMIT_CHARACTERS)}"
