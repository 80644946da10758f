"""Mask what looks like a credential in anchors and threads; pure.

Hardly ever there is one, and one look at all texts together says so.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from gitmem.secrets import find, mask
from gitmem.tape.anchor import Anchor
from gitmem.tape.threads import Node, Thread


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
