"""Look whether the daemon does what it should, and say how each thing is mended."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from gitmem import __version__
from gitmem.daemon import door, guard, units
from gitmem.errors import GitmemError, NoDaemon
from gitmem.service.answers import Diagnosis, Verdict

if TYPE_CHECKING:
    from gitmem.daemon.status import DaemonStatus, JobStatus
    from gitmem.service.rooms import Rooms
    from gitmem.service.service import Service

WHAT: Final = "daemon"
_OTHERS: Final = 0o077


def examine(service: "Service") -> Iterator[Diagnosis]:
    """Look at the daemon of a repository; where there is none, at nothing."""
    rooms = service.rooms
    if rooms.loaded.broken or not (rooms.root / ".git").exists():
        return
    try:
        yield from _state(rooms)
        yield from _unit(service)
        yield from _life(service)
    except GitmemError as error:
        yield Diagnosis(WHAT, Verdict.BROKEN, error.message, error.hint)


def _state(rooms: "Rooms") -> Iterator[Diagnosis]:
    """Look at the folder of its socket; one that others can write is refused."""
    state = rooms.state
    if state.is_dir() and state.stat().st_mode & _OTHERS:
        message = f"Other users can look into {state}, where its socket is."
        yield Diagnosis(WHAT, Verdict.WORRY, message, f"chmod 700 '{state}'")


def _unit(service: "Service") -> Iterator[Diagnosis]:
    """Look at what the system is to start at login."""
    unit = units.installed(service.rooms.home)
    if unit is None:
        return
    if sys.executable not in unit.text:
        message = f"{unit.path} starts a gitmem that is not this one."
        mend = "Write it anew: gitmem daemon install"
        yield Diagnosis(WHAT, Verdict.WORRY, message, mend)
    elif guard.holder(service.rooms.state) is None:
        message = f"The system is to run it by {unit.path}, and none runs."
        yield Diagnosis(WHAT, Verdict.WORRY, message, unit.next_step)


def _life(service: "Service") -> Iterator[Diagnosis]:
    pid = guard.holder(service.rooms.state)
    if pid is None:
        starts = service.rooms.loaded.settings.daemon.autostart
        then = "the next session starts one" if starts else "all works without it"
        yield Diagnosis(WHAT, Verdict.FINE, f"none runs; {then}")
        return
    try:
        found = door.ask_status(service)
    except NoDaemon as error:
        message = f"Process {pid} is to be it, and does not answer: {error.message}"
        mend = "Stop it; the next session starts another: gitmem daemon stop"
        yield Diagnosis(WHAT, Verdict.BROKEN, message, mend)
        return
    if found.version != __version__:
        message = f"Process {pid} is gitmem {found.version}, and this is {__version__}."
        mend = "Stop it; the next session starts this one: gitmem daemon stop"
        yield Diagnosis(WHAT, Verdict.WORRY, message, mend)
    yield from _jobs(found)


def _jobs(found: "DaemonStatus") -> Iterator[Diagnosis]:
    failed = [each for each in found.jobs if each.outcome == "failed"]
    yield from map(_failed, failed)
    if not failed:
        message = f"process {found.pid}, gitmem {found.version}"
        yield Diagnosis(WHAT, Verdict.FINE, message)


def _failed(job: "JobStatus") -> Diagnosis:
    kind = f" ({job.error_class})" if job.error_class else ""
    message = f"Its last {job.name} failed{kind}: {job.message}"
    return Diagnosis(WHAT, Verdict.WORRY, message, job.hint or "gitmem daemon logs")
