"""Change single fields of a file and leave every other byte as it is."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from gitmem.memory.frontmatter import quote
from gitmem.memory.frontmatter.lists import with_items
from gitmem.memory.frontmatter.read import block_value, read
from gitmem.memory.frontmatter.split import (
    Block,
    Parts,
    flow_end,
    join,
    key_end,
    leading_trivia,
    split,
)
from gitmem.memory.memory import Value

FIELD_ORDER: Final = (
    "description",
    "tags",
    "created",
    "updated",
    "name",
    "type",
    "key",
    "title",
    "kind",
    "subjects",
    "domains",
    "triggers",
    "relations",
    "cardinality",
    "priority",
    "sensitivity",
    "attention",
    "status",
    "recorded",
    "ended",
    "review_after",
    "confirmed",
    "supersedes",
    "source",
)

_FENCE: Final = b"---"
_PLAIN_END: Final = re.compile(rb"[ \t]+#|[ \t]*[\r\n]|[ \t]*\Z")


def edit(data: bytes, changes: Mapping[str, object]) -> bytes:
    """Set the fields named in `changes`; None removes one, new ones go to the end.

    A field that already reads as asked keeps its spelling. Of a field given twice
    the last is changed, which is the one that counts; removing takes all.
    """
    present = read(data).fields
    if all(value is None and key not in present for key, value in changes.items()):
        return data
    parts = _with_mapping(split(data), data)
    blocks: Sequence[Block] = parts.blocks
    for key, value in changes.items():
        blocks = _changed(blocks, key, value, parts.newline)
    return join(replace(parts, blocks=tuple(blocks)))


def render(fields: Mapping[str, object], body: str) -> bytes:
    """Write a new file: the fields in their customary order, then the text."""
    known = [key for key in FIELD_ORDER if key in fields]
    others = [key for key in fields if key not in FIELD_ORDER]
    head = b"".join(
        block(key, fields[key]).text
        for key in (*known, *others)
        if fields[key] is not None
    )
    text = body.replace("\r\n", "\n").strip("\n").encode("utf-8", "replace")
    return b"---\n" + head + b"---\n" + (b"\n" + text + b"\n" if text else b"")


def block(key: str, value: object, newline: bytes = b"\n", indent: int = 0) -> Block:
    """Write one field as the block that `split` would find."""
    line = f"{' ' * indent}{quote.key(key)}: {quote.value(_as_read(value))}"
    return Block(key, line.encode() + newline)


def _as_read(value: object) -> Value:
    """Turn a value into what reading it back gives: text, lists and mappings."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {str(name): _as_read(part) for name, part in value.items()}
    if isinstance(value, Iterable):
        return [_as_read(part) for part in value]
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _with_mapping(parts: Parts, data: bytes) -> Parts:
    """Make sure that there is a head which a field can be added to.

    What YAML reads as a list or as mere text is no head to anyone: it becomes the
    beginning of the text, below a new one. A mapping in braces gets its lines.
    """
    newline = parts.newline
    if parts.opening and _takes_fields(parts.blocks):
        return parts
    fields = read(data).fields
    if parts.opening and fields:
        blocks = tuple(block(key, value, newline) for key, value in fields.items())
        return replace(parts, blocks=blocks)
    fence = _FENCE + newline
    body = data[len(parts.bom) :]
    return Parts(parts.bom, fence, (), fence, body, newline)


def _takes_fields(blocks: Sequence[Block]) -> bool:
    texts = [b.text[len(leading_trivia(b.text)) :] for b in blocks if b.key is None]
    has_fields = len(texts) < len(blocks) or any(t.startswith(b"?") for t in texts)
    return has_fields or not any(texts)


def _changed(
    blocks: Sequence[Block], key: str, value: object, newline: bytes
) -> Sequence[Block]:
    places = [index for index, found in enumerate(blocks) if found.key == key]
    if value is None:
        return [_removed(found) if found.key == key else found for found in blocks]
    if not places:
        return [*blocks, block(key, value, newline, _indent(blocks))]
    last = places[-1]
    return [*blocks[:last], _with_value(blocks[last], value), *blocks[last + 1 :]]


def _removed(found: Block) -> Block:
    return Block(None, leading_trivia(found.text))


def _indent(blocks: Sequence[Block]) -> int:
    for found in blocks:
        if found.key is not None:
            line = found.text[len(leading_trivia(found.text)) :]
            return len(line) - len(line.lstrip(b" \t"))
    return 0


def _with_value(found: Block, value: object) -> Block:
    new = _as_read(value)
    old = block_value(found)
    if old == new:
        return found
    trivia = leading_trivia(found.text)
    field = found.text[len(trivia) :]
    if isinstance(new, list) and isinstance(old, list):
        items = with_items(field, old, new)
        if items is not None:
            return Block(found.key, trivia + items)
    comments = b"" if isinstance(old, str) else _comments(field)
    return Block(found.key, trivia + comments + _rewritten(field, new))


def _comments(field: bytes) -> bytes:
    """Return the comment lines of a list or mapping, set to stand above it."""
    indent = field[: len(field) - len(field.lstrip(b" \t"))]
    lines = (line.lstrip() for line in field.splitlines(keepends=True))
    return b"".join(indent + line for line in lines if line.startswith(b"#"))


def _rewritten(field: bytes, new: Value) -> bytes:
    """Replace what stands behind the colon; a comment behind it stays."""
    line = field.splitlines(keepends=True)[0]
    begin = key_end(line)
    begin += len(line[begin:]) - len(line[begin:].lstrip(b" \t"))
    end, style = _value_end(line, begin)
    written = quote.text(new, style) if isinstance(new, str) else quote.value(new)
    gap = b"" if line[begin - 1 : begin] in {b" ", b"\t"} else b" "
    space = b" " if line[end : end + 1] == b"#" else b""
    return line[:begin] + gap + written.encode() + space + line[end:]


def _value_end(line: bytes, begin: int) -> tuple[int, str]:
    """Return where a value ends on its line, and the quotes it is written in."""
    quotes = line[begin : begin + 1]
    if quotes == b"#":
        return begin, ""
    end = flow_end(line, begin)
    if end:
        return end, quotes.decode() if quotes in {b"'", b'"'} else ""
    match = _PLAIN_END.search(line, begin)
    return (match.start() if match else len(line)), ""
