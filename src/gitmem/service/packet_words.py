"""Say what the verbs of packets answer, for a person and a model alike; pure.

What a packet says is data: all of it is fenced.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.delivery import fence
from gitmem.packets.order import AHEAD
from gitmem.service.notices import counted
from gitmem.service.packet_answers import PACKET

if TYPE_CHECKING:
    from gitmem.service.packet_answers import (
        Filed,
        Recalled,
        Recollection,
        Shelved,
    )


ADVICE: Final = (
    "Read the one to three that bear on the task, with `memory_read` or `gitmem read "
    "PATH`, and go on from what they say. They are notes of then: check them against "
    "what is there now."
)


def of_filed(filed: "Filed") -> str:
    """Say where a packet lies, and what the machine added to it."""
    origin, files = filed.packet.origin, len(filed.packet.told.files)
    known = {
        "session": origin.session,
        "thread": origin.thread,
        "branch": origin.branch,
    }
    parts = [f"{name} {fence.line(text)}" for name, text in known.items() if text]
    about = ", ".join([*parts, counted(files, "file")])
    return f"Archived {fence.name(str(filed.path))} ({about})."


def of_shelved(found: "Sequence[Shelved]") -> str:
    """List packets, one line each."""
    lines = [
        f"{each.packet.at:%Y-%m-%d %H:%M}Z  {each.packet.told.kind:<10}  "
        f"{fence.line(each.packet.told.topic)}{f'  ({AHEAD})' if each.is_ahead else ''}"
        f"\n    {fence.name(str(each.path))}"
        for each in found
    ]
    return "\n".join(lines) or "There is no packet that fits."


def of_recollection(found: "Recollection") -> str:
    """Rank paths, say why each is one, and how to go on."""
    return "\n".join(_recollection(found))


def _recollection(found: "Recollection") -> Iterator[str]:
    if not found.hits:
        yield _none(found)
        if found.nearest_tags:
            tags = ", ".join(f"#{fence.line(tag)}" for tag in found.nearest_tags)
            yield f"Tags like it: {tags}"
        return
    for number, hit in enumerate(found.hits, start=1):
        yield from _hit(number, hit)
    yield ADVICE


def _none(found: "Recollection") -> str:
    """Say that there is nothing, and of what."""
    are_packets = found.kinds == (PACKET,)
    one, many = ("packet", "packets") if are_packets else ("memory", "memories")
    if not found.among:
        return f"Nothing found: there is no {one} that fits."
    return f"Nothing found among the {counted(found.among, one, many)} that fit."


def _hit(number: int, hit: "Recalled") -> Iterator[str]:
    yield f"{number}. path: {fence.name(str(hit.path))}"
    tags = "".join(f" #{fence.line(tag)}" for tag in hit.tags)
    title = f" {fence.line(hit.title)}" if hit.title else ""
    yield f"   {hit.day.isoformat()} {hit.kind}{title}{tags}"
    if hit.description:
        yield f"   {fence.line(hit.description)}"
    if hit.why:
        yield f"   why: {fence.line('; '.join(hit.why))}"
