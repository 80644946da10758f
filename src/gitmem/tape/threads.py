"""Threads: what the events of all machines make of each topic; pure.

Every event names the events that whoever wrote it had seen. So it is known which of
two came first, whatever the clocks say, and which were written without knowing of each
other: those both stand.
"""

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from gitmem.tape.anchor import THREAD, text, texts
from gitmem.tape.record import EVENT, Draft, Record

CREATE: Final = "thread.create"
ADD: Final = "node.add"
UPDATE: Final = "node.update"
HEAD: Final = "head.set"
RETIRE: Final = "thread.archive"
STATES: Final = ("active", "done", "archived")
# What grows; everything else says how it stands now.
GROWING: Final = ("decisions", "files", "memories")
_PLAIN: Final = ("summary", "purpose", "state")
_SEEN_CHARACTERS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Node:
    """A checkpoint of a thread; `parent` is empty for a root."""

    id: str
    name: str
    at: datetime
    parent: str = ""
    summary: str = ""
    purpose: str = ""
    state: str = "active"
    decisions: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()
    session: str = ""
    entry: str = ""


@dataclass(frozen=True, slots=True)
class Thread:
    """A topic: its nodes in the order they were made, and where work goes on.

    `heads` are several where machines moved HEAD without knowing of each other, and
    `seen` is what an event about it has to name.
    """

    id: str
    title: str
    at: datetime
    touched: datetime
    nodes: tuple[Node, ...] = ()
    heads: tuple[str, ...] = ()
    is_archived: bool = False
    seen: tuple[str, ...] = ()

    def node(self, wanted: str) -> Node | None:
        """Find a node by its id."""
        return next((each for each in self.nodes if each.id == wanted), None)

    def path(self, node_id: str) -> tuple[Node, ...]:
        """Give the nodes from the root to a node."""
        found: dict[str, Node] = {}
        known = {each.id: each for each in self.nodes}
        node = known.get(node_id)
        while node is not None and node.id not in found:
            found[node.id] = node
            node = known.get(node.parent)
        return tuple(reversed(found.values()))

    def tree(self) -> Iterator[tuple[Node, int]]:
        """Give each node once and its depth, what hangs below it behind it."""
        known = {each.id for each in self.nodes}
        below: dict[str, list[Node]] = {}
        for each in reversed(self.nodes):
            above = each.parent if each.parent in known else ""
            below.setdefault(above, []).append(each)
        waiting = [(each, 0) for each in below.get("", ())]
        while waiting:
            node, depth = waiting.pop()
            yield node, depth
            waiting += ((each, depth + 1) for each in below.get(node.id, ()))


def event(name: str, thread: Thread | None, **said: Any) -> Draft:  # noqa: ANN401
    """Prepare an event about a thread, by one who has seen it as it is."""
    about = {"thread": thread.id, "after": _seen(thread)} if thread else {}
    return Draft(name, EVENT, {**about, **said})


def node_meta(thread: Thread, parent: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Say of a new node where it stands."""
    about = {"event": ADD, "thread": thread.id, "after": _seen(thread)}
    return {**said, **about, **({"parent": parent} if parent else {})}


def _seen(thread: Thread) -> list[str]:
    """Name what was seen, the latest for certain: forged events may be many."""
    kept: list[str] = []
    left = _SEEN_CHARACTERS
    for each in reversed(thread.seen):
        left -= len(each)
        if left < 0:
            break
        kept.append(each)
    return kept[::-1]


def replay(records: Iterable[Record]) -> tuple[Thread, ...]:
    """Make the threads of their events, the one touched last first."""
    events: dict[str, dict[str, Record]] = {}
    for record in records:
        thread = record.id if record.name == CREATE else text(record.meta, "thread")
        if kind_of(record) and thread:
            events.setdefault(thread, {}).setdefault(record.id, record)
    made = (
        _Replay(each).thread(each[thread])
        for thread, each in events.items()
        if thread in each
    )
    return tuple(sorted(made, key=lambda each: (each.touched, each.id), reverse=True))


def kind_of(record: Record) -> str:
    """Say which event of a thread a line is; empty where it is none."""
    if record.type == THREAD:
        return ADD if text(record.meta, "event") == ADD else ""
    is_known = record.type == EVENT and record.name in {CREATE, UPDATE, HEAD, RETIRE}
    return record.name if is_known else ""


class _Replay:
    """The events of one thread, and which of them each had seen."""

    def __init__(self, events: Mapping[str, Record]) -> None:
        self._events = events
        self._order = _order(events)
        number = {each.id: at for at, each in enumerate(self._order)}
        self._masks: dict[str, int] = {}
        for each in self._order:
            mask = 0
            for before in _after(each):
                if before in self._masks:
                    mask |= self._masks[before] | 1 << number[before]
            self._masks[each.id] = mask
        self._number = number

    def thread(self, created: Record) -> Thread:
        """Say what all of them come to."""
        about = self._about()
        added = self._of(ADD)
        nodes = [self._node(each, about.get(each.id, [])) for each in added]
        known = {each.id for each in nodes}
        # What names no node moves nothing.
        moves = [each for each in self._of(ADD, HEAD) if _target(each) in known]
        heads = (_target(each) for each in self._latest(moves))
        last = self._latest(self._order)
        return Thread(
            id=created.id,
            title=text(created.meta, "title"),
            at=created.at,
            touched=max(each.at for each in self._order),
            nodes=_rooted(nodes),
            heads=tuple(dict.fromkeys(heads)),
            is_archived=all(kind_of(each) == RETIRE for each in last),
            seen=tuple(each.id for each in last),
        )

    def _node(self, added: Record, updates: list[Record]) -> Node:
        said = [added, *updates]
        plain = {name: text(self._last(said, name), name) for name in _PLAIN}
        lists = {
            name: _together(texts(each.meta, name) for each in said) for name in GROWING
        }
        steps = self._latest([each for each in said if "next" in each.meta])
        return Node(
            id=added.id,
            name=added.name.removeprefix("thread/"),
            at=added.at,
            parent=text(added.meta, "parent"),
            summary=plain["summary"],
            purpose=plain["purpose"],
            state=plain["state"] if plain["state"] in STATES else STATES[0],
            next=_together(texts(each.meta, "next") for each in steps),
            session=added.session,
            entry=added.entry,
            **lists,
        )

    def _about(self) -> dict[str, list[Record]]:
        """Gather what was said later of each node."""
        found: dict[str, list[Record]] = {}
        for each in self._of(UPDATE):
            found.setdefault(text(each.meta, "node"), []).append(each)
        return found

    def _last(self, said: list[Record], name: str) -> Mapping[str, Any]:
        latest = self._latest([each for each in said if text(each.meta, name)])
        return latest[-1].meta if latest else {}

    def _of(self, *kinds: str) -> list[Record]:
        return [each for each in self._order if kind_of(each) in kinds]

    def _latest(self, among: list[Record]) -> list[Record]:
        """Leave out what another of them had seen."""
        seen = 0
        for each in among:
            seen |= self._masks[each.id]
        return [each for each in among if not seen >> self._number[each.id] & 1]


def _order(events: Mapping[str, Record]) -> list[Record]:
    """Put causes before effects; by time where neither is the other's cause."""
    waits = {
        key: sum(before in events for before in set(_after(each)))
        for key, each in events.items()
    }
    follow: dict[str, list[str]] = {}
    for key, each in events.items():
        for before in set(_after(each)):
            follow.setdefault(before, []).append(key)
    ready = [(events[key].at, key) for key, count in waits.items() if not count]
    heapq.heapify(ready)
    ordered: list[Record] = []
    while ready:
        _, key = heapq.heappop(ready)
        ordered.append(events[key])
        for later in follow.get(key, ()):
            waits[later] -= 1
            if not waits[later]:
                heapq.heappush(ready, (events[later].at, later))
    # Nobody can have seen what came later: such events are forged, and still stand.
    placed = {each.id for each in ordered}
    rest = (each for key, each in events.items() if key not in placed)
    return ordered + sorted(rest, key=lambda each: (each.at, each.id))


def _rooted(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Make a root of one node in each circle of forged parents."""
    known = {each.id: each for each in nodes}
    placed: set[str] = set()
    roots: set[str] = set()
    for each in nodes:
        way: dict[str, None] = {}
        node: Node | None = each
        while node is not None and node.id not in placed and node.id not in way:
            way[node.id] = None
            node = known.get(node.parent)
        if node is not None and node.id in way:
            roots.add(node.id)
        placed.update(way)
    return tuple(
        replace(each, parent="") if each.id in roots else each for each in nodes
    )


def _after(record: Record) -> tuple[str, ...]:
    return texts(record.meta, "after")


def _target(record: Record) -> str:
    return record.id if record.type == THREAD else text(record.meta, "node")


def _together(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for found in lists for each in found))
