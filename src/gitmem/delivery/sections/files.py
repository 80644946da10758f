"""Section `files`: path, description and tags of each memory that is listed."""

from typing import Final

from gitmem.attention.budget import Block, Piece
from gitmem.delivery import fence
from gitmem.delivery.view import Entry, Layer, View

# More than any budget holds; to render ten thousand would take the hook's time.
LISTED_AT_MOST: Final = 1_000
TAG_LIMIT: Final = 60
TAGS_AT_MOST: Final = 20


def render(view: View) -> tuple[Block, ...]:
    """List each layer's entries, pinned ones first, then newer before older."""
    return tuple(_listing(layer) for layer in view.layers if layer.entries)


def _listing(layer: Layer) -> Block:
    directory = fence.attribute(layer.directory)
    ordered = sorted(layer.entries, key=_order)
    return Block(
        label=f"files {fence.name(layer.folder)}",
        noun="memories",
        head=f'<memory_files source="{layer.source}" directory="{directory}">',
        pieces=tuple(_piece(layer, entry) for entry in ordered[:LISTED_AT_MOST]),
        tail="</memory_files>",
        beyond=tuple(_path(layer, entry) for entry in ordered[LISTED_AT_MOST:]),
    )


def _order(entry: Entry) -> tuple[bool, float, str]:
    newest = entry.changed_at.timestamp() if entry.changed_at else float("-inf")
    return (not entry.is_pinned, -newest, str(entry.path))


def _piece(layer: Layer, entry: Entry) -> Piece:
    path = _path(layer, entry)
    tags = [fence.line(tag, TAG_LIMIT) for tag in entry.tags[:TAGS_AT_MOST]]
    if len(entry.tags) > TAGS_AT_MOST:
        tags.append(f"and {len(entry.tags) - TAGS_AT_MOST} more")
    fields = {
        "description": fence.line(entry.description),
        "tags": ", ".join(tags),
        "origin": fence.line(entry.origin),
    }
    lines = [f"  {name}: {value}" for name, value in fields.items() if value]
    return Piece("\n".join([f"- path: {path}", *lines]), id=path)


def _path(layer: Layer, entry: Entry) -> str:
    return fence.name(str(entry.path).removeprefix(f"{layer.folder}/"))
