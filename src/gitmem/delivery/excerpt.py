"""A memory's text as a block of whole lines, up to a section's limit."""

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from gitmem.attention.budget import Block, Piece
from gitmem.delivery import fence
from gitmem.delivery.view import Layer, View


def excerpt(
    view: View,
    layer: Layer,
    path: str,
    section: str,
    lines_within: Callable[[Sequence[str]], int],
) -> tuple[Block, ...]:
    """Show the first lines of `path` in `layer`, as many as `lines_within` allows."""
    document = view.read(PurePosixPath(layer.folder) / path)
    if document is None or not document.text.strip():
        return ()
    lines = document.text.replace("\r\n", "\n").strip("\n").split("\n")
    kept = lines_within(lines)
    shown = fence.text("\n".join(lines[:kept])).split("\n") if kept else []
    origin = f' origin="{fence.attribute(document.origin)}"' if document.origin else ""
    where = fence.attribute(f"{layer.directory}/{path}")
    return (
        Block(
            label=f"{section} {fence.name(layer.folder)}/{path}",
            noun="lines",
            head=f'<memory_{section} source="{layer.source}" path="{where}"{origin}>',
            pieces=tuple(Piece(line) for line in shown),
            tail=f"</memory_{section}>",
            beyond=("",) * (len(lines) - kept),
        ),
    )


def within_bytes(limit: int) -> Callable[[Sequence[str]], int]:
    """Count the first lines that hold at most `limit` bytes of UTF-8."""
    return lambda lines: _count(
        [len(line.encode("utf-8", "surrogatepass")) for line in lines], limit
    )


def within_characters(limit: int, most_lines: int) -> Callable[[Sequence[str]], int]:
    """Count the first lines, at most `most_lines`, that hold `limit` characters."""
    return lambda lines: _count([len(line) for line in lines[:most_lines]], limit)


def _count(sizes: Sequence[int], limit: int) -> int:
    total = 0
    for index, size in enumerate(sizes):
        total += size + 1
        # The line end after the last line shown is not part of the text.
        if total - 1 > limit:
            return index
    return len(sizes)
