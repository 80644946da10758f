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
_OVERLAP: Final = re.compile(
    rb"^<{%d} [^\n]*\n(?P<winner>.*?)"
    rb"(?:^\|{%d} [^\n]*\n(?P<base>.*?))?"
    rb"^={%d}\r?\n(?P<loser>.*?)^>{%d} [^\n]*(?:\n|\Z)" % ((MARKER_SIZE,) * 4),
    re.DOTALL | re.MULTILINE,
)
# A text with such a line in it would be taken for an answer of the line merge.
_OUR_MARKER: Final = re.compile(
    rb"^(?:<{%d} |\|{%d} |={%d}\r?$|>{%d} )" % ((MARKER_SIZE,) * 4), re.MULTILINE
)

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
    versions = (base or b"", one, other)
    if any(b"\0" in version for version in versions):
        return Merged(winner, copy=loser)
    if path.suffix == ".jsonl":
        return Merged(_merge_records(base or b"", winner, loser))
    if any(_OUR_MARKER.search(version) for version in versions):
        return Merged(winner, copy=loser)
    return _merge_text(base, winner, loser, merge_lines)


def overlaps(text: bytes) -> Iterator[bytes | Overlap]:
    """Cut the answer of a line merge into settled text and overlaps."""
    at = 0
    # A marker takes over the line end, \r\n or \n, of the text around it.
    for found in _OVERLAP.finditer(text):
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
            text += _joined(piece, merge_lines)
        else:
            text += piece.winner
            settled = False
    return bytes(text), settled


def _joined(piece: Overlap, merge_lines: LineMerge) -> bytes:
    """Put two additions one below the other, and once what they have in common."""
    ours, theirs = (set(part.split()) for part in (piece.winner, piece.loser))
    if not ours & theirs:
        return _with_newline(piece.winner) + piece.loser
    parts = overlaps(merge_lines(piece.winner, b"", piece.loser, ""))
    return b"".join(
        part if isinstance(part, bytes) else _with_newline(part.winner) + part.loser
        for part in parts
    )


def _framed(
    winner: Parts, loser: Parts, blocks: tuple[Block, ...], body: bytes
) -> Parts:
    """Put merged blocks and body into the frame of a side that has frontmatter."""
    frame = loser if blocks and not winner.opening else winner
    return Parts(
        bom=winner.bom,
        opening=frame.opening,
        blocks=blocks,
        closing=_with_newline(frame.closing) if body else frame.closing,
        body=body,
        newline=winner.newline,
    )


def _merge_records(base: bytes, winner: bytes, loser: bytes) -> bytes:
    """Merge append-only records: every one of both sides, less what a side took out."""
    before = _records(base)
    ours, theirs = _records(winner), _records(loser)
    kept = [line for line in before if line in ours and line in theirs]
    added = {line for line in (*ours, *theirs) if line not in before}
    # Two spellings of one record are one: the first of them stays.
    unique = {_meaning(line): line for line in sorted(added, reverse=True)}
    ordered = sorted(unique.values(), key=_record_order)
    return b"".join(line + b"\n" for line in (*kept, *ordered))


def _records(data: bytes) -> dict[bytes, None]:
    return dict.fromkeys(line for line in data.splitlines() if line.strip())


def _parsed(line: bytes) -> dict[str, object]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _meaning(line: bytes) -> str | bytes:
    record = _parsed(line)
    return json.dumps(record, sort_keys=True) if record else line


def _record_order(line: bytes) -> tuple[str, str, bytes]:
    record = _parsed(line)
    return str(record.get("timestamp", "")), str(record.get("id", "")), line


def _with_newline(text: bytes) -> bytes:
    return text if not text or text.endswith(b"\n") else text + b"\n"
