"""Read TOML as statements, so that every byte of it can be kept; pure."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

_TOKEN: Final = re.compile(
    r'"""(?:[^\\]|\\.)*?"""+'
    r"|'''.*?'''+"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*|\n|[\[{]|[\]}]|[^\S\n]+|[^\s\"'#\[\]{}]+",
    re.DOTALL,
)


class Kind(Enum):
    """What a statement is."""

    HEADER = "header"
    PAIR = "pair"
    COMMENT = "comment"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Statement:
    """One line, or several that belong together.

    `body` is what it says, without blanks and a comment behind it; `keys` are those of
    a header's table, or the first one of a pair.
    """

    kind: Kind
    text: str
    body: str
    keys: tuple[str, ...] = ()


def load(text: str, complaint: str) -> dict[str, Any]:
    """Read a document; raises ValueError with the complaint where it is none."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{complaint}: {error}") from error


def statements(text: str) -> Iterator[Statement]:
    """Cut a valid document into its statements."""
    at = 0
    while at < len(text):
        end, stop = _extent(text, at)
        yield _statement(text[at:stop], text[at:end].strip())
        at = stop


def _extent(text: str, at: int) -> tuple[int, int]:
    """Say where what a statement says ends, and where its last line does."""
    depth, end = 0, at
    while at < len(text):
        found = _TOKEN.match(text, at)
        piece = found[0] if found else text[at]
        at += len(piece)
        depth += (piece in {"[", "{"}) - (piece in {"]", "}"})
        if piece == "\n" and depth <= 0:
            break
        if not piece.isspace() and not piece.startswith("#"):
            end = at
    return end, at


def _statement(text: str, body: str) -> Statement:
    if not body:
        kind = Kind.COMMENT if text.strip() else Kind.BLANK
        return Statement(kind, text, body)
    said: Any = tomllib.loads(body)
    if not body.startswith("["):
        return Statement(Kind.PAIR, text, body, tuple(said)[:1])
    keys: list[str] = []
    while said:
        said = said[0] if isinstance(said, list) else said
        keys += said
        said = said[keys[-1]] if said else None
    return Statement(Kind.HEADER, text, body, tuple(keys))
