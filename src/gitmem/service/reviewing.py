"""Give a person the whole tape to look at, and what was said after an anchor."""

from dataclasses import dataclass
from datetime import datetime
from itertools import dropwhile, islice
from typing import TYPE_CHECKING, Final

from gitmem.errors import NotFound
from gitmem.files.names import shown
from gitmem.hosts.entry import COMPACTION, MESSAGE
from gitmem.secrets import mask
from gitmem.service import concealing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.hosts.entry import Call, Entry, Session
    from gitmem.service.rooms import Rooms
    from gitmem.tape.anchor import Anchor
    from gitmem.tape.threads import Thread

MOST_ENTRIES: Final = 500
TEXT_LIMIT: Final = 20_000


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The tape of a project: all its anchors, the newest first, and its threads."""

    project: str
    anchors: "tuple[Anchor, ...]"
    threads: "tuple[Thread, ...]"


@dataclass(frozen=True, slots=True)
class Said:
    """What was said in one entry, and the tools that it called."""

    at: datetime
    role: str
    text: str
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Replayed:
    """What was said from an agent's first answer after an anchor on.

    `resume` is the host's own command to go on with the session, and `note` says why
    there is nothing to show.
    """

    anchor: "Anchor"
    host: str = ""
    entries: tuple[Said, ...] = ()
    is_cut: bool = False
    resume: str = ""
    note: str = ""


def review(rooms: "Rooms") -> Reviewed:
    """Gather anchors and threads; raises NotFound where there is no tape."""
    tape = rooms.tape()
    tape.require()
    anchors, threads = tape.whole()
    return Reviewed(
        rooms.access().project.name,
        concealing.anchors(anchors[::-1]),
        concealing.threads(threads),
    )


def replay(rooms: "Rooms", anchor_id: str) -> Replayed:
    """Read a transcript from the first assistant entry after an anchor on."""
    from gitmem.hosts.resume import command

    tape = rooms.tape()
    tape.require()
    anchor = next((each for each in tape.anchors() if each.id == anchor_id), None)
    if anchor is None:
        raise NotFound(
            f"No anchor has the id {shown(anchor_id)}.",
            "`gitmem review --plain` shows the ids.",
        )
    [masked] = concealing.anchors((anchor,))
    session = _session(rooms, anchor.session)
    if session is None:
        note = "The transcript of its session is not on this machine."
        return Replayed(masked, note=note)
    after = _after(lambda: rooms.transcripts().entries(session), anchor)
    found = filter(_speaks, dropwhile(lambda each: not _answers(each), after))
    spoken = tuple(islice(found, MOST_ENTRIES + 1))
    return Replayed(
        masked,
        session.host,
        tuple(map(_said, spoken[:MOST_ENTRIES])),
        len(spoken) > MOST_ENTRIES,
        command(session),
        "" if spoken else "The agent said nothing after this anchor.",
    )


def _session(rooms: "Rooms", wanted: str) -> "Session | None":
    """Find a session by its id, which every host puts into the name of its file."""
    transcripts = rooms.transcripts()
    likely = (each for each in transcripts.files() if wanted and wanted in each.path)
    found = (transcripts.opened(each) for each in likely)
    return next((each for each in found if each and each.id == wanted), None)


def _after(
    entries: "Callable[[], Iterator[Entry]]", anchor: "Anchor"
) -> "Iterator[Entry]":
    """Begin behind the anchor's own entry, or at its moment where that is not known."""
    found = entries()
    # Looking for it leaves the iterator behind it.
    if anchor.entry and any(each.id == anchor.entry for each in found):
        return found
    return (each for each in entries() if each.at > anchor.at)


def _answers(entry: "Entry") -> bool:
    return entry.kind == MESSAGE and entry.role == "assistant"


def _speaks(entry: "Entry") -> bool:
    is_said = entry.kind in {MESSAGE, COMPACTION}
    return is_said and bool(entry.text.strip() or entry.calls)


def _said(entry: "Entry") -> Said:
    text = mask(entry.text.strip())
    kept = text if len(text) <= TEXT_LIMIT else f"{text[:TEXT_LIMIT]}…"
    role = "summary" if entry.kind == COMPACTION else entry.role
    return Said(entry.at, role, kept, tuple(map(_called, entry.calls)))


def _called(call: "Call") -> str:
    path = call.touch.path if call.touch else ""
    return mask(f"{call.tool} {path}".strip())
