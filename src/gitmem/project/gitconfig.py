"""Read three values out of the text of a Git configuration; pure.

Only what names a project is looked at. `include`, `includeIf` and `url.*.insteadOf`
are never followed: a stranger's file must not lead to another one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

# https://git-scm.com/docs/git-config#_syntax
_SECTION: Final = re.compile(
    r"""\[ [ \t]* (?P<name>[-.0-9A-Za-z]+) [ \t]*
        (?: " (?P<subsection> (?: [^"\\\n] | \\[^\n] )* ) " [ \t]* )? \]""",
    re.VERBOSE,
)
_KEY: Final = re.compile(r"(?P<key>[A-Za-z][-0-9A-Za-z]*)[ \t]*(?P<equals>=?)")
_VALUE: Final = re.compile(r'\\\n|\\.|["#;\n]|[^\\"#;\n]+')
_REST_OF_LINE: Final = re.compile(r"[^\n]*")
_BLANK: Final = re.compile(r"\s*")
_ESCAPES: Final = {"\\n": "\n", "\\t": "\t", "\\b": "\b", "\\\n": ""}
_TRUE: Final = frozenset({"true", "yes", "on", "1"})


@dataclass(frozen=True, slots=True)
class GitConfig:
    """What a repository's configuration says about itself."""

    origin: str | None = None
    is_bare: bool = False
    work_tree: str | None = None


def parse(text: str) -> GitConfig:
    """Read `remote.origin.url`, `core.bare` and `core.worktree`, whatever the rest.

    Of several URLs the first is the one Git fetches from; an empty one starts over.
    """
    origin = ""
    core: dict[str, str] = {}
    for section, subsection, key, value in _entries(text):
        if (section, subsection, key) == ("remote", "origin", "url"):
            origin = value and (origin or value)
        elif (section, subsection) == ("core", ""):
            core[key] = value
    return GitConfig(
        origin=origin or None,
        is_bare=core.get("bare", "").casefold() in _TRUE,
        work_tree=core.get("worktree") or None,
    )


def _entries(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Give (section, subsection, key, value) in order, skipping what is malformed."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    section, subsection, position = "", "", 0
    while True:
        position = _end(_BLANK, text, position)
        if position >= len(text):
            return
        if header := _SECTION.match(text, position):
            section, subsection = _names(header)
            position = header.end()
        elif (entry := _KEY.match(text, position)) and section:
            value, position = _value(text, entry.end(), has_value=bool(entry["equals"]))
            yield section, subsection, entry["key"].lower(), value
        else:
            position = _end(_REST_OF_LINE, text, position)


def _names(header: re.Match[str]) -> tuple[str, str]:
    """Split a header; `[remote.origin]` is an old spelling of `[remote "origin"]`."""
    name, quoted = header["name"].lower(), header["subsection"]
    if quoted is not None:
        return name, re.sub(r"\\(.)", r"\1", quoted)
    section, _, subsection = name.partition(".")
    return section, subsection


def _value(text: str, position: int, *, has_value: bool) -> tuple[str, int]:
    """Read one value up to the end of its line, and say where that is."""
    if not has_value:
        return "true", _end(_REST_OF_LINE, text, position)
    pieces: list[str] = []
    kept, is_quoted, is_begun = 0, False, False
    for token in _VALUE.finditer(text, position):
        piece, position = token.group(), token.end()
        if piece == "\n" or (piece in "#;" and not is_quoted):
            position = _end(_REST_OF_LINE, text, token.start())
            break
        if piece == '"':
            is_quoted = not is_quoted
        else:
            piece = _ESCAPES.get(piece, piece.removeprefix("\\"))
            piece = piece if is_quoted or is_begun else piece.lstrip()
            is_begun = is_begun or piece != ""
            pieces.append(piece)
        if is_quoted or token.group()[0] in '"\\':
            kept = len(pieces)
    return "".join(pieces[:kept]) + "".join(pieces[kept:]).rstrip(), position


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    found = pattern.match(text, position)
    return found.end() if found else len(text)
