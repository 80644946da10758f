"""Section `tape`: the files that were worked on, and where in them."""

from collections.abc import Sequence
from typing import Final

from gitmem.attention.budget import Block, Piece
from gitmem.delivery import fence
from gitmem.delivery.view import Chosen, Layer, View

TAG_LIMIT: Final = 60
TAGS_AT_MOST: Final = 20


def render(view: View) -> tuple[Block, ...]:
    """List the chosen memories by layer, then the chosen files of the project."""
    if view.tape is None:
        return ()
    memories = [_memories(layer, view.tape.memories) for layer in view.layers]
    files = _block(
        "tape files",
        "files",
        f'<active_project_files directory="{fence.attribute(view.tape.directory)}">',
        view.tape.files,
        "</active_project_files>",
    )
    return tuple(block for block in (*memories, files) if block.pieces)


def _memories(layer: Layer, chosen: Sequence[Chosen]) -> Block:
    directory = fence.attribute(layer.directory)
    return _block(
        f"tape {fence.name(layer.folder)}",
        "memories",
        f'<memory_files source="{layer.source}" directory="{directory}">',
        [each for each in chosen if each.path.parts[0] == layer.folder],
        "</memory_files>",
        below=f"{layer.folder}/",
    )


def _block(
    label: str,
    noun: str,
    head: str,
    chosen: Sequence[Chosen],
    tail: str,
    below: str = "",
) -> Block:
    pieces = tuple(_piece(each, str(each.path).removeprefix(below)) for each in chosen)
    return Block(label=label, noun=noun, head=head, pieces=pieces, tail=tail)


def _piece(chosen: Chosen, path: str) -> Piece:
    entry = chosen.entry
    tags = [fence.line(tag, TAG_LIMIT) for tag in entry.tags] if entry else []
    fields = {
        "priority": "high" if chosen.is_high else "",
        "description": fence.line(entry.description) if entry else "",
        "tags": ", ".join(tags[:TAGS_AT_MOST]),
        "origin": fence.line(entry.origin) if entry else "",
        "recent focus": ", ".join(chosen.focus),
    }
    name = fence.name(path)
    lines = [f"  {key}: {value}" for key, value in fields.items() if value]
    return Piece("\n".join([f"- path: {name}", *lines]), id=name)
