"""Section `tags`: every canonical tag of a layer, and how many memories carry it."""

from typing import Final

from gitmem.attention.budget import Block, Piece
from gitmem.delivery import fence
from gitmem.delivery.view import Layer, TagCount, View

TAGS_AT_MOST: Final = 200
TAG_LIMIT: Final = 60


def render(view: View) -> tuple[Block, ...]:
    """List each layer's tags, the most used first."""
    return tuple(_table(layer) for layer in view.layers if layer.tags)


def _table(layer: Layer) -> Block:
    ordered = sorted(layer.tags, key=_order)
    return Block(
        label=f"tags {fence.name(layer.folder)}",
        noun="tags",
        head=f'<memory_tags source="{layer.source}">',
        pieces=tuple(
            Piece(f"{_name(each)} ({each.count})", id=_name(each))
            for each in ordered[:TAGS_AT_MOST]
        ),
        tail="</memory_tags>",
        beyond=tuple(_name(each) for each in ordered[TAGS_AT_MOST:]),
    )


def _order(each: TagCount) -> tuple[int, str]:
    return (-each.count, each.tag)


def _name(each: TagCount) -> str:
    return f"#{fence.line(each.tag, TAG_LIMIT)}"
