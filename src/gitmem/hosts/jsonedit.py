"""Add to a JSON text and take it out again, and keep every other byte; pure."""

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from gitmem.hosts.jsontext import Item, Node, Unreadable, find, parse, value

_INDENT: Final = re.compile(r"[ \t]*")
_DEFAULT_UNIT: Final = "  "


@dataclass(frozen=True, slots=True)
class _Style:
    """How the document is laid out: its line ends, its step, all in one line or not."""

    newline: str
    unit: str
    is_flat: bool


def put(text: str, keys: tuple[str, ...], wanted: object) -> str:
    """Set what stands under these keys, making the objects that lead there."""
    root = parse(text)
    node = find(root, keys)
    if node is not None:
        is_same = _alike(value(text, node), wanted)
        return text if is_same else _replaced(text, node, wanted)
    depth = _known_depth(root, keys)
    holder = find(root, keys[:depth])
    if holder is None or not holder.is_object:
        raise Unreadable(f"{'.'.join(keys[:depth]) or 'it'} is not an object")
    for key in reversed(keys[depth + 1 :]):
        wanted = {key: wanted}
    return _inserted(text, holder, keys[depth], wanted)


def put_element(text: str, keys: tuple[str, ...], wanted: object, mark: str) -> str:
    """Have one element with this mark in the list under these keys."""
    holder = find(parse(text), keys)
    if holder is None:
        return put(text, keys, [wanted])
    if holder.items is None or holder.is_object:
        raise Unreadable(f"{'.'.join(keys)} is not a list")
    ours = _marked(text, holder, mark)
    if not ours:
        return _inserted(text, holder, None, wanted)
    for _ in ours[1:]:
        text = _without(text, holder, _marked(text, holder, mark)[-1], "")
        holder = find(parse(text), keys) or holder
    node = ours[0].value
    is_same = _alike(value(text, node), wanted)
    return text if is_same else _replaced(text, node, wanted)


def drop(text: str, keys: tuple[str, ...], original: str | None) -> str:
    """Take out what stands under these keys, or put back what stood there.

    Objects that are empty then go as well, if `original` had none there.
    """
    former = parse(original) if original else None
    known = find(former, keys) if former else None
    root = parse(text)
    node = find(root, keys)
    if node is None:
        return text
    if known is not None and original is not None:
        return text[: node.start] + original[known.start : known.end] + text[node.end :]
    return _dropped(text, keys, _position(root, keys), original)


def drop_element(
    text: str, keys: tuple[str, ...], mark: str, original: str | None
) -> str:
    """Take every element with this mark out of the list under these keys."""
    while True:
        holder = find(parse(text), keys)
        if holder is None or holder.items is None or holder.is_object:
            return text
        ours = _marked(text, holder, mark)
        if not ours:
            return text
        text = _dropped(text, (*keys, ""), holder.items.index(ours[-1]), original)


def _alike(found: object, wanted: object) -> bool:
    # As text: to Python, 1 and true are equal.
    return json.dumps(found, sort_keys=True) == json.dumps(wanted, sort_keys=True)


def _known_depth(root: Node, keys: tuple[str, ...]) -> int:
    """Count the keys that lead to something that is there."""
    return max(depth for depth in range(len(keys)) if find(root, keys[:depth]))


def _marked(text: str, holder: Node, mark: str) -> list[Item]:
    return [
        each
        for each in holder.items or ()
        if mark in json.dumps(value(text, each.value), ensure_ascii=False)
    ]


def _position(root: Node, keys: tuple[str, ...]) -> int:
    holder = find(root, keys[:-1])
    items = holder.items if holder and holder.items else ()
    return max(at for at, each in enumerate(items) if each.key == keys[-1])


def _dropped(text: str, keys: tuple[str, ...], at: int, original: str | None) -> str:
    """Take one item out of the container above the last key, and empty containers."""
    root = parse(text)
    above = keys[:-1]
    holder = find(root, above)
    if holder is None or holder.items is None:
        return text
    former = find(parse(original), above) if original else None
    interior = ""
    if original and former and not former.items:
        interior = original[former.start + 1 : former.end - 1]
    text = _without(text, holder, holder.items[at], interior)
    is_empty = len(holder.items) == 1
    if above and is_empty and (former is None):
        return _dropped(text, above, _position(parse(text), above), original)
    return text


def _without(text: str, holder: Node, item: Item, interior: str) -> str:
    """Cut an item out; `interior` is what an empty container holds then."""
    items = holder.items or ()
    at = items.index(item)
    start = _blank_before(text, item.start)
    if item.comma >= 0:
        following = items[at + 1].start if at + 1 < len(items) else -1
        gap = text[item.comma + 1 : following]
        if at == 0 and following > 0 and not gap.strip():
            return text[: item.start] + text[following:]
        cut = text[item.value.end : item.comma] + text[item.comma + 1 :]
    else:
        cut = text[item.value.end :]
        if at > 0:
            comma = items[at - 1].comma
            return text[:comma] + text[comma + 1 : start] + cut
    text = text[:start] + cut
    if len(items) > 1:
        return text
    end = holder.end - (item.value.end - start) - (item.comma >= 0)
    inner = text[holder.start + 1 : end - 1]
    return text if inner.strip() else _filled(text, holder.start, end, interior)


def _filled(text: str, start: int, end: int, interior: str) -> str:
    return text[: start + 1] + interior + text[end - 1 :]


def _inserted(text: str, holder: Node, key: str | None, wanted: object) -> str:
    """Write a new item behind the last one of a container."""
    style = _style(text)
    items = holder.items or ()
    outer = _indent_of_line(text, holder.start)
    if not items:
        return _first(text, holder, key, wanted, style)
    last = items[-1]
    before = text[_blank_before(text, last.start) : last.start]
    tail = _blank_before(text, holder.end - 1)
    is_flat = "\n" not in before and "\n" not in text[tail : holder.end - 1]
    own = before.rpartition("\n")[2] if "\n" in before else outer + style.unit
    body = _body(key, wanted, own, style, is_flat=is_flat)
    lead = " " if is_flat else style.newline + own
    if last.comma >= 0:  # the document ends its lists with a comma
        return text[:tail] + lead + body + "," + text[tail:]
    end = last.value.end
    return text[:end] + "," + text[end:tail] + lead + body + text[tail:]


def _first(
    text: str, holder: Node, key: str | None, wanted: object, style: _Style
) -> str:
    """Write the first item of an empty container."""
    interior = text[holder.start + 1 : holder.end - 1]
    outer = _indent_of_line(text, holder.start)
    own = outer + style.unit
    body = _body(key, wanted, own, style, is_flat=style.is_flat)
    kept = interior.rstrip()
    if style.is_flat:
        return _filled(text, holder.start, holder.end, kept + body)
    end = interior[len(kept) :] if kept else ""
    if "\n" not in end:
        end = style.newline + outer
    inner = kept + style.newline + own + body + end
    return _filled(text, holder.start, holder.end, inner)


def _replaced(text: str, node: Node, wanted: object) -> str:
    is_flat = _style(text).is_flat
    own = _indent_of_line(text, node.start)
    body = _body(None, wanted, own, _style(text), is_flat=is_flat)
    return text[: node.start] + body + text[node.end :]


def _body(
    key: str | None, wanted: object, own: str, style: _Style, *, is_flat: bool
) -> str:
    name = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
    if is_flat:
        return name + json.dumps(wanted, ensure_ascii=False)
    lines = json.dumps(wanted, ensure_ascii=False, indent=style.unit).split("\n")
    return name + f"{style.newline}{own}".join(lines)


def _style(text: str) -> _Style:
    newline = "\r\n" if "\r\n" in text else "\n"
    root = parse(text)
    unit = ""
    if root.items:
        before = text[_blank_before(text, root.items[0].start) : root.items[0].start]
        unit = before.rpartition("\n")[2] if "\n" in before else ""
    is_flat = bool(root.items) and "\n" not in text[root.start : root.end]
    return _Style(newline, unit or _DEFAULT_UNIT, is_flat)


def _indent_of_line(text: str, at: int) -> str:
    found = _INDENT.match(text, text.rfind("\n", 0, at) + 1)
    return found[0] if found else ""


def _blank_before(text: str, at: int) -> int:
    return len(text[:at].rstrip(" \t\r\n"))


def load(text: str) -> Any:  # noqa: ANN401  whatever stands there
    """Read a whole document as a Python value."""
    return value(text, parse(text))
