"""Read the threads of pi-memory-md: a line holds how one thread stands; pure."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from gitmem.tape.anchor import THREAD, text, texts
from gitmem.tape.record import EVENT, Record, moment
from gitmem.tape.threads import ADD, CREATE, HEAD, RETIRE

SUFFIX: Final = "__threads.jsonl"
# How a node's lists are called there, and here.
_LISTS: Final = {
    "decisions": "decisions",
    "next": "next",
    "files": "files",
    "memory": "memories",
}


@dataclass(slots=True)
class Threads:
    """What makes the threads of a project: events, and nodes by their anchor's id.

    `broken` are the numbers of the lines that say nothing.
    """

    events: list[Record] = field(default_factory=list)
    nodes: dict[str, Record] = field(default_factory=dict)
    broken: list[int] = field(default_factory=list)


def read(data: bytes) -> Threads:
    """Make of how each thread stands the events that lead there."""
    found = Threads()
    for number, line in enumerate(data.split(b"\n"), start=1):
        states = _states(line) if line.strip() else []
        if line.strip() and not states:
            found.broken.append(number)
        for state in states:
            _tell(found, state)
    return found


def _states(line: bytes) -> list[Mapping[str, Any]]:
    """Give the states on a line that can be understood."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return []
    values = document.values() if isinstance(document, dict) else ()
    return [each for each in values if isinstance(each, dict) and _thread(each)]


def _thread(state: Mapping[str, Any]) -> Mapping[str, Any]:
    thread = state.get("thread")
    is_one = isinstance(thread, dict) and text(thread, "id") and text(thread, "name")
    return thread if isinstance(thread, dict) and is_one and _at(thread) else {}


def _tell(found: Threads, state: Mapping[str, Any]) -> None:
    """Add one thread: it begins, has nodes one after another, and stands somewhere."""
    thread = _thread(state)
    own, at = text(thread, "id"), _at(thread)
    if at is None:
        return
    seen = own
    found.events.append(Record(own, at, CREATE, EVENT, {"title": text(thread, "name")}))
    for made, node in _nodes(state):
        record = _node(node, made, own, seen)
        found.nodes[record.id] = record
        seen = record.id
    ended = moment(text(thread, "updatedAt")) or at
    head = text(thread, "headNodeId")
    if head and head != seen:
        meta = {"thread": own, "after": [seen], "node": head}
        found.events.append(Record(f"{own}:head", ended, HEAD, EVENT, meta))
        seen = f"{own}:head"
    if text(thread, "status") == "archived":
        meta = {"thread": own, "after": [seen]}
        found.events.append(Record(f"{own}:archive", ended, RETIRE, EVENT, meta))


def _nodes(state: Mapping[str, Any]) -> Iterator[tuple[datetime, Mapping[str, Any]]]:
    """Give the nodes that have an id and a moment, with it, the oldest first."""
    listed = state.get("nodes")
    found = [
        (at, number, each)
        for number, each in enumerate(listed if isinstance(listed, list) else [])
        if isinstance(each, dict) and text(each, "id") and (at := _at(each))
    ]
    for at, _, each in sorted(found, key=lambda it: it[:2]):
        yield at, each


def _node(node: Mapping[str, Any], at: datetime, thread: str, seen: str) -> Record:
    said: dict[str, Any] = {"event": ADD, "thread": thread, "after": [seen]}
    said |= {ours: texts(node, theirs) for theirs, ours in _LISTS.items()}
    said["summary"] = text(node, "summary")
    said["parent"] = text(node, "parentNodeId")
    meta = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in said.items()
        if value
    }
    name = text(node, "branchName") or text(node, "summary")[:100] or "node"
    return Record(text(node, "id"), at, f"thread/{name}", THREAD, meta)


def _at(said: Mapping[str, Any]) -> datetime | None:
    return moment(text(said, "createdAt"))
