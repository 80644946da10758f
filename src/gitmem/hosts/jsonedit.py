"""Add to a JSON text and take it out again, and keep every other byte; pure."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from gitmem.hosts.jsontext import (
    STRING,
    Item,
    Node,
    Unreadable,
    find,
    member,
    parse,
    value,
)

HOOKS: Final = "hooks"
Mine: TypeAlias = Callable[[object], bool]
# The group of an entry, its place in that, and what else the group says.
_Place: TypeAlias = tuple[int, int, dict[str, Any]]
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


def put_element(text: str, keys: tuple[str, ...], wanted: object, is_ours: Mine) -> str:
    """Have one element of ours in the list under these keys; others of ours go."""
    found = _ours(text, keys, is_ours)
    if not found:
        return _added(text, keys, wanted)
    for at in reversed(found[1:]):
        text = _cut(text, keys, at)
    node = _items(text, keys)[found[0]].value
    is_same = _alike(value(text, node), wanted)
    return text if is_same else _replaced(text, node, wanted)


def put_hook(
    text: str, keys: tuple[str, ...], wanted: dict[str, Any], is_ours: Mine
) -> str:
    """Have one entry of ours in the groups of entries under these keys.

    `wanted` is a group with that entry alone. A group is more than its entry: what else
    is in it is somebody else's, and stays.
    """
    found = _entries(text, keys, is_ours)
    fitting = [each for each in found if _alike(each[2], _around(wanted))]
    kept = fitting[:1]
    for place in reversed(found):
        if place not in kept:
            text = _without_entry(text, keys, place, wanted, None)
    if not kept:
        return _added(text, keys, wanted)
    [(_, at, _)] = kept
    group = _entries(text, keys, is_ours)[0][0]
    node = _entry_list(_items(text, keys)[group].value)[at].value
    [entry] = wanted[HOOKS]
    is_same = _alike(value(text, node), entry)
    return text if is_same else _replaced(text, node, entry)


def drop_hook(
    text: str,
    keys: tuple[str, ...],
    wanted: dict[str, Any],
    is_ours: Mine,
    original: str | None,
) -> str:
    """Take every entry of ours out, and a group of ours that is empty then."""
    for place in reversed(_entries(text, keys, is_ours)):
        text = _without_entry(text, keys, place, wanted, original)
    return text


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
    text: str, keys: tuple[str, ...], is_ours: Mine, original: str | None
) -> str:
    """Take every element of ours out of the list under these keys."""
    for at in reversed(_ours(text, keys, is_ours)):
        text = _dropped(text, (*keys, ""), at, original)
    return text


def _alike(found: object, wanted: object) -> bool:
    # As text: to Python, 1 and true are equal.
    return json.dumps(found, sort_keys=True) == json.dumps(wanted, sort_keys=True)


def _known_depth(root: Node, keys: tuple[str, ...]) -> int:
    """Count the keys that lead to something that is there."""
    return max(depth for depth in range(len(keys)) if find(root, keys[:depth]))


def _items(text: str, keys: tuple[str, ...]) -> tuple[Item, ...]:
    """Give the elements of a list; none where there is no list."""
    holder = find(parse(text), keys)
    is_list = holder is not None and not holder.is_object
    return holder.items or () if holder and is_list else ()


def _ours(text: str, keys: tuple[str, ...], is_ours: Mine) -> list[int]:
    found = enumerate(_items(text, keys))
    return [at for at, each in found if is_ours(value(text, each.value))]


def _added(text: str, keys: tuple[str, ...], wanted: object) -> str:
    holder = find(parse(text), keys)
    if holder is None:
        return put(text, keys, [wanted])
    if holder.items is None or holder.is_object:
        raise Unreadable(f"{'.'.join(keys)} is not a list")
    return _inserted(text, holder, None, wanted)


def _cut(text: str, keys: tuple[str, ...], at: int) -> str:
    holder = find(parse(text), keys)
    if holder is None or holder.items is None:
        return text
    return _without(text, holder, holder.items[at], "")


def _around(group: object) -> dict[str, Any]:
    """Give what a group says besides its entries."""
    found = group if isinstance(group, dict) else {}
    return {key: each for key, each in found.items() if key != HOOKS}


def _entry_list(group: Node) -> tuple[Item, ...]:
    holder = member(group, HOOKS)
    return holder.items or () if holder and not holder.is_object else ()


def _entries(text: str, keys: tuple[str, ...], is_ours: Mine) -> list[_Place]:
    """Find every entry of ours: its group, its place in that, what else that says."""
    return [
        (group, at, _around(value(text, each.value)))
        for group, each in enumerate(_items(text, keys))
        for at, entry in enumerate(_entry_list(each.value))
        if is_ours(value(text, entry.value))
    ]


def _without_entry(
    text: str,
    keys: tuple[str, ...],
    place: _Place,
    wanted: dict[str, Any],
    original: str | None,
) -> str:
    group, at, around = place
    node = _items(text, keys)[group].value
    holder = member(node, HOOKS)
    entries = _entry_list(node)
    if holder is None:
        return text
    cut = _without(text, holder, entries[at], "")
    is_bare = len(entries) == 1 and not _has_comment(text, node)
    if is_bare and _alike(around, _around(wanted)):
        return _dropped(text, (*keys, ""), group, original)
    return cut


def _has_comment(text: str, node: Node) -> bool:
    # Outside of strings, JSON has no slash.
    return "/" in STRING.sub("", text[node.start : node.end])


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
    is_empty = len(holder.items) == 1
    start = holder.start
    text = _without(text, holder, holder.items[at], interior)
    left = find(parse(text), above)
    if left is not None and text[start + 1 : left.end - 1].strip():
        is_empty = False  # a comment of the person's
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


def elements(text: str, keys: tuple[str, ...]) -> list[Any]:
    """Read the elements of a list; none where there is no list."""
    return [value(text, each.value) for each in _items(text, keys)]


def load(text: str) -> Any:  # noqa: ANN401  whatever stands there
    """Read a whole document as a Python value."""
    return value(text, parse(text))
