"""Put what two sides added at one place one below the other, by paragraph; pure.

Not line by line: the lines that two additions share are often those that hold each of
them together, the fences of code or the rules of a table.
"""

import hashlib
from collections.abc import Iterator

from gitmem.sync.overlaps import LineMerge, overlaps


def join_additions(winner: bytes, loser: bytes, merge_lines: LineMerge) -> bytes:
    """Put two additions together, and once the paragraphs that they share."""
    if _begins(winner, loser):
        return winner
    if _begins(loser, winner):
        return loser
    ours, theirs = _named(winner), _named(loser)
    if not {name for name, _ in ours} & {name for name, _ in theirs}:
        return b"".join(_ended([winner, loser]))
    known = dict(theirs) | dict(ours)
    first, second = (b"".join(name for name, _ in side) for side in (ours, theirs))
    names: list[bytes] = []
    for piece in overlaps(merge_lines(first, b"", second, "")):
        text = piece if isinstance(piece, bytes) else piece.winner + piece.loser
        names += text.splitlines(keepends=True)
    return b"".join(_ended([known[name] for name in names]))


def _begins(text: bytes, part: bytes) -> bool:
    """Say whether the lines of a text begin with those of another."""
    rest = text[len(part) :]
    is_whole = part[-1:] in b"\n" or rest[:1] in b"\n" or rest.startswith(b"\r\n")
    return text.startswith(part) and is_whole


def _named(text: bytes) -> list[tuple[bytes, bytes]]:
    """Give each paragraph a line that stands for what it says."""
    return [
        (hashlib.sha256(part.strip()).hexdigest().encode() + b"\n", part)
        for part in _paragraphs(text)
    ]


def _paragraphs(text: bytes) -> Iterator[bytes]:
    """Cut a text above its blank lines; a fenced block is never cut."""
    part = fence = b""
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if fence:
            is_end = bare.startswith(fence) and not bare.strip(fence[:1])
            fence = b"" if is_end else fence
        elif not bare and part.strip():
            yield part
            part = b""
        elif bare.startswith((b"```", b"~~~")):
            fence = bare[: len(bare) - len(bare.lstrip(bare[:1]))]
        part += line
    yield part


def _ended(parts: list[bytes]) -> Iterator[bytes]:
    """End every part but the last one, which may go without."""
    for part in parts[:-1]:
        newline = b"\r\n" if b"\r\n" in part else b"\n"
        yield part if not part or part.endswith(b"\n") else part + newline
    yield from parts[-1:]
