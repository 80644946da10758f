"""What a daemon says of itself: values that cross the socket as JSON."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class JobStatus:
    """How the last run of a job went, and when the next one is."""

    name: str
    at: str | None = None
    seconds: float | None = None
    outcome: str = ""
    message: str = ""
    hint: str = ""
    error_class: str = ""
    failures: int = 0
    next: str | None = None
    is_running: bool = False


@dataclass(frozen=True, slots=True)
class SessionStatus:
    """A session at work."""

    host: str
    id: str
    cwd: str
    started: str


@dataclass(frozen=True, slots=True)
class DaemonStatus:
    """A daemon that lives."""

    pid: int
    version: str
    protocol: int
    since: str
    root: str
    watch: str
    jobs: tuple[JobStatus, ...] = ()
    sessions: tuple[SessionStatus, ...] = ()


def written(status: DaemonStatus) -> dict[str, Any]:
    """Write a status for the socket."""
    return asdict(status)


def read(found: Any) -> DaemonStatus:  # noqa: ANN401  what came over the socket
    """Read a status; raises TypeError or KeyError for what is none."""
    plain = dict(found)
    jobs = tuple(JobStatus(**each) for each in plain.pop("jobs"))
    sessions = tuple(SessionStatus(**each) for each in plain.pop("sessions"))
    return DaemonStatus(**plain, jobs=jobs, sessions=sessions)
