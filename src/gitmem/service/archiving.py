"""Write a packet: what an agent says, and what this machine knows of its session."""

import re
from contextlib import suppress
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.errors import GitmemError, StaleWrite
from gitmem.memory.layout import PACKETS
from gitmem.sessions.grants import Grant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.memory.store import Proposed
    from gitmem.packets.packet import Origin, Packet, Told
    from gitmem.service.answers import Visit
    from gitmem.service.packet_answers import Filed, Said
    from gitmem.service.rooms import Rooms

LEAVE: Final = "packet"
_COMMAND: Final = re.compile(r"\s*/(?:gitmem:)?archive-session(?=\s|$)")
_NAMES_TRIED: Final = 100


def allow(rooms: "Rooms", visit: "Visit", prompt: str) -> None:
    """Allow a session one packet where its prompt asks for it."""
    if visit.id and _COMMAND.match(prompt):
        with suppress(GitmemError, OSError):
            rooms.grants().give(visit.host, visit.id, LEAVE, Grant(), rooms.now())


def take_leave(rooms: "Rooms") -> bool:
    """Use up what the person allowed; False where they must be asked."""
    from gitmem.service.anchoring import speaker

    if rooms.loaded.settings.mcp.confirm != "writes":
        return True
    who = speaker(rooms)
    return who is not None and bool(rooms.grants().take(*who, LEAVE, rooms.now()))


def propose(rooms: "Rooms", said: "Said") -> "Proposed":
    """Say what the agent's part would be, refuse what cannot be; write nothing.

    Neither the moment nor the machine's part is in it: who asks twice about one packet
    asks the same.
    """
    from gitmem.memory.store import Proposed
    from gitmem.packets import names, render
    from gitmem.packets.packet import Packet

    packet = Packet(rooms.now(), _told(rooms, said))
    layer = rooms.access().project.path
    draft, path = render.draft(packet), names.path(packet)
    real = rooms.store().propose(str(layer / path), draft)
    name = f"{packet.told.kind}-{names.slug(packet.told.topic)}.md"
    tags = ", ".join(packet.told.tags) or "none"
    text = f"tags: {tags}\n\n{render.body(packet)}\n"
    return Proposed(layer / PACKETS / name, None, text.encode(), real.warnings)


def archive(rooms: "Rooms", said: "Said") -> "Filed":
    """Write a packet, under a name that nothing has yet.

    Raises UsageError for an unknown kind or field, and what a memory is refused for.
    """
    from gitmem.packets import room
    from gitmem.packets.kinds import FILES_AT_MOST
    from gitmem.packets.packet import Packet
    from gitmem.service import claiming, shelf

    told = _told(rooms, said)
    origin, touched = _of_machine(rooms)
    # As many may be the agent's own, and are no new ones.
    names = [*islice(touched, 2 * FILES_AT_MOST)]
    most_bytes = rooms.loaded.settings.sync.max_file_bytes
    packet = room.with_files(Packet(rooms.now(), told, origin), names, most_bytes)
    filed = _written(rooms, packet)
    claiming.claim(rooms, {filed.path: rooms.tree().read(filed.path)})
    shelf.take_in(rooms, filed.path)
    return filed


def _told(rooms: "Rooms", said: "Said") -> "Told":
    """Take what was said, once nothing in it has to be kept out of every answer."""
    from gitmem.packets import check

    if rooms.loaded.settings.security.secrets == "block":
        check.refuse_credentials(said.fields)
    return check.told(said.kind, said.fields)


def _written(rooms: "Rooms", packet: "Packet") -> "Filed":
    """Write under the first name that is free, whoever writes beside."""
    from gitmem.memory.store import ABSENT
    from gitmem.packets import names, render
    from gitmem.service.packet_answers import Filed

    layer, draft = rooms.access().project.path, render.draft(packet)
    machine = rooms.options().author.machine
    number = 1
    while True:
        path = str(layer / names.path(packet, number, machine=machine))
        try:
            stored = rooms.store().write(path, draft, expected_hash=ABSENT)
        except StaleWrite:
            if number >= _NAMES_TRIED:
                raise
            number += 1
            continue
        return Filed(stored.path, stored.hash, packet, stored.warnings)


def _of_machine(rooms: "Rooms") -> "tuple[Origin, Iterator[str]]":
    from gitmem.packets.packet import Origin
    from gitmem.project.head import head
    from gitmem.repo.foreign import touched
    from gitmem.service import anchoring

    host, session = anchoring.speaker(rooms) or anchoring.latest(rooms)
    known = rooms.sessions().find(host, session) if session else None
    stand = head(rooms.project.root)
    thread, node, parent = _node(rooms, session)
    origin = Origin(
        host=host,
        session=session,
        thread=thread,
        node=node,
        parent=parent,
        repo=rooms.project.name,
        branch=_harmless(stand.branch) if stand else "",
        commit=stand.commit if stand else "",
    )
    since = known.started if known else None
    found = touched(stand, since) if stand else ()
    return origin, filter(_is_worth_a_word, found)


def _node(rooms: "Rooms", session: str) -> tuple[str, str, str]:
    """Find where in a thread a session stands: its own node, or HEAD of the last."""
    with suppress(GitmemError, OSError):
        tape = rooms.tape()
        if not (tape.is_open and rooms.loaded.settings.tape.thread):
            return "", "", ""
        at_work = [each for each in tape.threads() if not each.is_archived]
        pairs = [
            (thread, node)
            for thread in at_work
            for node in thread.nodes
            if session and node.session == session
        ]
        if pairs:
            thread, node = max(pairs, key=lambda pair: pair[1].at)
            return thread.id, node.id, node.parent
        if at_work and len(at_work[0].heads) == 1:
            head = at_work[0].node(at_work[0].heads[0])
            return at_work[0].id, at_work[0].heads[0], head.parent if head else ""
    return "", "", ""


def _harmless(text: str) -> str:
    """Drop what the machine found and nobody could leave out: a credential."""
    from gitmem import secrets

    return "" if secrets.find(text) or secrets.in_name(text) else text


def _is_worth_a_word(name: str) -> bool:
    from gitmem.attention.ignored import is_ignored
    from gitmem.packets.check import is_inside
    from gitmem.packets.kinds import ITEM_LIMIT

    is_short = is_inside(name) and len(name) <= ITEM_LIMIT
    return is_short and not is_ignored(PurePosixPath(name)) and bool(_harmless(name))
