"""Spell a record's fields as gitmem does, every other byte kept; pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from gitmem.importers.days import day
from gitmem.importers.heads import head
from gitmem.memory.frontmatter.edit import FIELD_ORDER
from gitmem.memory.frontmatter.split import Block, join, leading_trivia, split

_OURS: Final[Mapping[str, str]] = {
    "recordedAt": "recorded",
    "reviewAfter": "review_after",
    "reviewAt": "review_after",
    "confirmedAt": "confirmed",
    "endedAt": "ended",
    "endsAt": "ended",
    "supersededAt": "ended",
    "validUntil": "ended",
    "validTo": "ended",
    "createdAt": "created",
    "updatedAt": "updated",
}
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Record:
    """A record in gitmem's words.

    `changed` is to be laid over the document's fields: all that could be read of a
    head that is broken.
    """

    data: bytes
    fields: Mapping[str, Any]
    changed: Mapping[str, object]
    mapped: tuple[str, ...] = ()

    def text(self, name: str) -> str:
        """Return a field that is one text, or nothing."""
        value = self.fields.get(name)
        return value if isinstance(value, str) else ""

    def day(self, name: str) -> str:
        """Return the day of a date, or nothing."""
        return day(self.text(name))

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the texts of a field that is a list, or the one."""
        value = self.fields.get(name)
        listed = value if isinstance(value, list) else [value]
        return tuple(each for each in listed if isinstance(each, str) and each)


def record(data: bytes) -> Record:
    """Give a file's record; a name that gitmem has no word for stays."""
    parts = split(data)
    taken = {block.key for block in parts.blocks if block.key}
    names: dict[str, str] = {}
    for key in dict.fromkeys(block.key for block in parts.blocks if block.key):
        ours = _ours(key)
        if ours and ours not in taken and ours not in names.values():
            names[key] = ours
    blocks = tuple(_renamed(block, names) for block in parts.blocks)
    renamed = join(replace(parts, blocks=blocks))
    read_in = head(renamed)
    fields = read_in.document.fields
    mapped = tuple(f"{theirs} -> {ours}" for theirs, ours in names.items())
    if read_in.trouble:
        # Then the head goes into the text, and says nothing any more.
        return Record(data, fields, _readable(fields), mapped)
    return Record(renamed, fields, {}, mapped)


def _ours(key: str) -> str:
    """Give gitmem's word for a name in camel case, or nothing."""
    plain = _HUMP.sub("_", key).lower()
    return _OURS.get(key) or (plain if plain != key and plain in FIELD_ORDER else "")


def _renamed(block: Block, names: Mapping[str, str]) -> Block:
    if block.key is None or block.key not in names:
        return block
    before = leading_trivia(block.text)
    rest = block.text[len(before) :]
    at = rest.find(block.key.encode())
    end = at + len(block.key.encode())
    return replace(
        block,
        key=names[block.key],
        text=before + rest[:at] + names[block.key].encode() + rest[end:],
    )


def _readable(fields: Mapping[str, Any]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if name in FIELD_ORDER}
