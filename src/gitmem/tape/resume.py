"""What one has to know to go on with a thread, within a budget; pure."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Final, TypeVar

from gitmem.tape.threads import Node, Thread

BUDGET_CHARACTERS: Final = 4_000
_ADDED: Final = 8
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Resumed:
    """A thread from its root to one node, as it matters now.

    `path` has the nearest nodes; `left_out` counts what had no room, the oldest first.
    `gone` are files that are not there any more.
    """

    thread: str
    title: str
    node: str
    path: tuple[Node, ...]
    decisions: tuple[str, ...]
    next: tuple[str, ...]
    files: tuple[str, ...]
    memories: tuple[str, ...]
    gone: tuple[str, ...] = ()
    left_out: int = 0


def resume(
    thread: Thread, node: str, exists: Callable[[str], bool], budget_characters: int
) -> Resumed:
    """Gather what stands between a thread's root and a node, the latest for certain."""
    path = thread.path(node)
    files = _gathered(each.files for each in path)
    there = tuple(each for each in files if exists(each))
    room = _Room(budget_characters - len(thread.title))
    steps = next((each.next for each in reversed(path) if each.next), ())
    memories = _gathered(each.memories for each in path)
    kept_steps = room.first(steps)
    kept_path = room.last(path, lambda it: len(it.name) + len(it.summary))
    kept_decisions = room.last(_gathered(each.decisions for each in path), len)
    return Resumed(
        thread=thread.id,
        title=thread.title,
        node=node,
        path=kept_path,
        decisions=kept_decisions,
        next=kept_steps,
        files=room.last(there, len),
        memories=room.last(memories, len),
        gone=room.last(tuple(each for each in files if each not in there), len),
        left_out=room.left_out,
    )


class _Room:
    """Characters that are still to be given away."""

    def __init__(self, characters: int) -> None:
        self._left = characters
        self.left_out = 0

    def first(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        """Take from the beginning what fits."""
        return tuple(reversed(self.last(tuple(reversed(texts)), len)))

    def last(
        self, items: tuple[_Item, ...], size: Callable[[_Item], int]
    ) -> tuple[_Item, ...]:
        """Take from the end what fits, and the last one whatever its size."""
        kept: list[_Item] = []
        for each in reversed(items):
            self._left -= size(each) + _ADDED
            if self._left < 0 and kept:
                break
            kept.append(each)
        self.left_out += len(items) - len(kept)
        return tuple(reversed(kept))


def _gathered(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(lists)))
