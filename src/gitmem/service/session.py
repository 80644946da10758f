"""The verbs of a host's session, from its start to its end."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from gitmem.service import answers, shelf

if TYPE_CHECKING:
    from gitmem.service import previewing, wrote
    from gitmem.service.rooms import Rooms
    from gitmem.sessions.live import Session

# Nothing begins then: what was told is only told again.
COMPACT: Final = "compact"


class SessionVerbs:
    """What a host asks for while an agent works."""

    def __init__(self, rooms: "Rooms") -> None:
        """Remember the rooms; none is opened yet."""
        self.rooms = rooms

    def start(self, visit: answers.Visit) -> answers.Began:
        """Register a session of a host; say what its start may wait for."""
        from gitmem.service import visits

        visits.end_orphans(self.rooms)
        # Where hooks overtake one another, a turn may have made it known before.
        known = self.rooms.sessions().find(visit.host, visit.id)
        is_twice = known is not None and known.reason == visit.reason == "startup"
        # First of all: who registers it and dies would have it look like a second one.
        if not is_twice and visit.reason != COMPACT:
            self._mark(visit)
        return visits.begin(self.rooms, visit)

    def text(self, visit: answers.Visit) -> answers.Delivered:
        """Give the start text that a session is due now, which may be none."""
        from gitmem.service import telling

        if visit.reason == COMPACT:
            self._mark(visit)
        return telling.at_start(self.rooms, visit)

    def turn(
        self, visit: answers.Visit, prompt: str, transcript: str = ""
    ) -> answers.Delivered:
        """Give what a session is told at a turn: only what it does not know."""
        from gitmem.service import telling

        return telling.at_turn(self.rooms, visit, prompt, transcript)

    def preview(self, visit: answers.Visit, prompt: str) -> "previewing.Preview":
        """Say what a turn with this prompt would be told, and why; tell nothing."""
        from gitmem.service import previewing

        return previewing.preview(self.rooms, visit, prompt)

    def wrote(self, visit: answers.Visit, paths: Sequence[str]) -> "wrote.Wrote":
        """Take in what a session wrote with its own tools; say what to mend."""
        from gitmem.service import wrote

        done = wrote.look(self.rooms, visit, paths)
        shelf.take_in(self.rooms, *done.paths)
        return done

    def missed(self, visit: answers.Visit) -> None:
        """Note that what a session was given did not reach it."""
        from gitmem.service import telling

        telling.undelivered(self.rooms, visit)

    def pause(self, host: str, session: str, *, is_paused: bool) -> None:
        """Tell a session nothing from now on, or go on telling it."""
        from gitmem.service import telling

        telling.pause(self.rooms, host, session, is_paused=is_paused)

    def end(self, host: str, session: str) -> answers.Ended:
        """Commit what a session wrote, before anything else, and forget it."""
        from gitmem.service import visits

        known = self.rooms.sessions().find(host, session)
        if known is not None:
            self._mark(_end_of(known), "end")
        return visits.end(self.rooms, host, session)

    def live(self) -> "tuple[Session, ...]":
        """List the sessions at work on this machine, the oldest first."""
        return self.rooms.sessions().live()

    def end_orphans(self) -> "tuple[Session, ...]":
        """End the sessions whose host died without a word."""
        from gitmem.service import visits

        return visits.end_orphans(self.rooms)

    def _mark(self, visit: answers.Visit, reason: str = "") -> None:
        if self.rooms.loaded.settings.tape.enabled:
            from gitmem.service import anchoring  # only with a tape

            anchoring.lifecycle(self.rooms, visit, reason)


def _end_of(known: "Session") -> answers.Visit:
    """Name the end of what began so: one that failed may be tried again."""
    request = f"{known.started.isoformat()} {known.reason}"
    path = known.transcript
    return answers.Visit(
        known.host, known.id, known.reason, request=request, transcript=path
    )
