"""Read JSON, with comments or without, so that every byte of it can be kept.

A host's own reader may allow comments and a comma after the last item; so does this.
"""

import functools
import json
import re
from dataclasses import dataclass
from typing import Any, Final

_BLANK: Final = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR: Final = re.compile(r"-?\d[\d.eE+-]*|true|false|null")
_DEEPEST: Final = 100


class Unreadable(ValueError):
    """The text is no JSON; says where."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands; `items` is None for a scalar."""

    start: int
    end: int
    items: "tuple[Item, ...] | None" = None
    is_object: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A member or an element: from its key to its value, and its comma if it has one.

    `comma` is where that stands, or -1.
    """

    key: str | None
    start: int
    value: Node
    comma: int = -1


@functools.lru_cache(maxsize=4)  # one text is asked about many times over
def parse(text: str) -> Node:
    """Read a whole document.

    Raises Unreadable where it is not JSON.
    """
    root = _value(text, _blank(text, 0), 0)
    if _blank(text, root.end) != len(text):
        raise _unreadable(text, root.end)
    return root


def find(root: Node, keys: tuple[str, ...]) -> Node | None:
    """Find what stands under these keys; of a doubled key the last one counts."""
    node: Node | None = root
    for key in keys:
        node = member(node, key) if node else None
    return node


def member(node: Node, key: str) -> Node | None:
    """Find a member of an object."""
    found = [each.value for each in node.items or () if each.key == key]
    return found[-1] if found and node.is_object else None


def value(text: str, node: Node) -> Any:  # noqa: ANN401  whatever stands there
    """Make a Python value of a node."""
    if node.items is None:
        return json.loads(text[node.start : node.end])
    if node.is_object:
        return {each.key: value(text, each.value) for each in node.items}
    return [value(text, each.value) for each in node.items]


def _value(text: str, at: int, depth: int) -> Node:
    if depth > _DEEPEST:
        raise Unreadable("it is nested too deeply")
    if text[at : at + 1] in {"{", "["}:
        return _container(text, at, depth)
    found = STRING.match(text, at) or _SCALAR.match(text, at)
    if found is None:
        raise _unreadable(text, at)
    _loads(text, at, found.end())
    return Node(at, found.end())


def _container(text: str, start: int, depth: int) -> Node:
    is_object = text[start] == "{"
    closing = "}" if is_object else "]"
    items: list[Item] = []
    at = _blank(text, start + 1)
    while text[at : at + 1] != closing:
        if items and items[-1].comma < 0:
            raise _unreadable(text, at)
        item = _item(text, at, depth, is_object=is_object)
        items.append(item)
        at = _blank(text, max(item.value.end, item.comma + 1))
    return Node(start, at + 1, tuple(items), is_object)


def _item(text: str, at: int, depth: int, *, is_object: bool) -> Item:
    start, key = at, None
    if is_object:
        found = STRING.match(text, at)
        if found is None:
            raise _unreadable(text, at)
        key = _loads(text, at, found.end())
        at = _blank(text, found.end())
        if text[at : at + 1] != ":":
            raise _unreadable(text, at)
        at = _blank(text, at + 1)
    node = _value(text, at, depth + 1)
    after = _blank(text, node.end)
    return Item(key, start, node, after if text[after : after + 1] == "," else -1)


def _loads(text: str, start: int, end: int) -> Any:  # noqa: ANN401  a scalar
    try:
        return json.loads(text[start:end])
    except ValueError as error:
        raise _unreadable(text, start) from error


def _blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _unreadable(text: str, at: int) -> Unreadable:
    return Unreadable(f"it is not valid JSON in line {text.count(chr(10), 0, at) + 1}")
