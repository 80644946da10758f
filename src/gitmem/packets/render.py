"""Write a packet as a memory: its entry as frontmatter, the rest as text; pure."""

from collections.abc import Iterator, Mapping
from typing import Final

from gitmem.memory.draft import Draft, created
from gitmem.memory.load import DESCRIPTION_LIMIT
from gitmem.packets import kinds
from gitmem.packets.names import stamp
from gitmem.packets.packet import Packet

KIND: Final = "episode"
FILES: Final = "Files"
_ORIGIN: Final = (
    *("host", "session", "thread", "node", "parent"),
    *("repo", "branch", "commit", "cwd"),
)


def draft(packet: Packet, more: Mapping[str, object] | None = None) -> Draft:
    """Give what is to be written; `more` are further fields of its frontmatter."""
    told, at = packet.told, stamp(packet.at)
    origin = {name: getattr(packet.origin, name) for name in _ORIGIN}
    fields: dict[str, object] = {
        "description": description(packet),
        "tags": list(told.tags),
        "created": at[:10],
        "updated": at[:10],
        "title": told.topic,
        "kind": KIND,
        "source": "agent",
        "packet": told.kind,
        "timestamp": at,
        **{name: value for name, value in origin.items() if value},
        "files": list(told.files),
        "summary": told.summary,
        **(more or {}),
    }
    return Draft(fields, body(packet))


def document(packet: Packet, more: Mapping[str, object] | None = None) -> bytes:
    """Give a packet's file."""
    return created(draft(packet, more), stamp(packet.at)[:10])


def head(packet: Packet) -> bytes:
    """Give a packet's file without its text."""
    return created(Draft(draft(packet).fields, ""), stamp(packet.at)[:10])


def description(packet: Packet) -> str:
    """Say in one line what a packet holds."""
    told = packet.told
    line = " ".join(f"{told.kind.capitalize()}, {told.topic}: {told.summary}".split())
    if len(line) <= DESCRIPTION_LIMIT:
        return line
    return line[: DESCRIPTION_LIMIT - 1].rstrip() + "…"


def body(packet: Packet) -> str:
    """Give a packet's text; what has nothing to say has no heading."""
    told = packet.told
    return "\n\n".join((f"# {told.topic}", escaped(told.summary), *_parts(packet)))


def escaped(text: str) -> str:
    """Keep a line from being taken for a heading of the packet."""
    return "\n".join(
        f"\\{line}" if _is_odd(line) else line for line in text.split("\n")
    )


def _parts(packet: Packet) -> Iterator[str]:
    told = packet.told
    for part in kinds.PARTS[told.kind]:
        value = getattr(told, part.name)
        if value:
            text = _listed(value) if part.is_list else escaped(value)
            yield f"## {part.heading}\n\n{text}"
    if told.files:
        yield f"## {FILES}\n\n{_listed(told.files)}"


def _listed(items: tuple[str, ...]) -> str:
    return "\n".join(f"- {_indented(item)}" for item in items)


def _indented(item: str) -> str:
    first, *others = item.split("\n")
    return "\n".join((first, *(f"  {line}" if line else "" for line in others)))


def _is_odd(line: str) -> bool:
    return line.lstrip("\\").startswith("## ")
