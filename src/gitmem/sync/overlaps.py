"""Read the answer of a line merge: settled text, and overlaps between long markers."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

MARKER_SIZE: Final = 61
_OVERLAP: Final = re.compile(
    rb"^<{%d} [^\n]*\n(?P<winner>.*?)"
    rb"(?:^\|{%d} [^\n]*\n(?P<base>.*?))?"
    rb"^={%d}\r?\n(?P<loser>.*?)^>{%d} [^\n]*(?:\n|\Z)" % ((MARKER_SIZE,) * 4),
    re.DOTALL | re.MULTILINE,
)
_MARKER: Final = re.compile(
    rb"^(?:<{%d} |\|{%d} |={%d}\r?$|>{%d} )" % ((MARKER_SIZE,) * 4), re.MULTILINE
)

# (ours, base, theirs, style) -> text in which overlaps stand between long markers.
LineMerge = Callable[[bytes, bytes, bytes, str], bytes]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Lines that both sides changed: the winner's, the base's and the loser's."""

    winner: bytes
    base: bytes
    loser: bytes


def has_marker(text: bytes) -> bool:
    """Say whether a text would be taken for an answer of the line merge."""
    return _MARKER.search(text) is not None


def overlaps(text: bytes) -> Iterator[bytes | Overlap]:
    """Cut the answer of a line merge into settled text and overlaps."""
    at = 0
    # A marker takes over the line end, \r\n or \n, of the text around it.
    for found in _OVERLAP.finditer(text):
        yield text[at : found.start()]
        yield Overlap(found["winner"], found["base"] or b"", found["loser"])
        at = found.end()
    yield text[at:]
