"""Change the items of a list that is written one item a line."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gitmem.memory.frontmatter import quote
from gitmem.memory.frontmatter.split import key_end
from gitmem.memory.memory import Value

_ITEM: Final = re.compile(rb"[ \t]*-(?=[ \t\r\n]|\Z)[ \t]*")


def with_items(
    field: bytes, old: Sequence[Value], new: Sequence[Value]
) -> bytes | None:
    """Write `new` where `old` stood; items that stay keep their lines and comments.

    Returns None when the list is not written one item a line.
    """
    line, *more = field.splitlines(keepends=True)
    first = next((found for found in map(_ITEM.match, more) if found), None)
    behind_colon = line[key_end(line) :].strip()
    is_list = not behind_colon or behind_colon.startswith(b"#")
    if first is None or not new or not is_list:
        return None
    indent = first.group().split(b"-")[0]
    groups = list(_groups(more, len(indent)))
    comments, items = groups[0], groups[1:]
    if len(items) != len(old):
        return None
    left = list(zip(old, items, strict=True))
    newline = line[len(line.rstrip(b"\r\n")) :]
    marker = first.group() if first.group().endswith(b" ") else indent + b"- "
    lines = [_taken(left, wanted, marker, newline) for wanted in new]
    orphans = [part for _, group in left for part in group[1:] if _is_comment(part)]
    return b"".join((line, *comments, *lines, *orphans))


def _taken(
    left: list[tuple[Value, list[bytes]]],
    wanted: Value,
    marker: bytes,
    newline: bytes,
) -> bytes:
    for index, (value, group) in enumerate(left):
        if value == wanted:
            del left[index]
            return b"".join(group)
    return marker + quote.item(wanted).encode() + newline


def _groups(lines: Sequence[bytes], indent: int) -> Iterator[list[bytes]]:
    """Yield the lines above the first item, then each item with the lines below."""
    group: list[bytes] = []
    for line in lines:
        is_at_indent = len(line) - len(line.lstrip(b" \t")) <= indent
        if is_at_indent and _ITEM.match(line):
            yield group
            group = []
        group.append(line)
    yield group


def _is_comment(line: bytes) -> bool:
    return line.lstrip().startswith(b"#")
