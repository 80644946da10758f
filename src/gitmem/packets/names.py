"""Name a packet's file after its moment, its kind and its topic; pure."""

import unicodedata
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Final

from gitmem import secrets
from gitmem.memory.layout import PACKETS
from gitmem.packets.packet import Packet

# A conflict copy's suffix and the moment have to fit into the name as well.
SLUG_LIMIT_BYTES: Final = 120
_MARK: Final = 4
_NAMELESS: Final = "packet"


def path(packet: Packet, number: int = 1, *, machine: str = "") -> PurePosixPath:
    """Give a packet's path in its layer; where it is taken, ask for the next number.

    Named with their machines, two packets of one moment and topic have two paths: what
    machines write to one path is merged.
    """
    moment = stamp(packet.at)
    mark = f"-{sha256(machine.encode()).hexdigest()[:_MARK]}" if machine else ""
    again = f"-{number}" if number > 1 else ""
    slugged = f"{slug(packet.told.topic)}{mark}{again}"
    name = f"{moment.replace(':', '-')}-{packet.told.kind}-{slugged}.md"
    return PurePosixPath(PACKETS, moment[:4], moment[5:7], name)


def slug(topic: str) -> str:
    """Spell a topic as a part of a file's name, in its own script.

    In small letters nobody would recognise a credential, so it must not come so far.
    """
    plain = unicodedata.normalize("NFKC", topic)
    if secrets.find(plain):
        return _NAMELESS
    kept = "".join(c if _is_kept(c) else " " for c in plain.casefold())
    words = unicodedata.normalize("NFC", "-".join(kept.split()))
    return _cut(words).rstrip("-") or _NAMELESS


def stamp(at: datetime) -> str:
    """Write a moment to the millisecond."""
    text = at.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def _is_kept(character: str) -> bool:
    # Marks are vowels in many scripts.
    return unicodedata.category(character)[0] in "LNM"


def _cut(text: str) -> str:
    """Cut between two characters, and never before a mark."""
    end = len(text.encode()[:SLUG_LIMIT_BYTES].decode(errors="ignore"))
    while 0 < end < len(text) and unicodedata.category(text[end])[0] == "M":
        end -= 1
    return text[:end]
