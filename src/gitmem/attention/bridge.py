"""Choose what of the session before a prompt should still know; pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from gitmem.attention import bm25
from gitmem.attention.bridged import Bridged
from gitmem.hosts.entry import MESSAGE, Entry
from gitmem.tape.anchor import HANDOFF, Anchor

MOST_MESSAGES: Final = 5
MOST_ANCHORS: Final = 3
FLOOR: Final = 0.5
# What gitmem itself gave to that session is not said again.
_OWN: Final = re.compile(
    r"<(memory_context|memory_bridge)\b.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)


def said(entries: Iterable[Entry], known: frozenset[str]) -> tuple[Bridged, ...]:
    """Give the messages of a session, without those that a fork of it holds too."""
    found = (
        Bridged(each.role, each.at, text)
        for each in entries
        if each.kind == MESSAGE and each.id not in known
        if (text := _OWN.sub("", each.text).strip())
    )
    return tuple(found)


def anchored(anchors: Iterable[Anchor], session: str) -> tuple[Bridged, ...]:
    """Give the handoffs of a session in their words."""
    return tuple(
        Bridged("anchor", each.at, " ".join((each.name, *_about(each))))
        for each in anchors
        if each.type == HANDOFF and each.session == session
    )


def pick(
    prompt: str, messages: Sequence[Bridged], anchors: Sequence[Bridged]
) -> tuple[Bridged, ...]:
    """Take what answers to the prompt best: anchors first, then messages."""
    return (
        *_best(prompt, anchors, MOST_ANCHORS),
        *_best(prompt, messages, MOST_MESSAGES),
    )


def _about(anchor: Anchor) -> Iterable[str]:
    return filter(None, (anchor.meta.summary, anchor.meta.purpose))


def _best(prompt: str, several: Sequence[Bridged], most: int) -> Iterator[Bridged]:
    found = bm25.scores(prompt, [each.text for each in several])
    ranked = sorted(range(len(several)), key=lambda index: -found[index])
    return (several[index] for index in ranked[:most] if found[index] >= FLOOR)
