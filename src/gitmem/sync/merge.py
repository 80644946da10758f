"""Merge three versions of one file into one, or into one and a conflict copy; pure.

Which side stays where the two overlap is decided by what the files say, never by which
machine merges: merge(a, b) and merge(b, a) give the same bytes, and merging twice
changes nothing.
"""

import hashlib
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from gitmem.memory.frontmatter.read import read
from gitmem.memory.frontmatter.split import Block, Parts, join, split
from gitmem.sync.fields import merge_blocks
from gitmem.sync.overlaps import LineMerge, has_marker, overlaps
from gitmem.sync.paragraphs import join_additions
from gitmem.sync.records import are_records, merge_records

# What is put one below the other there no longer reads as one value.
_NEVER_JOINED: Final = frozenset({".json", ".jsonl"})


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged file, and the whole other side where a part of it found no place."""

    data: bytes
    copy: bytes | None = None


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
    versions = (base or b"", one, other)
    if any(b"\0" in version for version in versions):
        return Merged(winner, copy=loser)
    if path.suffix == ".jsonl" and are_records(*versions):
        return Merged(merge_records(base or b"", winner, loser))
    if any(map(has_marker, versions)):
        return Merged(winner, copy=loser)
    may_join = path.suffix not in _NEVER_JOINED and (
        base is not None or _are_one_memory(winner, loser)
    )
    return _merge_text(base, winner, loser, merge_lines, may_join=may_join)


def _rank(data: bytes) -> tuple[str, str]:
    """Order two versions: the one updated later stays; the hash breaks a tie."""
    updated = read(data).fields.get("updated", "")
    return (updated if isinstance(updated, str) else ""), hashlib.sha256(
        data
    ).hexdigest()


def _merge_text(
    base: bytes | None,
    winner: bytes,
    loser: bytes,
    merge_lines: LineMerge,
    *,
    may_join: bool,
) -> Merged:
    first, second, third = split(winner), split(base or b""), split(loser)
    blocks, fields_settled = merge_blocks(second.blocks, first.blocks, third.blocks)
    body, body_settled = _merge_body(
        first.body,
        None if base is None else second.body,
        third.body,
        merge_lines,
        may_join=may_join,
    )
    merged = join(_framed(first, second, third, blocks, body))
    settled = fields_settled and body_settled
    return Merged(merged, copy=None if settled else loser)


def _are_one_memory(one: bytes, other: bytes) -> bool:
    """Say whether two files of one name, created apart, mean the same memory.

    The daily note and MEMORY.md are started on every machine; two memories that
    happen to share a name describe themselves differently.
    """
    return read(one).fields.get("description") == read(other).fields.get("description")


def _merge_body(
    winner: bytes,
    base: bytes | None,
    loser: bytes,
    merge_lines: LineMerge,
    *,
    may_join: bool,
) -> tuple[bytes, bool]:
    if loser in (winner, base or b""):
        return winner, True
    if winner == (base or b""):
        return loser, True
    if base is None:
        joined = join_additions(winner, loser, merge_lines) if may_join else winner
        return joined, may_join
    settled = True
    text = bytearray()
    for piece in overlaps(merge_lines(winner, base, loser, "diff3")):
        if isinstance(piece, bytes):
            text += piece
        elif may_join and not piece.base:
            # Both added something at one place: both additions stay.
            text += join_additions(piece.winner, piece.loser, merge_lines)
        else:
            text += piece.winner
            settled = False
    return bytes(text), settled


def _framed(
    winner: Parts, base: Parts, loser: Parts, blocks: tuple[Block, ...], body: bytes
) -> Parts:
    """Put merged blocks and body into the frame of a side that has frontmatter."""
    frame = loser if blocks and not winner.opening else winner
    is_open = body and frame.closing and not frame.closing.endswith((b"\r", b"\n"))
    return Parts(
        bom=loser.bom if winner.bom == base.bom else winner.bom,
        opening=frame.opening,
        blocks=blocks,
        closing=frame.closing + frame.newline if is_open else frame.closing,
        body=body,
        newline=winner.newline,
    )
