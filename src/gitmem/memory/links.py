"""Find the links of a Markdown text, with their lines; pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import unquote

_FENCE: Final = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})(?P<info>.*)")
_TICKS: Final = re.compile(r"`+")
_WIKI: Final = re.compile(
    r"!?\[\[(?![\s\-])(?P<target>[^\[\]|#^\n]{1,500})[^\[\]\n]{0,500}\]\]"
)
_INLINE: Final = re.compile(
    r"\]\(\s{0,9}(?:<(?P<angled>[^<>\n]{1,1000})>"
    r"|(?P<plain>[^\s()<>]{0,1000}(?:\([^\s()]{0,200}\)[^\s()]{0,200}){0,4}))[\s)]"
)
_DEFINITION: Final = re.compile(
    r" {0,3}\[[^\[\]\n]{1,500}\]:\s{0,9}<?(?P<target>[^\s<>]{1,1000})"
)
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another memory: a relative path, or a wiki link's name."""

    line: int
    target: str
    is_wiki: bool


def find(text: str, *, first_line: int = 1) -> Iterator[Link]:
    """Give the links that stay inside the repository; what is code has none."""
    for line, words in _prose(text, first_line):
        for wiki in _WIKI.finditer(words):
            yield Link(line, wiki["target"].strip(), is_wiki=True)
        definition = _DEFINITION.match(words)
        targets = [definition["target"]] if definition else []
        targets += [m["angled"] or m["plain"] for m in _INLINE.finditer(words)]
        for target in targets:
            if path := _relative(target):
                yield Link(line, path, is_wiki=False)


def resolve(link: Link, source: PurePosixPath) -> PurePosixPath | None:
    """Give the path a relative link leads to; None when it leaves the repository."""
    parts = list(source.parent.parts)
    for part in PurePosixPath(link.target).parts:
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        else:
            return None
    return PurePosixPath(*parts)


def _prose(text: str, first_line: int) -> Iterator[tuple[int, str]]:
    """Give the lines outside code fences, their code spans blanked."""
    fence = ""
    for line, words in enumerate(text.split("\n"), start=first_line):
        mark = _FENCE.match(words)
        if fence:
            if mark and _closes(mark, fence):
                fence = ""
        elif mark and not (mark["mark"][0] == "`" and "`" in mark["info"]):
            fence = mark["mark"]
        elif "[" in words:
            yield line, _without_code(words)


def _closes(mark: re.Match[str], fence: str) -> bool:
    return (
        mark["mark"][0] == fence[0]
        and len(mark["mark"]) >= len(fence)
        and not mark["info"].strip()
    )


def _without_code(words: str) -> str:
    """Blank code spans: what stands between two runs of as many backticks."""
    if "`" not in words:
        return words
    runs = list(_TICKS.finditer(words))
    later: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        later.setdefault(len(runs[index].group()), []).append(index)
    kept: list[str] = []
    position = index = 0
    while index < len(runs):
        same = later[len(runs[index].group())]
        while same and same[-1] <= index:
            same.pop()
        if same:
            kept.append(words[position : runs[index].start()])
            position, index = runs[same[-1]].end(), same[-1]
        index += 1
    return " ".join([*kept, words[position:]])


def _relative(target: str) -> str:
    """Give a link's path without query and fragment; empty when it is no path."""
    if not target or target[0] in "#/?" or _SCHEME.match(target):
        return ""
    return unquote(re.split(r"[?#]", target, maxsplit=1)[0])
