"""Find the links of a Markdown text, and change where they lead; pure."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import quote, unquote

from gitmem.memory.prose import prose

_WIKI: Final = re.compile(
    r"!?\[\[(?![\s\-])(?P<target>[^\[\]|#^\n]{1,500})[^\[\]\n]{0,500}\]\]"
)
_INLINE: Final = re.compile(
    r"\]\(\s{0,9}(?:<(?P<angled>[^<>\n]{1,1000})>"
    r"|(?P<plain>[^\s()<>]{0,1000}(?:\([^\s()]{0,200}\)[^\s()]{0,200}){0,4}))[\s)]"
)
_DEFINITION: Final = re.compile(
    r" {0,3}\[(?!\^)[^\[\]\n]{1,500}\]:\s{0,9}<?(?P<target>[^\s<>]{1,1000})"
)
# What would end a target, or mean something else in it.
_TO_QUOTE: Final = re.compile(r"[\x00-\x20\x7f%<>()\[\]?#\\]")
_PATH_END: Final = re.compile(r"[?#]")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another memory: a relative path, or a wiki link's name."""

    line: int
    target: str
    is_wiki: bool


def find(text: str, *, first_line: int = 1) -> Iterator[Link]:
    """Give the links that stay inside the repository; what is code has none."""
    for line, words in prose(text, first_line):
        for link, _ in _on(line, words):
            yield link


def changed(text: str, change: Callable[[Link], str | None]) -> str:
    """Give links another target; None leaves one, and every other sign stays."""
    lines = text.split("\n")
    for number, words in prose(text, 0):
        found = sorted(_on(number, words), key=lambda each: each[1].start)
        targets = [(at, link, change(link)) for link, at in found]
        begun = len(words)
        for at, link, target in reversed(targets):
            if target is not None and at.stop <= begun:
                lines[number] = _with(lines[number], at, link, target)
                begun = at.start
    return "\n".join(lines)


def can_name(target: str) -> bool:
    """Say whether a wiki link can be written that leads to this name."""
    found = _WIKI.fullmatch(f"[[{target}]]")
    return found is not None and found["target"] == target


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


def _on(line: int, words: str) -> Iterator[tuple[Link, slice]]:
    """Give the links of a line, and where in it their targets stand."""
    for wiki in _WIKI.finditer(words):
        name, start = wiki["target"].rstrip(), wiki.start("target")
        yield Link(line, name, is_wiki=True), slice(start, start + len(name))
    definition = _DEFINITION.match(words)
    spans = [definition.span("target")] if definition else []
    inline = _INLINE.finditer(words)
    spans += [each.span("angled" if each["angled"] else "plain") for each in inline]
    for start, end in spans:
        if path := _relative(words[start:end]):
            yield Link(line, path, is_wiki=False), slice(start, end)


def _with(words: str, at: slice, link: Link, target: str) -> str:
    """Spell a target as the link needs it; what stands behind the path stays."""
    old = words[at]
    if not link.is_wiki:
        behind = old[len(_PATH_END.split(old, maxsplit=1)[0]) :]
        target = _TO_QUOTE.sub(lambda sign: quote(sign[0]), target) + behind
    return words[: at.start] + target + words[at.stop :]


def _relative(target: str) -> str:
    """Give a link's path without query and fragment; empty when it is no path."""
    if not target or target[0] in "#/?" or _SCHEME.match(target):
        return ""
    return unquote(_PATH_END.split(target, maxsplit=1)[0])
