"""The verbs of the tape, for a person and an agent alike."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.service.looking_back import Wanted
    from gitmem.service.reviewing import Replayed, Reviewed
    from gitmem.service.rooms import Rooms
    from gitmem.service.tape_answers import Played, Searched, Swept, TapeInfo, Woven
    from gitmem.service.weaving import Said
    from gitmem.tape.anchor import Anchor


class TapeVerbs:
    """What may be done with the tape of a project.

    Each raises NotFound where there is no tape.
    """

    def __init__(self, rooms: "Rooms") -> None:
        """Remember the rooms; none is opened yet."""
        self.rooms = rooms

    def handoff(self, name: str, summary: str = "", purpose: str = "") -> "Anchor":
        """Set an anchor where the session is now."""
        from gitmem.service import anchoring

        return anchoring.handoff(self.rooms, name, summary, purpose)

    def search(self, wanted: "Wanted") -> "Searched":
        """Find anchors, and what was said."""
        from gitmem.service import concealing, looking_back

        return concealing.answer(looking_back.search(self.rooms, wanted))

    def read(self, wanted: "Wanted") -> "Played":
        """Play a part of what was said."""
        from gitmem.service import concealing, looking_back

        return concealing.answer(looking_back.read(self.rooms, wanted))

    def info(self) -> "TapeInfo":
        """Say how long the tape is, and how far back the last anchor lies."""
        from gitmem.service import concealing, looking_back

        return concealing.answer(looking_back.info(self.rooms))

    def delete(self, ids: Sequence[str]) -> "Swept":
        """Delete anchors by their exact ids: all of them, or none."""
        from gitmem.service import concealing
        from gitmem.service.tape_answers import Swept

        return concealing.answer(Swept(self.rooms.tape().delete(ids).anchors))

    def reset(self, *, archive: bool = False) -> "Swept":
        """Begin the tape anew; `archive` keeps the old anchors in a file aside."""
        from gitmem.service import anchoring, concealing
        from gitmem.service.tape_answers import Swept

        swept = self.rooms.tape().reset(archive=archive)
        fresh = anchoring.begin_anew(self.rooms)
        return concealing.answer(Swept(swept.anchors, swept.aside, fresh))

    def thread(self, action: str, said: "Said") -> "Woven":
        """Do one thing with threads."""
        from gitmem.service import concealing, weaving

        return concealing.answer(weaving.weave(self.rooms, action, said))

    def review(self) -> "Reviewed":
        """Give the whole tape to look at."""
        from gitmem.service import reviewing

        return reviewing.review(self.rooms)

    def replay(self, anchor_id: str) -> "Replayed":
        """Read what was said after an anchor, and how to go on with its session."""
        from gitmem.service import reviewing

        return reviewing.replay(self.rooms, anchor_id)
