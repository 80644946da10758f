"""Cut a file of pi-memory-auto into its entries; pure."""

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from typing import Final, TypeAlias

_OPEN: Final = "<!--"
_CLOSE: Final = "-->"
_NAMES: Final = frozenset({"mid", "t", "p", "src", "tags"})
_NAME: Final = re.compile(r"\s*(?P<name>[A-Za-z][\w-]{0,29})\s*:(?:\s+|$)")
_TIGHT: Final = re.compile(r"\s*(?P<name>[A-Za-z]{1,4})\s*:")
_FENCE: Final = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})(?P<info>.*)")
_LONGEST_FENCE: Final = 16
_LEAST_FIELDS: Final = 2
# Lines that may end a code block, by its letter and their length.
_Closing: TypeAlias = "Mapping[tuple[str, int], list[int]]"
_Opening: TypeAlias = "list[tuple[int, str, bool]]"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: what its comment says, its text, and the line it begins on.

    The text above the first comment is an entry that says nothing of itself.
    """

    line: int
    text: str
    said: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Comment:
    line: int
    said: Mapping[str, str]
    rest: str


def entries(text: str) -> Iterator[Entry]:
    """Give the entries of a file; a comment within a code block begins none."""
    lines = text.replace("\r\n", "\n").split("\n")
    found = list(_comments(lines))
    quoted = _quoted(lines, [each.line for each in found])
    found = [each for each in found if each.line not in quoted]
    ends = [*(each.line for each in found), len(lines)]
    yield Entry(1, _body(lines[: ends[0]]))
    for each, end in zip(found, ends[1:], strict=True):
        body = _body([each.rest, *lines[each.line + 1 : end]])
        yield Entry(each.line + 1, body, each.said)


def _comments(lines: Sequence[str]) -> Iterator[_Comment]:
    for number, line in enumerate(lines):
        if line.startswith(_OPEN):
            inner, _, rest = line.removeprefix(_OPEN).partition(_CLOSE)
            said = _said(inner)
            if "mid" in said or len(said.keys() & _NAMES) >= _LEAST_FIELDS:
                yield _Comment(number, said, rest)


def _said(inner: str) -> dict[str, str]:
    """Read `name: value | name: value`; a bar within a value is a part of it."""
    found: dict[str, list[str]] = {}
    last = ""
    for part in inner.split("|"):
        named = _NAME.match(part) or _known(part)
        if named and named["name"].lower() not in found:
            last = named["name"].lower()
            found[last] = [part[named.end() :]]
        elif last:
            found[last].append(part)
        else:
            return {}
    return {name: "|".join(parts).strip() for name, parts in found.items()}


def _known(part: str) -> re.Match[str] | None:
    """Read a name that gitmem knows, also without a blank after it."""
    found = _TIGHT.match(part)
    return found if found and found["name"].lower() in _NAMES else None


def _body(lines: Sequence[str]) -> str:
    return "\n".join(dropwhile(lambda line: not line.strip(), lines)).rstrip()


def _quoted(lines: Sequence[str], comments: Sequence[int]) -> set[int]:
    """Find the comments that stand in a code block.

    A block that is never closed is none: it would take all entries below it. Neither
    is one in which, below a comment, another block begins: then its end is missing.
    """
    opening, closing = _fences(lines)
    named: dict[str, list[int]] = {"`": [], "~": []}
    for number, mark, is_named in opening:
        if is_named:
            named[mark[0]].append(number)
    inside: set[int] = set()
    after = 0
    for start, mark, _ in opening:
        end = _end(start, mark, closing) if start >= after else None
        if end is not None:
            between = comments[bisect(comments, start) : bisect(comments, end)]
            if not (between and _holds(named[mark[0]], between[0], end)):
                inside.update(between)
                after = end + 1
    return inside


def _fences(lines: Sequence[str]) -> tuple[_Opening, _Closing]:
    """Give the lines on which a code block may begin, and those that may end one."""
    opening: _Opening = []
    closing: dict[tuple[str, int], list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        if found := _FENCE.fullmatch(line):
            mark, is_named = found["mark"], bool(found["info"].strip())
            opening.append((number, mark, is_named))
            if not is_named:
                closing[_kind(mark)].append(number)
    return opening, closing


def _kind(mark: str) -> tuple[str, int]:
    return mark[0], min(len(mark), _LONGEST_FENCE)


def _end(start: int, mark: str, closing: _Closing) -> int | None:
    letter, least = _kind(mark)
    ends = (
        _next(closing.get((letter, length), []), start)
        for length in range(least, _LONGEST_FENCE + 1)
    )
    return min((end for end in ends if end is not None), default=None)


def _holds(numbers: Sequence[int], start: int, end: int) -> bool:
    found = _next(numbers, start)
    return found is not None and found < end


def _next(numbers: Sequence[int], start: int) -> int | None:
    at = bisect(numbers, start)
    return numbers[at] if at < len(numbers) else None
