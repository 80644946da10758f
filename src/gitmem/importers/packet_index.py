"""Read the index of pi-warm-memory: one JSON object a line, in whatever state; pure."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from gitmem.packets.check import is_inside

_HEADER: Final = "thread-index"
_PACKET: Final = "packet-ref"
_SHOWN: Final = 100


@dataclass(frozen=True, slots=True)
class Reference:
    """What a line says of a packet; `path` is relative to the index."""

    line: int
    path: str
    said: Mapping[str, Any] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return a text or a number, in one line."""
        value = self.said.get(name)
        return " ".join(_whole(value).split()) if isinstance(value, str | int) else ""

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts."""
        value = self.said.get(name)
        listed = value if isinstance(value, list) else [value]
        texts = (_whole(each) for each in listed if isinstance(each, str))
        return tuple(each for each in texts if each.strip())


@dataclass(frozen=True, slots=True)
class Odd:
    """A line that names no packet in the store, and why."""

    line: int
    reason: str


def _whole(value: object) -> str:
    """Give a text as UTF-8 can hold it: of half a character nothing is left."""
    return str(value).encode("utf-8", "replace").decode()


def references(data: bytes) -> Iterator[Reference | Odd]:
    """Give the lines of an index."""
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip() and (found := _read(number, line)):
            yield found


def _read(number: int, line: bytes) -> Reference | Odd | None:
    try:
        said = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return Odd(number, "it is not JSON")
    if not isinstance(said, dict):
        return Odd(number, "it is no object")
    if said.get("kind") == _HEADER:
        return None
    path = said.get("path")
    if said.get("kind") != _PACKET or not isinstance(path, str):
        return Odd(number, "it names no packet")
    if not is_inside(path):
        return Odd(number, f"its path leads out of the store: {path[:_SHOWN]}")
    return Reference(number, path, said)
