"""Make a Memory from the bytes of a file, or from the beginning of a large one."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import PurePosixPath
from typing import Any, Final

from gitmem.memory.frontmatter.read import Document, read
from gitmem.memory.frontmatter.split import line_of, split
from gitmem.memory.memory import Memory, Problem, Value, field_value
from gitmem.memory.problems import problem

DESCRIPTION_LIMIT: Final = 500
_SEARCHED_CHARACTERS: Final = 16_384
_DEPTH_LIMIT: Final = 4
_HEADING: Final = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*)$", re.MULTILINE)
_CODE_FENCE: Final = re.compile(
    r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL
)
_MOMENTS: Final = ("recorded", "confirmed", "ended", "review_after")
DATES: Final = ("created", "updated", *_MOMENTS)


def load(
    path: PurePosixPath, data: bytes, layer: str, size_bytes: int | None = None
) -> Memory:
    """Read a memory; `data` may be only the first of `size_bytes` bytes."""
    document = read(data, is_truncated=len(data) < (size_bytes or 0))
    return described(path, layer, document, data)


def described(
    path: PurePosixPath, layer: str, document: Document, data: bytes
) -> Memory:
    """Make a memory of what was read in its data."""
    fields = document.fields
    heading = _first_heading(document.body_text)
    found = list(document.problems)
    found += _field_problems(data, fields) if fields else []
    description = _one_line(field_value(fields, "description"))
    if not description:
        found.append(problem("no-description", 1))
    fallback = heading or _first_line(document)
    return Memory(
        path=path,
        layer=layer,
        description=_cut(description or fallback),
        tags=tags_of(fields),
        created=_one_line(field_value(fields, "created")),
        updated=_one_line(field_value(fields, "updated")),
        fields=fields,
        title=_one_line(field_value(fields, "title")) or heading,
        problems=tuple(sorted(found, key=lambda one: one.line)),
    )


def tags_of(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tags as they are written, whatever they are written as."""
    written = field_value(fields, "tags")
    if isinstance(written, str):
        is_hashed = all(word.startswith("#") for word in written.split())
        parts = written.split() if is_hashed else written.split(",")
        written = [_unquoted(part.strip()) for part in parts]
    texts = (_one_line(text).removeprefix("#").strip() for text in _texts(written, 0))
    return tuple(text for text in texts if text)


def _unquoted(text: str) -> str:
    """Take a tag out of quotes: in a line of them, YAML has them for a part of it."""
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if is_quoted else text


def _texts(written: Value, depth: int) -> Iterator[str]:
    if isinstance(written, str):
        yield written
    elif depth < _DEPTH_LIMIT:
        parts: Iterable[Value] = written
        if isinstance(written, Mapping):
            parts = (f"{name}: {_one_line(part)}" for name, part in written.items())
        for part in parts:
            yield from _texts(part, depth + 1)


def _field_problems(data: bytes, fields: Mapping[str, Any]) -> Iterator[Problem]:
    codes = dict(_field_codes(fields))
    if codes:
        parts = split(data)
        for name, code in codes.items():
            yield problem(code, line_of(parts, name), name)


def _field_codes(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in ("description", "title", *DATES):
        if not isinstance(fields.get(name, ""), str):
            yield name, "not-text"
    if len(_one_line(fields.get("description", ""))) > DESCRIPTION_LIMIT:
        yield "description", "long-description"
    for name in DATES:
        if (text := fields.get(name)) and isinstance(text, str) and not is_date(text):
            yield name, "not-a-date"
    tags = fields.get("tags", [])
    if isinstance(tags, str) and tags:
        yield "tags", "tags-not-a-list"
    elif isinstance(tags, Mapping) or not all(isinstance(t, str) for t in tags):
        yield "tags", "nested-tags"


def is_date(text: str) -> bool:
    """Say whether a text begins with a day as YYYY-MM-DD."""
    day, behind = text[:10], text[10:11]
    try:
        is_day = date.fromisoformat(day).isoformat() == day
    except ValueError:
        return False
    return is_day and behind in {"", "T", " "}


def _first_heading(body: str) -> str:
    searched = body[:_SEARCHED_CHARACTERS]
    match = _HEADING.search(searched)
    if match and _has_fence(searched[: match.start()]):
        match = _HEADING.search(_CODE_FENCE.sub("", searched))
    return _cut(_one_line(match[1].rstrip(" \t\r#"))) if match else ""


def _has_fence(text: str) -> bool:
    return "```" in text or "~~~" in text


def _first_line(document: Document) -> str:
    searched = document.body_text[:_SEARCHED_CHARACTERS]
    lines = (_one_line(line) for line in searched.splitlines())
    return next((line for line in lines if line.strip("-=*_ ")), "")


def _one_line(value: Value) -> str:
    text = value if isinstance(value, str) else ", ".join(_texts(value, 0))
    if text.isprintable() and "  " not in text:
        return text.strip()
    words = "".join(c if c.isprintable() else " " for c in text).split()
    return " ".join(words)


def _cut(text: str) -> str:
    is_long = len(text) > DESCRIPTION_LIMIT
    return text[: DESCRIPTION_LIMIT - 1] + "…" if is_long else text
