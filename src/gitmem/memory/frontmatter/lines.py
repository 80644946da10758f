"""Read one field by its lines alone, for what YAML rejects; never raises."""

import json
import re
from collections.abc import Sequence
from typing import Final

from gitmem.memory.frontmatter.split import Block, blocks, key_end, leading_trivia
from gitmem.memory.memory import Value

_DEPTH_LIMIT: Final = 8
_BLOCK_SCALAR: Final = re.compile(rb"[|>][-+0-9]{0,2}(?:[ \t]+#.*)?\Z")
_PROPERTY: Final = re.compile(r"\A(?:[!&]\S{0,99} +){1,3}(?=\[)")
_ITEM: Final = re.compile(rb"-(?:[ \t]+|\Z)")


def value(block: Block, depth: int = 0) -> Value:
    """Return what stands behind the colon: a text, a list, or a mapping."""
    first, *rest = block.text[len(leading_trivia(block.text)) :].splitlines() or [b""]
    inline = first[key_end(first) :].strip(b" \t")
    rest = [line for line in rest if line.strip()]
    if not rest:
        return _scalar(inline)
    if _BLOCK_SCALAR.match(inline):
        return _folded(rest, b"\n" if inline.startswith(b"|") else b" ")
    if inline and not inline.startswith(b"#"):
        return _scalar(b" ".join([inline, *(line.strip() for line in rest)]))
    return _nested(rest, depth)


def _nested(rest: Sequence[bytes], depth: int) -> Value:
    rest = [line for line in rest if not line.lstrip().startswith(b"#")] or [b""]
    if _ITEM.match(rest[0].lstrip()):
        return _items(rest)
    parts = list(blocks(b"\n".join(rest)))
    if depth >= _DEPTH_LIMIT or all(part.key is None for part in parts):
        return _text(b" ".join(line.strip() for line in rest))
    return {part.key: value(part, depth + 1) for part in parts if part.key is not None}


def _items(rest: Sequence[bytes]) -> list[Value]:
    indent = len(rest[0]) - len(rest[0].lstrip())
    items: list[list[bytes]] = []
    for line in rest:
        content = line.lstrip()
        marker = _ITEM.match(content)
        if marker and (len(line) - len(content) <= indent or not items):
            items.append([content[marker.end() :]])
        else:
            items[-1].append(content)
    return [_scalar(b" ".join(item).strip()) for item in items]


def _folded(rest: Sequence[bytes], joint: bytes) -> str:
    indent = min(len(line) - len(line.lstrip()) for line in rest)
    return _text(joint.join(line[indent:] for line in rest)) + "\n"


def _scalar(raw: bytes) -> Value:
    text = _PROPERTY.sub("", _text(raw))
    if len(text) > 1 and text[0] == "[" and text[-1] == "]":
        parts = (part.strip() for part in text[1:-1].split(","))
        return [_unquoted(part) for part in parts if part]
    return _unquoted(text)


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(json.loads(text)).encode("utf-8", "replace").decode()
        except ValueError:
            return text[1:-1]
    return text


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
