"""Keep a packet's head short enough to be read, however long the names in it; pure."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from gitmem.errors import InvalidMemory
from gitmem.memory.frontmatter.edit import block
from gitmem.memory.frontmatter.split import HEAD_LIMIT_BYTES
from gitmem.packets import kinds, render
from gitmem.packets.packet import Packet, Told

# For what the machine knows of the session, or an import of where it was found.
_BESIDE_BYTES: Final = 8_192
SAID_LIMIT_BYTES: Final = HEAD_LIMIT_BYTES - _BESIDE_BYTES
_SOME_DAY: Final = datetime(2000, 1, 1, tzinfo=UTC)


def check(told: Told) -> None:
    """Refuse what fits into no head, and name the longest. Raises InvalidMemory."""
    if _head_bytes(Packet(_SOME_DAY, told)) <= SAID_LIMIT_BYTES:
        return
    sizes = {name: len(block(name, getattr(told, name)).text) for name in kinds.COMMON}
    name = max(sizes, key=sizes.__getitem__)
    raise InvalidMemory(
        f"The packet's field {name} has {sizes[name]:,} bytes; {SAID_LIMIT_BYTES:,} is "
        f"the most for {', '.join(kinds.COMMON)} together.",
        "Keep those that whoever goes on will need.",
    )


def with_files(
    packet: Packet, names: Iterable[str], most_bytes: int | None = None
) -> Packet:
    """Add files to those of a packet, as many as there is room for."""
    said = packet.told.files
    fresh = [name for name in dict.fromkeys(names) if name not in said]
    fresh = fresh[: max(0, kinds.FILES_AT_MOST - len(said))]

    def is_too_much(count: int) -> bool:
        more = _with(packet, fresh[:count])
        is_long = _head_bytes(more) > SAID_LIMIT_BYTES
        if is_long or most_bytes is None:
            return is_long
        return len(render.document(more)) > most_bytes

    counts = range(1, len(fresh) + 1)
    return _with(packet, fresh[: bisect_left(counts, True, key=is_too_much)])  # noqa: FBT003  the first that is


def _with(packet: Packet, names: Sequence[str]) -> Packet:
    told = packet.told
    return replace(packet, told=replace(told, files=(*told.files, *names)))


def _head_bytes(packet: Packet) -> int:
    return len(render.head(packet))
