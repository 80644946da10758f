"""Mask what looks like a credential in what the tape answers; pure.

Hardly ever there is one, and one look at all texts together says so.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from gitmem.secrets import find, mask
from gitmem.tape.anchor import Anchor
from gitmem.tape.threads import Node, Thread

_Answer = TypeVar("_Answer")


def answer(given: _Answer) -> _Answer:
    """Mask every text of an answer, however deep in it."""
    if not find("\n".join(_every(given))):
        return given
    masked: _Answer = _masked(given)
    return masked


def anchors(shown: Sequence[Anchor]) -> tuple[Anchor, ...]:
    """Mask the texts of anchors."""
    holding = _holding(map(_texts, shown))
    return tuple(
        _anchor(each) if number in holding else each
        for number, each in enumerate(shown)
    )


def threads(shown: Sequence[Thread]) -> tuple[Thread, ...]:
    """Mask the texts of threads and their nodes."""
    holding = _holding(
        (each.title, *(text for node in each.nodes for text in _said(node)))
        for each in shown
    )
    return tuple(
        replace(each, title=mask(each.title), nodes=tuple(map(_node, each.nodes)))
        if number in holding
        else each
        for number, each in enumerate(shown)
    )


def _every(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for pair in value.items() for text in _every(pair))
    elif isinstance(value, Sequence):
        yield from (text for each in value for text in _every(each))
    elif is_dataclass(value):
        parts = (getattr(value, each.name) for each in fields(value))
        yield from (text for part in parts for text in _every(part))


def _masked(value: Any) -> Any:  # noqa: ANN401  an answer is made of many kinds
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return {_masked(key): _masked(each) for key, each in value.items()}
    if isinstance(value, Sequence):
        return tuple(map(_masked, value))
    if is_dataclass(value) and not isinstance(value, type):
        parts = {each.name: getattr(value, each.name) for each in fields(value)}
        return replace(value, **{name: _masked(part) for name, part in parts.items()})
    return value


def _holding(texts: Iterable[Iterable[str]]) -> frozenset[int]:
    lines = (" ".join(" ".join(each).split()) for each in texts)
    return frozenset(found.line - 1 for found in find("\n".join(lines)))


def _texts(anchor: Anchor) -> tuple[str, ...]:
    meta = anchor.meta
    return anchor.name, meta.trigger, meta.summary, meta.purpose, *meta.keywords


def _anchor(anchor: Anchor) -> Anchor:
    meta = replace(
        anchor.meta,
        trigger=mask(anchor.meta.trigger),
        summary=mask(anchor.meta.summary),
        purpose=mask(anchor.meta.purpose),
        keywords=tuple(map(mask, anchor.meta.keywords)),
        more={},
    )
    return replace(anchor, name=mask(anchor.name), meta=meta)


def _said(node: Node) -> tuple[str, ...]:
    lists = (*node.decisions, *node.next, *node.files, *node.memories)
    return node.name, node.summary, node.purpose, *lists


def _node(node: Node) -> Node:
    return replace(
        node,
        name=mask(node.name),
        summary=mask(node.summary),
        purpose=mask(node.purpose),
        decisions=tuple(map(mask, node.decisions)),
        next=tuple(map(mask, node.next)),
        files=tuple(map(mask, node.files)),
        memories=tuple(map(mask, node.memories)),
    )
