"""Sessions of hosts: they begin, they end, and some die without a word."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.lineage import birth, is_alive
from gitmem.service.answers import Began, Ended, Visit
from gitmem.sessions.live import UNSEEN_FOR, Session

if TYPE_CHECKING:
    from gitmem.service.rooms import Rooms


def begin(rooms: "Rooms", visit: Visit) -> Began:
    """Register a session, and say whether a pull is due and worth waiting for."""
    from gitmem.service import bridging
    from gitmem.sync.throttle import patience

    settings, engine = rooms.loaded.settings, rooms.engine()
    is_due = "pull" in settings.hooks.session_start and engine.is_due()
    session = _session(rooms, visit)
    is_new = bool(visit.id) and rooms.sessions().register(session)
    _note_root(rooms, visit)
    bridging.prepare(rooms, visit)
    fetch = engine.record().fetch
    wait = patience(
        fetch.seconds,
        has_failed=fetch.failed_at is not None,
        at_most=settings.sync.start_wait,
    )
    return Began(is_new, is_due, wait if is_due else 0.0)


def meet(rooms: "Rooms", visit: Visit) -> None:
    """Note a sign of life of a session, whose start may have been missed."""
    sessions = rooms.sessions()
    known = sessions.find(visit.host, visit.id)
    if known is None:
        sessions.register(_session(rooms, visit))
    elif visit.transcript not in {"", known.transcript}:
        sessions.register(replace(known, transcript=visit.transcript))
        _note_root(rooms, visit)
    else:
        sessions.seen(visit.host, visit.id)


def end(rooms: "Rooms", host: str, session_id: str) -> Ended:
    """Commit what is there, so that it lasts, and forget the session."""
    known = rooms.sessions().find(host, session_id)
    report = rooms.engine().commit()
    was_known = rooms.sessions().forget(host, session_id)
    if known is not None:
        _learn(rooms, known)
    may_push = "push" in rooms.loaded.settings.hooks.session_end
    return Ended(was_known, report, may_push)


def end_orphans(rooms: "Rooms") -> tuple[Session, ...]:
    """End the sessions whose host died, each under its own name."""
    return tuple(_ended_orphans(rooms))


def _learn(rooms: "Rooms", session: Session) -> None:
    from gitmem.service import reading  # only as a session ends

    reading.learn(rooms, session.host, session.id, session.transcript)


def _note_root(rooms: "Rooms", visit: Visit) -> None:
    """Remember where the host keeps its transcripts; only a tape reads them."""
    if not (visit.transcript and rooms.loaded.settings.tape.enabled):
        return
    from gitmem.hosts.transcripts import root_of
    from gitmem.sessions import roots

    root = root_of(visit.host, visit.transcript)
    roots.note(rooms.sessions().folder, visit.host, root)


def _session(rooms: "Rooms", visit: Visit) -> Session:
    return Session(
        host=visit.host,
        id=visit.id,
        cwd=str(rooms.cwd),
        started=rooms.now(),
        pid=visit.pid,
        born=birth(visit.pid) if visit.pid else "",
        reason=visit.reason,
        transcript=visit.transcript,
    )


def _ended_orphans(rooms: "Rooms") -> Iterator[Session]:
    from gitmem.sync.engine import Engine

    sessions = rooms.sessions()
    for session in sessions.live():
        if not _is_orphan(rooms, session):
            continue
        options = rooms.options()
        author = replace(options.author, host=session.host, session=session.id)
        Engine(replace(options, author=author)).commit()
        if sessions.forget(session.host, session.id):
            _learn(rooms, session)
            yield session


def _is_orphan(rooms: "Rooms", session: Session) -> bool:
    if session.pid is not None:
        return not is_alive(session.pid, session.born)
    return rooms.now() - rooms.sessions().last_seen(session) > UNSEEN_FOR
