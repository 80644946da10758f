"""Make of a file's bytes what the catalog keeps of it; pure."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Final

from gitmem.catalog.analysis import path_words
from gitmem.catalog.text import Fields
from gitmem.memory.frontmatter.read import read
from gitmem.memory.frontmatter.split import find
from gitmem.memory.hashes import digest
from gitmem.memory.load import described
from gitmem.memory.memory import Memory, Problem, field_value
from gitmem.memory.tags import canonical

BODY_LIMIT_BYTES: Final = 1_000_000
# Enough of the body for a title and a first line.
HEAD_BYTES: Final = 16_384
FIELDS_LIMIT_CHARACTERS: Final = 16_000
FIELD_CHARACTERS: Final = 200
FIELDS_KEPT: Final = 100
# The sign first: the search for it is fast, that for a line's beginning is not.
_HEADING: Final = re.compile(
    r"#(?:(?<=\n#)|(?<=\n #)|(?<=\n  #)|(?<=\n   #))#{0,5}[ \t]+([^\r\n]*)"
)
# `json.dumps` makes a new one for every call.
_JSON: Final = json.JSONEncoder(ensure_ascii=False, default=str)
_FENCED: Final = re.compile(r"^ {0,3}(```|~~~).*?^ {0,3}\1", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory, the text to be indexed, and a digest of the bytes they came from."""

    memory: Memory
    fields: Fields
    digest: bytes


def make(path: str, data: bytes) -> Entry:
    """Read a file for the catalog."""
    head, body = data, None
    if len(data) > HEAD_BYTES:
        start = find(data).body
        head = data[: start + HEAD_BYTES]
        body = data[start : start + BODY_LIMIT_BYTES].decode("utf-8", "replace")
    document = read(head, is_truncated=len(head) < len(data))
    memory = described(PurePosixPath(path), path.partition("/")[0], document, head)
    body = document.body_text if body is None else body
    fields = Fields(
        place=path_words(memory.path),
        tags=" ".join(memory.tags),
        description=_as_said(field_value(memory.fields, "description")),
        title=memory.title,
        headings="\n".join(headings(body)),
        body=body,
    )
    return Entry(memory, fields, digest(data))


def _as_said(said: object) -> str:
    """Take the description as said; what stands in for it is in the body anyway."""
    return said if isinstance(said, str) else ""


def headings(body: str) -> list[str]:
    """List the headings of a Markdown text; comments in code are none."""
    if "#" not in body:
        return []
    # One character is found many times faster than three.
    is_fenced = ("`" in body and "```" in body) or ("~" in body and "~~~" in body)
    text = _FENCED.sub("", body) if is_fenced else body
    # The closing signs are stripped here: in the pattern they cost the line squared.
    found = (line.rstrip(" \t#") for line in _HEADING.findall(f"\n{text}"))
    return [heading for heading in found if heading]


def canonical_tags(memory: Memory) -> dict[str, str]:
    """Map each tag's canonical key to how it is written first."""
    written: dict[str, str] = {}
    for tag in memory.tags:
        written.setdefault(canonical(tag), tag)
    written.pop("", None)
    return written


def as_json(value: object) -> str:
    """Write a value into a column."""
    return _JSON.encode(value)


def problems_json(problems: Sequence[Problem]) -> str:
    """Store problems as lists of their parts."""
    parts = [(each.line, each.code, each.message, each.severity) for each in problems]
    return as_json(parts) if parts else "[]"


def fields_json(fields: Mapping[str, object]) -> str:
    """Store frontmatter as read; of an enormous one, the fields that are small.

    What keeps a memory from being shown is a word, and must not get lost.
    """
    text = as_json(fields)
    if len(text) <= FIELDS_LIMIT_CHARACTERS:
        return text
    small = {
        name: value
        for name, value in list(fields.items())[:FIELDS_KEPT]
        if len(as_json(value)) <= FIELD_CHARACTERS
    }
    return as_json(small)


def said_at(memory: Memory) -> datetime | None:
    """Find when a memory says that it changed last."""
    return _moment(memory.updated) or _moment(memory.created)


def _moment(text: str) -> datetime | None:
    for candidate in (text.strip(), text.strip()[:10]):
        try:
            found = datetime.fromisoformat(candidate)
            aware = found if found.tzinfo else found.replace(tzinfo=UTC)
            return aware.astimezone(UTC)
        except (ValueError, OverflowError):
            continue
    return None
