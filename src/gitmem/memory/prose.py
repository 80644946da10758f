"""Tell what of a Markdown text is prose, and what is code or a comment; pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_FENCE: Final = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})(?P<info>.*)")
_RAW: Final = re.compile(
    r" {0,3}<(?:(?P<comment>!--)|(?P<tag>pre|script|style|textarea)(?=[\s>]|$))",
    re.IGNORECASE,
)
_COMMENT_END: Final = re.compile("-->")
_TAG_END: Final = re.compile(r"</(?:pre|script|style|textarea)>", re.IGNORECASE)
_QUOTE: Final = re.compile(r" {0,3}> ?")
_ITEM: Final = re.compile(r"(?P<mark> {0,3}(?:[-*+]|\d{1,9}[.)]))(?P<gap> +|$)")
# What is one line, after which no paragraph goes on.
_ALONE: Final = re.compile(r" {0,3}(?:#{1,6}(?:\s|$)|=+\s*$|([-*_])(?:[ ]*\1){2,}\s*$)")
_INDENT: Final = "    "
_IN_QUOTE: Final = 0
# Nobody nests deeper, and each line is looked at once for each level.
_DEEPEST: Final = 16
_MARKS: Final = re.compile(r"`+|<!--")
_TICKS: Final = re.compile(r"`+")
_SIGN: Final = re.compile(r"[^\n]")


def prose(text: str, first_line: int = 1) -> Iterator[tuple[int, str]]:
    """Give the lines of prose, with blanks for each sign of code and comments.

    Signs stay where they stand in their line, and a line that is code is left out.
    """
    blocks = _Blocks()
    begun, paragraph = first_line, list[str]()
    for line, words in enumerate(text.split("\n"), start=first_line):
        is_more, shown = blocks.take(words)
        if paragraph and not is_more:
            yield from enumerate(_bare(paragraph), start=begun)
            paragraph = []
        if shown is not None:
            begun = begun if paragraph else line
            paragraph.append(shown)
    yield from enumerate(_bare(paragraph), start=begun)


@dataclass(slots=True)
class _Blocks:
    """In what the next line stands: quotes and list items, code, a paragraph."""

    # For each quote _IN_QUOTE, for each list item how far its text is indented.
    holders: list[int] = field(default_factory=list)
    fence: str = ""
    raw_end: re.Pattern[str] | None = None
    in_paragraph: bool = False

    def take(self, words: str) -> tuple[bool, str | None]:
        """Say whether a line goes on with the paragraph, and give it if it is prose."""
        bare = words.rstrip("\r").expandtabs(4)
        held, rest = _held(self.holders, bare)
        if held < len(self.holders) and (self.fence or self.raw_end):
            self.fence, self.raw_end = "", None
        if self.fence:
            self.fence = "" if _closes(rest, self.fence) else self.fence
            return False, None
        if self.raw_end:
            return False, self._raw(words, 0, self.raw_end)
        return self._opened(words, held, rest)

    def _opened(self, words: str, held: int, rest: str) -> tuple[bool, str | None]:
        new, leaf = _new(rest, _DEEPEST - held)
        is_more = self.in_paragraph and not new
        self.fence = _opens(leaf)
        raw = _RAW.match(leaf)
        is_code = leaf.startswith(_INDENT) and not is_more
        is_plain = not (self.fence or raw or is_code or _ALONE.match(leaf))
        self.in_paragraph = is_plain and bool(leaf.strip())
        if not (is_more and self.in_paragraph):
            self.holders[held:] = new
        if raw:
            end = _COMMENT_END if raw["comment"] else _TAG_END
            return False, self._raw(words, words.index("<") + 2, end)
        is_shown = not (self.fence or is_code)
        return is_more and self.in_paragraph, words if is_shown else None

    def _raw(self, words: str, start: int, end: re.Pattern[str]) -> str | None:
        """Give what stands behind the end of raw text; None where it goes on."""
        found = end.search(words, start)
        self.raw_end = None if found else end
        return " " * found.end() + words[found.end() :] if found else None


def _held(holders: list[int], line: str) -> tuple[int, str]:
    """Say how many of the quotes and items a line stands in, and what is left of it."""
    for index, indent in enumerate(holders):
        if indent == _IN_QUOTE:
            quote = _QUOTE.match(line)
            if not quote:
                return index, line
            line = line[quote.end() :]
        elif line[:indent].strip():
            return index, line
        else:
            line = line[indent:]
    return len(holders), line


def _new(line: str, most: int) -> tuple[list[int], str]:
    """Give the quotes and items that begin in a line, and what is left of it."""
    new: list[int] = []
    while len(new) < most and not _ALONE.match(line):
        if quote := _QUOTE.match(line):
            new.append(_IN_QUOTE)
            line = line[quote.end() :]
        elif item := _ITEM.match(line):
            gap = len(item["gap"])
            is_code = gap > len(_INDENT) or item.end() == len(line)
            new.append(len(item["mark"]) + (1 if is_code else gap))
            line = line[new[-1] :]
        else:
            break
    return new, line


def _opens(line: str) -> str:
    mark = _FENCE.match(line)
    if not mark or (mark["mark"][0] == "`" and "`" in mark["info"]):
        return ""
    return mark["mark"]


def _closes(line: str, fence: str) -> bool:
    mark = _FENCE.match(line)
    return (
        mark is not None and mark["mark"].startswith(fence) and not mark["info"].strip()
    )


def _bare(paragraph: list[str]) -> list[str]:
    """Blank comments, and code, which ends with as many backticks as it begins."""
    text = "\n".join(paragraph)
    ends = _Ends(text)
    kept: list[str] = []
    position = 0
    for mark in _MARKS.finditer(text):
        start = mark.start()
        end = ends.after(mark) if start >= position else 0
        if end:
            kept += [text[position:start], _SIGN.sub(" ", text[start:end])]
            position = end
    return "".join([*kept, text[position:]]).split("\n")


class _Ends:
    """Where code and comments of a paragraph end, asked from its start on."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._last = text.rfind("-->")
        self._later: dict[int, list[int]] = {}
        for run in _TICKS.finditer(text):
            self._later.setdefault(len(run[0]), []).append(run.end())
        for ends in self._later.values():
            ends.reverse()

    def after(self, mark: re.Match[str]) -> int:
        """Give the end of what a mark begins, or 0 where nothing ends it."""
        if mark[0] == "<!--":
            is_closed = mark.start() + 1 < self._last
            return self._text.index("-->", mark.start() + 2) + 3 if is_closed else 0
        ends = self._later[len(mark[0])]
        while ends and ends[-1] <= mark.end():
            ends.pop()
        return ends[-1] if ends else 0
