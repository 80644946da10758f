"""Have something done by a daemon, and do it here where none answers."""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import gitmem
from gitmem.daemon import client, guard, protocol, status
from gitmem.errors import Busy, GitmemError, NoDaemon
from gitmem.process import environment, start_detached
from gitmem.service.answers import Began, Delivered, Ended, Visit
from gitmem.sync.record import Refused
from gitmem.sync.report import Report

if TYPE_CHECKING:
    from gitmem.daemon.status import DaemonStatus
    from gitmem.service.service import Service
    from gitmem.sync.record import Record

LOG_NAME: Final = "daemon.log"
ANSWER_SECONDS: Final = 2.0
# A daemon that is stopped or stuck must not hold up a session's start.
PULSE_SECONDS: Final = 0.4
# A first start text may have thousands of memories to index; a commit waits for locks.
WORK_SECONDS: Final = 5.0
START_SECONDS: Final = 10.0
STOP_SECONDS: Final = 4.0
_LOOK_EVERY_SECONDS: Final = 0.01
# Before a child that was just started could have fetched anything.
_TOO_SOON_SECONDS: Final = 0.3


@dataclass(frozen=True, slots=True)
class Told:
    """What a session is told at its start, and whether a pull is still under way."""

    text: str
    is_new: bool
    is_late: bool


def session_start(service: "Service", visit: Visit) -> Told:
    """Begin a session, and give what its agent is told without waiting long."""
    if not service.rooms.loaded.settings.enabled:
        return Told("", is_new=False, is_late=False)
    # A daemon that is too slow goes on with it, and so both have to be one start.
    visit = replace(visit, request=f"{os.getpid()}-{time.time_ns()}", attempt=1)
    with contextlib.suppress(NoDaemon, KeyError, TypeError):
        _ask(service, "ping", {}, PULSE_SECONDS)
        found = _ask(service, "session_start", _announced(service, visit), WORK_SECONDS)
        text = str(found["text"] or found["standing"])
        return Told(text, bool(found["is_new"]), bool(found["is_late"]))
    began, given, is_late = start_here(service, replace(visit, attempt=2))
    return Told(given.text or given.standing, began.is_new, is_late)


def start_here(
    service: "Service", visit: Visit, *, at_most: float = WORK_SECONDS
) -> tuple[Began, Delivered, bool]:
    """Begin a session in this process, and say whether a pull is still under way.

    One that is due is done by a program that is started for it. A daemon that is
    started though none is due pulls all the same, and that is told at a later turn.
    """
    began = service.session.start(visit)
    if not began.is_pull_due:
        given = service.session.text(visit)
        if service.rooms.loaded.settings.daemon.autostart:
            _summon_for_session(service)
        return began, given, False
    before = service.rooms.engine().record()
    has_helper = _summon_for_session(service)
    wait = began.wait_seconds if began.wait_seconds > _TOO_SOON_SECONDS else 0.0
    is_late = not (has_helper and _landed(service, before, min(wait, at_most)))
    return began, service.session.text(visit), is_late


def session_end(service: "Service", visit: Visit) -> Ended:
    """End a session: what it wrote is committed when this returns, and pushed soon."""
    if not service.rooms.loaded.settings.enabled:
        return Ended(was_known=False, report=Report(), may_push=False)
    with contextlib.suppress(NoDaemon, KeyError, TypeError):
        _ask(service, "ping", {}, PULSE_SECONDS)
        found = _ask(service, "session_end", _announced(service, visit), WORK_SECONDS)
        report = Report(
            committed=found["committed"],
            refused=tuple(Refused(*each) for each in found["refused"]),
            held=str(found["held"]),
        )
        return Ended(bool(found["was_known"]), report, may_push=False)
    return end_here(service, visit)


def end_here(service: "Service", visit: Visit) -> Ended:
    """End a session in this process; a program that is started pushes."""
    ended = service.session.end(visit.host, visit.id)
    if ended.may_push and service.status().unpushed:
        _summon_for_session(service)
    return ended


def ask_status(service: "Service") -> "DaemonStatus":
    """Ask the daemon how it is; raises NoDaemon."""
    try:
        return status.read(_ask(service, "status", {}, ANSWER_SECONDS))
    except NoDaemon as error:
        raise _silent(service, error) from error
    except (KeyError, TypeError, ValueError) as error:
        raise NoDaemon(
            "The daemon is of another version.", "Restart it: gitmem daemon stop"
        ) from error


def start(service: "Service") -> "tuple[DaemonStatus, bool]":
    """Start a daemon unless one lives; say how it is, and whether it is new."""
    # Without a memory repository there is nothing to keep in exchange.
    service.rooms.tree()
    with contextlib.suppress(NoDaemon):
        return ask_status(service), False
    summon(service)
    found = _until(lambda: _status_or_none(service), START_SECONDS)
    if found is None:
        if guard.holder(service.rooms.state) is not None:
            return ask_status(service), False  # says why it does not answer
        raise NoDaemon("The daemon did not start.", "See why: gitmem daemon logs")
    return found, True


def stop(service: "Service") -> int | None:
    """Stop the daemon, and give its process id; None if there was none."""
    state = service.rooms.state
    pid = guard.holder(state)
    if pid is None:
        return None
    with contextlib.suppress(NoDaemon):
        _ask(service, "stop", {}, ANSWER_SECONDS)
    if _until(lambda: guard.holder(state) is None, STOP_SECONDS):
        return pid
    if pid:
        # It may be stopped, and could not answer.
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
            os.kill(pid, signal.SIGCONT)
    if not _until(lambda: guard.holder(state) is None, STOP_SECONDS):
        raise Busy(
            f"The daemon with process id {pid} does not leave.",
            f"End it: kill -9 {pid}. Nothing is lost by that.",
        )
    return pid


def summon(service: "Service", *arguments: str) -> None:
    """Start a daemon that outlives this program; if another lives, it leaves."""
    state = service.rooms.state
    # Isolated: of the variables for Python, a project may have set some.
    program = Path(gitmem.__file__).with_name("__main__.py")
    start_detached(
        [sys.executable, "-I", program, "daemon", "run", *arguments],
        cwd=state,
        environment=environment(),
        output=state / LOG_NAME,
    )


def _silent(service: "Service", error: NoDaemon) -> NoDaemon:
    """Say why no daemon answered: there is none, or one that is stuck."""
    pid = guard.holder(service.rooms.state)
    if pid is None:
        return error
    named = f"process {pid}" if pid else "its process"
    if isinstance(error.__cause__, FileNotFoundError | ConnectionRefusedError):
        return NoDaemon(f"It is just starting, or leaving: {named}.", "Ask again soon.")
    if isinstance(error.__cause__, TimeoutError):
        return NoDaemon(
            f"It is stuck: {named} does not answer.",
            "End it with `gitmem daemon stop`; the next session starts another.",
        )
    return error


def _summon_for_session(service: "Service") -> bool:
    """Start what pulls and pushes; where nothing can be kept, a session has none."""
    does_stay = service.rooms.loaded.settings.daemon.autostart
    try:
        summon(service, *(() if does_stay else ("--once",)))
    except (GitmemError, OSError):
        return False
    return True


def _ask(
    service: "Service", verb: str, arguments: dict[str, Any], timeout_seconds: float
) -> Any:  # noqa: ANN401  what the verb answers
    path = protocol.socket_path(service.rooms.state)
    return client.call(path, verb, arguments, timeout_seconds=timeout_seconds)


def _announced(service: "Service", visit: Visit) -> dict[str, Any]:
    """Say on whose behalf a session is announced, and with which settings."""
    own = {
        name: text for name, text in environment().items() if name.startswith("GITMEM_")
    }
    return {
        "host": visit.host,
        "id": visit.id,
        "reason": visit.reason,
        "pid": visit.pid,
        "request": visit.request,
        "attempt": visit.attempt,
        "cwd": str(service.rooms.cwd),
        "variables": own,
    }


def _landed(service: "Service", before: "Record", wait_seconds: float) -> bool:
    """Wait a little for a pull that another program does."""

    def is_done() -> bool:
        fetch = service.rooms.engine().record().fetch
        return fetch.at != before.fetch.at or fetch.failed_at != before.fetch.failed_at

    return bool(_until(is_done, wait_seconds))


def _status_or_none(service: "Service") -> "DaemonStatus | None":
    try:
        return ask_status(service)
    except NoDaemon:
        return None


def _until(look: Callable[[], Any], seconds: float) -> Any:  # noqa: ANN401  what it finds
    """Look again and again until there is something, or the time is over."""
    ends = time.monotonic() + seconds
    while not (found := look()) and time.monotonic() < ends:
        time.sleep(_LOOK_EVERY_SECONDS)
    return found
