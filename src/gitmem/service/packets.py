"""The verbs of packets, for a person and an agent alike."""

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.memory.store import Proposed
    from gitmem.service.packet_answers import (
        Filed,
        Recollection,
        Said,
        Shelved,
        Wanted,
    )
    from gitmem.service.rooms import Rooms


class PacketVerbs:
    """What may be done with the packets of a project."""

    def __init__(self, rooms: "Rooms") -> None:
        """Remember the rooms; none is opened yet."""
        self.rooms = rooms

    def take_leave(self) -> bool:
        """Use up what the person allowed; False where they must be asked."""
        from gitmem.service import archiving

        return archiving.take_leave(self.rooms)

    def propose(self, said: "Said") -> "Proposed":
        """Say what the agent's part of a packet would be, and write nothing."""
        from gitmem.service import archiving

        return archiving.propose(self.rooms, said)

    def archive(self, said: "Said") -> "Filed":
        """Write a packet, with what this machine knows of the session."""
        from gitmem.service import archiving

        return archiving.archive(self.rooms, said)

    def list(self, wanted: "Wanted") -> "tuple[Shelved, ...]":
        """List packets that fit, the newest first."""
        from gitmem.service import concealing, recalling

        return concealing.answer(recalling.packets(self.rooms, wanted))

    def newest(self) -> PurePosixPath:
        """Name the newest packet. Raises NotFound where there is none."""
        from gitmem.service import recalling

        return recalling.newest(self.rooms)

    def index(self) -> "Iterator[dict[str, object]]":
        """Give the entries of the index that pi-warm-memory and others read."""
        from dataclasses import replace

        from gitmem.packets import index
        from gitmem.service import concealing, recalling

        layer, project = self.rooms.access().project.path, self.rooms.project
        for each in concealing.answer(recalling.whole(self.rooms)):
            packet = each.packet
            if not packet.origin.cwd and packet.origin.repo == project.name:
                origin = replace(packet.origin, cwd=str(project.root))
                packet = replace(packet, origin=origin)
            yield index.entry(each.path.relative_to(layer), packet)

    def recall(self, wanted: "Wanted") -> "Recollection":
        """Rank what fits; what does not is left out before the limit counts."""
        from gitmem.service import concealing, recalling

        return concealing.answer(recalling.recall(self.rooms, wanted))
