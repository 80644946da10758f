"""Read an index of memories: one line for each, `- [Title](file.md) — hook`; pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import unquote

_LINE: Final = re.compile(
    r"\s{0,9}(?:[-*+]|\d{1,9}[.)])\s{1,9}[*_]{0,3}"
    r"(?:\[\[(?P<wiki>[^\[\]|]{1,300})(?:\|(?P<alias>[^\[\]]{1,300}))?\]\]"
    r"|\[(?P<title>[^\[\]]{0,300})\]"
    r"\((?:<(?P<angled>[^<>]{1,1000})>"
    r"|(?P<plain>[^()<>]{1,1000}(?:\([^()]{0,200}\)[^()<>]{0,200}){0,4}))\))"
    r"[*_]{0,3}(?P<hook>.{0,5000})"
)
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_JOINT: Final = " \t\u2014\u2013:-\u00b7"
_FENCES: Final = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class Hook:
    """What a line of the index says of a file.

    `target` is as it is written; for a wiki link it is a name.
    """

    line: int
    written: str
    target: str
    title: str
    hook: str
    is_wiki: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """A line of the index that names no file of the store."""

    line: int
    written: str


def lines(text: str) -> Iterator[Hook | Words]:
    """Give the lines of an index; those that lead to the web are words."""
    is_code = False
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        if line.lstrip().startswith(_FENCES):
            is_code = not is_code
        found = None if is_code else _LINE.fullmatch(line)
        hook = _hook(number, line, found) if found else None
        yield hook or Words(number, line)


def path_of(hook: Hook) -> PurePosixPath | None:
    """Give the file below the store that a hook names; None when it leads out."""
    target = PurePosixPath(hook.target)
    if target.is_absolute() or hook.target.startswith("~"):
        return None
    parts: list[str] = []
    for part in target.parts:
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        else:
            return None
    return PurePosixPath(*parts)


def _hook(number: int, line: str, found: re.Match[str]) -> Hook | None:
    said = found["hook"].strip(_JOINT).strip()
    if name := found["wiki"]:
        title = (found["alias"] or "").strip()
        return Hook(number, line, name.strip(), title, said, is_wiki=True)
    written = (found["angled"] or found["plain"]).strip()
    target = unquote(written.partition("#")[0].partition("?")[0])
    if not target or _SCHEME.match(target) or "\0" in target:
        return None
    return Hook(number, line, target, found["title"].strip(), said)
