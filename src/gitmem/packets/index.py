"""Print packets as the index that pi-warm-memory and others read; pure."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from gitmem.packets.names import stamp
from gitmem.packets.packet import Packet

_VERSION: Final = 1


def lines(entries: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """Give the index's lines: its header, and one for each entry."""
    yield _json({"version": _VERSION, "kind": "thread-index", "entries": []})
    yield from map(_json, entries)


def entry(path: PurePosixPath, packet: Packet) -> dict[str, object]:
    """Give the entry of one packet; its path is relative to where `packets` lies."""
    told, origin = packet.told, packet.origin
    return {
        "version": _VERSION,
        "kind": "packet-ref",
        "packetKind": told.kind,
        "threadId": origin.session or origin.thread,
        "timestamp": stamp(packet.at),
        "repo": origin.repo,
        "cwd": origin.cwd,
        "path": str(path),
        "topic": told.topic,
        "tags": list(told.tags),
        "files": list(told.files),
        "summary": told.summary,
    }


def _json(value: Mapping[str, object]) -> str:
    """Write one line in which no character can move a terminal's cursor."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)
