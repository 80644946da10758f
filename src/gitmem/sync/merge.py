"""Merge three versions of one file into one, or into one and a conflict copy; pure.

Which side stays where the two overlap is decided by what the files say, never by which
machine merges: merge(a, b) and merge(b, a) give the same bytes, and merging twice
changes nothing.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from gitmem.memory.frontmatter.read import read
from gitmem.memory.frontmatter.split import Block, Parts, join, split
from gitmem.sync.fields import merge_blocks

MARKER_SIZE: Final = 61

# (ours, base, theirs, style) -> text in which overlaps stand between long markers.
LineMerge = Callable[[bytes, bytes, bytes, str], bytes]


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged file, and the whole other side where a part of it found no place."""

    data: bytes
    copy: bytes | None = None


@dataclass(frozen=True, slots=True)
class Overlap:
    """Lines that both sides changed: the winner's, the base's and the loser's."""

    winner: bytes
    base: bytes
    loser: bytes


def merge(
    path: PurePosixPath,
    base: bytes | None,
    one: bytes,
    other: bytes,
    merge_lines: LineMerge,
) -> Merged:
    """Merge two versions of `path`; `base` is None when both sides created it."""
    if other in (one, base):
        return Merged(one)
    if one == base:
        return Merged(other)
    winner, loser = sorted((one, other), key=_rank, reverse=True)
    if b"\0" in one or b"\0" in other:
        return Merged(winner, copy=loser)
    if path.suffix == ".jsonl":
        return Merged(_merge_lines_by_id(base or b"", winner, loser))
    return _merge_text(base, winner, loser, merge_lines)


def overlaps(text: bytes) -> Iterator[bytes | Overlap]:
    """Cut the answer of a line merge into settled text and overlaps."""
    mark = MARKER_SIZE
    pattern = re.compile(
        rb"^<{%d} [^\n]*\n(?P<winner>.*?)"
        rb"(?:^\|{%d} [^\n]*\n(?P<base>.*?))?"
        rb"^={%d}\n(?P<loser>.*?)^>{%d} [^\n]*(?:\n|\Z)" % (mark, mark, mark, mark),
        re.DOTALL | re.MULTILINE,
    )
    at = 0
    for found in pattern.finditer(text):
        yield text[at : found.start()]
        yield Overlap(found["winner"], found["base"] or b"", found["loser"])
        at = found.end()
    yield text[at:]


def _rank(data: bytes) -> tuple[str, str]:
    """Order two versions: the one updated later stays; the hash breaks a tie."""
    updated = read(data).fields.get("updated", "")
    return (updated if isinstance(updated, str) else ""), hashlib.sha256(
        data
    ).hexdigest()


def _merge_text(
    base: bytes | None, winner: bytes, loser: bytes, merge_lines: LineMerge
) -> Merged:
    first, second, third = split(winner), split(base or b""), split(loser)
    blocks, fields_settled = merge_blocks(second.blocks, first.blocks, third.blocks)
    body, body_settled = _merge_body(
        (first.body, second.body, third.body),
        merge_lines,
        has_base=base is not None,
        may_join=base is not None or _are_one_memory(winner, loser),
    )
    merged = join(_framed(first, third, blocks, body))
    settled = fields_settled and body_settled
    return Merged(merged, copy=None if settled else loser)


def _are_one_memory(one: bytes, other: bytes) -> bool:
    """Say whether two files of one name, created apart, mean the same memory.

    The daily note and MEMORY.md are started on every machine; two memories that
    happen to share a name describe themselves differently.
    """
    return read(one).fields.get("description") == read(other).fields.get("description")


def _merge_body(
    bodies: tuple[bytes, bytes, bytes],
    merge_lines: LineMerge,
    *,
    has_base: bool,
    may_join: bool,
) -> tuple[bytes, bool]:
    winner, base, loser = bodies
    if loser in (winner, base):
        return winner, True
    if winner == base:
        return loser, True
    style = "diff3" if has_base else ""
    settled = True
    text = bytearray()
    for piece in overlaps(merge_lines(winner, base, loser, style)):
        if isinstance(piece, bytes):
            text += piece
        elif may_join and not piece.base:
            # Both added something at one place: both additions stay.
            text += _with_newline(piece.winner) + piece.loser
        else:
            text += piece.winner
            settled = False
    return bytes(text), settled


def _framed(
    winner: Parts, loser: Parts, blocks: tuple[Block, ...], body: bytes
) -> Parts:
    """Put merged blocks and body into the frame of a side that has frontmatter."""
    frame = winner if winner.opening else loser
    return Parts(
        bom=winner.bom,
        opening=frame.opening if blocks else winner.opening,
        blocks=blocks,
        closing=frame.closing if blocks else winner.closing,
        body=body,
        newline=winner.newline,
    )


def _merge_lines_by_id(base: bytes, winner: bytes, loser: bytes) -> bytes:
    """Merge append-only records: every line of both, less what a side took out."""
    before = _records(base)
    ours, theirs = _records(winner), _records(loser)
    kept = [line for line in before if (line in ours and line in theirs)]
    added = {line for line in (*ours, *theirs) if line not in before}
    ordered = sorted(added, key=_record_order)
    return b"".join(line + b"\n" for line in (*kept, *ordered))


def _records(data: bytes) -> dict[bytes, None]:
    return dict.fromkeys(line for line in data.splitlines() if line.strip())


def _record_order(line: bytes) -> tuple[str, str, bytes]:
    try:
        record = json.loads(line)
        return str(record.get("timestamp", "")), str(record.get("id", "")), line
    except (ValueError, AttributeError):
        return "", "", line


def _with_newline(text: bytes) -> bytes:
    return text if not text or text.endswith(b"\n") else text + b"\n"
