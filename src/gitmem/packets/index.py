"""Print packets as the index that pi-warm-memory and others read; pure."""

import json
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final

from gitmem.packets.names import stamp
from gitmem.packets.packet import Packet

_VERSION: Final = 1


def lines(packets: Iterable[tuple[PurePosixPath, Packet]]) -> Iterator[str]:
    """Give the index's lines: its header, and one for each packet."""
    yield _json({"version": _VERSION, "kind": "thread-index", "entries": []})
    for path, packet in packets:
        yield _json(entry(path, packet))


def entry(path: PurePosixPath, packet: Packet) -> dict[str, object]:
    """Give the entry of one packet; its path is relative to the folder of `packets`."""
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


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
