"""Tell a session what it does not know yet, at its start and at a turn.

A hook without a daemon asks here: imports no more than a turn needs.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.attention.budget import cost
from gitmem.delivery.start import Rendered
from gitmem.delivery.turn import turn_text
from gitmem.delivery.view import Turn
from gitmem.errors import GitmemError
from gitmem.service import bridging, handing, visits
from gitmem.service.answers import Delivered, Start, Visit
from gitmem.service.capacity import budget, stands
from gitmem.service.notices import at_turn as notices_at_turn
from gitmem.sessions import trouble
from gitmem.sessions.ledger import Told
from gitmem.sync import record

if TYPE_CHECKING:
    from gitmem.service.rooms import Rooms

# A start that a context goes on after; any other begins an empty one.
GOES_ON: Final = frozenset({"resume", "fork", "reload"})
# The start text is not where the host looked for it; there may have been none.
LOST: Final = "lost"
LEAST_ROOM: Final = 300
# The sections that a prompt fills.
MINDED: Final = frozenset({"counts", "critical", "cues"})


def keep(rooms: "Rooms", host: str, session: str, start: Start) -> None:
    """Keep a start text for a session, which was not given it yet if it is new."""
    change(rooms, host, session, lambda told: _with_start(told, start))


def at_start(rooms: "Rooms", visit: Visit, prompt: str = "") -> Delivered:
    """Give the start text, unless the session has it in its context.

    Where a turn asks, its prompt says what to choose with a tape.
    """
    if not visit.id:
        return Delivered(_rendered(rooms, visit.host, prompt).text)
    found = handing.known(rooms, visit)
    if found is None:
        return Delivered()
    told = _inherited(rooms, visit, found)
    goes_on = GOES_ON if told.start_text else GOES_ON | {LOST}
    if visit.reason not in goes_on:
        told = told.emptied()
    if told.is_paused:
        change(rooms, visit.host, visit.id, lambda now: _beside(now, told, visit))
        return Delivered()
    does_stand = stands(rooms, visit.host)
    was_given = told.is_given
    given = replace(
        _begun(rooms, visit, told, prompt),
        is_given=True,
        handed=handing.handed(visit, has_start=does_stand or not was_given),
    )
    change(rooms, visit.host, visit.id, lambda now: _beside(now, given, visit))
    text = given.start_text or ""
    if does_stand:
        return Delivered(standing=text)
    return Delivered("" if was_given else text)


def at_turn(
    rooms: "Rooms", visit: Visit, prompt: str, transcript: str = ""
) -> Delivered:
    """Give what came up since the session was told, and a start text it missed."""
    if not visit.id:
        return Delivered(
            _minded(rooms, visit, Told(), Turn(prompt), transcript=transcript)[0]
        )
    visits.meet(rooms, visit)
    told = handing.known(rooms, visit)
    if told is None or told.is_paused:
        return Delivered()
    missed = Delivered()
    if not told.is_given or stands(rooms, visit.host):
        missed = at_start(rooms, replace(visit, reason="resume"), prompt)
        told = rooms.ledger().read(visit.host, visit.id)
    used = cost(missed.text)
    if budget(rooms.loaded.settings.delivery.budget.turn, visit.host) - used < (
        LEAST_ROOM
    ):
        return missed
    seen, said = _news(rooms, visit, told, prompt)
    text, learned, notices = _minded(
        rooms, visit, told, seen, transcript=transcript, used=used + 1
    )
    if text:
        handed = replace(
            handing.handed(visit, has_start=missed != Delivered()),
            names=handing.learned(told, learned),
            said=(*said, *notices),
            news=seen.news,
        )
        rooms.ledger().change_later(
            visit.host,
            visit.id,
            lambda now: _with_learned(now, replace(learned, handed=handed), visit),
        )
    return replace(missed, text="\n".join(filter(None, (missed.text, text))))


def undelivered(rooms: "Rooms", visit: Visit) -> None:
    """Note that an answer did not reach the session: it is given again."""
    before = rooms.ledger().read(visit.host, visit.id)
    now = change(
        rooms, visit.host, visit.id, lambda told: handing.taken_back(told, visit)
    )
    if now != before:
        rooms.sessions().add_news(visit.host, visit.id, before.handed.news)


def pause(rooms: "Rooms", host: str, session: str, *, is_paused: bool) -> None:
    """Tell a session nothing from now on, or go on telling it."""
    rooms.ledger().change(
        host, session, lambda told: replace(told, is_paused=is_paused)
    )


def _news(
    rooms: "Rooms", visit: Visit, told: Told, prompt: str
) -> tuple[Turn, tuple[str, ...]]:
    sentences = notices_at_turn(record.load(rooms.state), rooms.loaded)
    new = tuple(each for each in sentences if each not in told.said)
    failures = trouble.take(rooms.loaded.folders.state)
    news = _unknown(rooms, told, rooms.sessions().take_news(visit.host, visit.id))
    if prompt.lstrip().startswith("/"):
        from gitmem.service import archiving  # only what a person commands

        archiving.allow(rooms, visit, prompt)
    wish = None
    if rooms.loaded.settings.tape.enabled:
        from gitmem.service import anchoring  # only with a tape

        wish = anchoring.asked(rooms, visit, prompt)
    bridge = bridging.take(rooms, visit, prompt)
    return Turn(prompt, (*new, *failures), news, wish=wish, bridge=bridge), new


def _unknown(rooms: "Rooms", told: Told, news: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out what the session has read, or written itself, as it is now."""
    from gitmem.memory.hashes import hash_of

    hashes = {}
    for path in news if told.given or told.start_given else ():
        with suppress(GitmemError, OSError):
            hashes[path] = hash_of(rooms.tree().read(PurePosixPath(path)))
    return tuple(
        path for path in news if not told.knows(path, hashes.get(path, "gone"))
    )


def turn(rooms: "Rooms", visit: Visit, seen: Turn) -> str:
    """Write what is told at a turn, in what the budget has."""
    return written(rooms, visit, seen).text


def _minded(
    rooms: "Rooms",
    visit: Visit,
    told: Told,
    seen: Turn,
    *,
    transcript: str,
    used: int = 0,
) -> tuple[str, Told, tuple[str, ...]]:
    """Write a turn with what the prompt brings to mind; say what is known then.

    The sentences are those about the rules of what comes to mind.
    """
    wanted = MINDED & frozenset(rooms.loaded.settings.delivery.turn)
    if not wanted or not seen.prompt.strip():
        return written(rooms, visit, seen, used).text, told, ()
    from gitmem.service import attending, pointing  # the catalog, and its libraries

    found = attending.attend(rooms, visit, told, seen.prompt, transcript)
    new = tuple(each for each in found.notices if each not in told.said)
    seen = replace(seen, status=(*seen.status, *new))
    return (
        *pointing.tell(
            rooms, found, told, seen, lambda turn: written(rooms, visit, turn, used)
        ),
        new,
    )


def written(rooms: "Rooms", visit: Visit, seen: Turn, used: int = 0) -> Rendered:
    """Write what is told at a turn, in what the budget has left."""
    delivery = rooms.loaded.settings.delivery
    room = budget(delivery.budget.turn, visit.host) - used
    return turn_text(seen, delivery.turn, room)


def _rendered(rooms: "Rooms", host: str, prompt: str) -> Start:
    from gitmem.service import starting  # rare: a turn tells a start text it missed

    return starting.rendered(rooms, host, prompt)


def _begun(rooms: "Rooms", visit: Visit, told: Told, prompt: str) -> Told:
    """Give a session its start text, the one that it had if it had one."""
    if told.start_text is not None:
        return told
    # They stand in the text, but for what comes while it is made.
    rooms.sessions().take_news(visit.host, visit.id)
    start = _rendered(rooms, told.host, prompt)
    trouble.take(rooms.loaded.folders.state)
    return _with_start(told, start)


def _with_start(told: Told, start: Start) -> Told:
    text = start.text
    return replace(
        told.with_said(start.said),
        start_text=text,
        start_given=dict(start.whole),
        is_given=told.is_given and told.start_text == text,
    )


def _inherited(rooms: "Rooms", visit: Visit, told: Told) -> Told:
    """Let a session that was forked from another know what that one was told."""
    if told.start_text is None and visit.parent:
        told = rooms.ledger().read(visit.host, visit.parent)
    elif told.start_text is None and visit.reason == "fork":
        told = rooms.ledger().latest(visit.host, str(rooms.cwd))
    return replace(told, host=visit.host, cwd=str(rooms.cwd))


def _with_learned(now: Told, learned: Told, visit: Visit) -> Told:
    """Add what a session was told at a turn to what is known of it meanwhile."""
    if handing.is_overtaken(now, visit):
        return now
    told = now.with_given(learned.given).with_named(learned.named)
    return replace(told.with_said(learned.handed.said), handed=learned.handed)


def _beside(now: Told, told: Told, visit: Visit) -> Told:
    """Keep what another process learned of the session meanwhile."""
    if handing.is_overtaken(now, visit):
        return now
    merged = told.with_given(now.given) if now.is_given and told.given else told
    return replace(merged, is_paused=now.is_paused)


def change(
    rooms: "Rooms", host: str, session: str, by: Callable[[Told], Told]
) -> Told | None:
    """Change the ledger; where it cannot be kept, things are told again."""
    if not session:
        return None
    with suppress(GitmemError, OSError):
        return rooms.ledger().change(host, session, by)
    return None
