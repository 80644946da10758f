"""Keep one block of lines between markers in a text of a person's; pure.

A marker is a whole line. A block is gitmem's if it holds lines that gitmem wrote; what
else stands in it is the person's.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

BEGIN: Final = "gitmem:begin"
END: Final = "gitmem:end"
_EXPLAINED: Final = "(written by `gitmem host install`; lines of yours are kept, below)"


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a block begins and ends in a text, and the lines between its markers."""

    start: int
    end: int
    lines: tuple[str, ...]


def put(text: str, lines: str, frame: tuple[str, str]) -> str:
    """Have the block in the text, in place of an older one or at the end.

    `frame` is what opens and closes a comment. Raises ValueError where a block begins
    and does not end.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    opening, closing = frame
    whole = newline.join(
        [
            f"{opening}{BEGIN} {_EXPLAINED}{closing}",
            *_wanted(lines),
            f"{opening}{END}{closing}",
            "",
        ]
    )
    found = _find(text, lines, frame)
    if found:
        kept = _kept(found, lines)
        return text[: found.start] + whole + kept + text[found.end :]
    return text + _gap(text, newline) + whole


def drop(text: str, lines: str, frame: tuple[str, str], original: str | None) -> str:
    """Take the block out, with the lines that were put in to set it apart.

    Raises ValueError where a block begins and does not end.
    """
    found = _find(text, lines, frame)
    if found is None:
        return text
    before = text[: found.start]
    after = _kept(found, lines) + text[found.end :]
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = newline if original is None else _gap(original, newline)
    if gap and before.endswith(gap):
        kept = before[: -len(gap)]
        # What the person wrote behind the block must not join their last line.
        before = kept + newline if after and kept and not kept.endswith("\n") else kept
    return before + after


def _wanted(lines: str) -> Sequence[str]:
    return lines.rstrip("\n").split("\n")


def _kept(found: _Found, lines: str) -> str:
    """Give the lines of a block that the person wrote."""
    ours = {"", *_wanted(lines)}
    return "".join(each for each in found.lines if each.rstrip("\r\n") not in ours)


def _gap(text: str, newline: str) -> str:
    """Give what sets the block apart from the text above it."""
    if not text:
        return ""
    return newline if text.endswith("\n") else newline * 2


def _find(text: str, lines: str, frame: tuple[str, str]) -> _Found | None:
    """Find the last block that holds a line of ours."""
    ours = {each for each in _wanted(lines) if each}
    blocks = [
        each
        for each in _blocks(text, frame)
        if not ours.isdisjoint(line.rstrip("\r\n") for line in each.lines)
    ]
    return blocks[-1] if blocks else None


def _blocks(text: str, frame: tuple[str, str]) -> Iterator[_Found]:
    opening, closing = map(re.escape, frame)
    begins = re.compile(rf"{opening}{BEGIN}(?: \(.*\))?{closing}\s*")
    ends = re.compile(rf"{opening}{END}{closing}\s*")
    start, at, number = -1, 0, 0
    held: list[str] = []
    for number, line in enumerate(re.findall(r"[^\n]*\n|[^\n]+\Z", text), 1):
        if begins.fullmatch(line):
            _require_end(start, number)
            start, held = at, []
        elif start >= 0 and ends.fullmatch(line):
            yield _Found(start, at + len(line), tuple(held))
            start = -1
        else:
            held.append(line)
        at += len(line)
    _require_end(start, number + 1)


def _require_end(start: int, number: int) -> None:
    if start >= 0:
        raise ValueError(f"a block of gitmem's has no {END} above line {number}")
