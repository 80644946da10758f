"""What may be asked of a daemon, by name."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from gitmem import __version__
from gitmem.daemon import keeper as keepers
from gitmem.daemon.hooks import Hooks
from gitmem.daemon.keeper import Keeper
from gitmem.daemon.protocol import PROTOCOL
from gitmem.daemon.runner import Past
from gitmem.daemon.status import DaemonStatus, JobStatus, SessionStatus, written
from gitmem.errors import UsageError
from gitmem.lineage import LARGEST_PID
from gitmem.service.answers import Visit

if TYPE_CHECKING:
    from gitmem.service.service import Service
    from gitmem.sessions.live import Session

_Answer = TypeVar("_Answer")
_HINDERED_SECONDS: Final = 0.2
# What the kernel takes as a path.
_PATH_LIMIT: Final = 4096


class Verbs:
    """Turns what arrives on the socket into calls of the service and the keeper."""

    def __init__(
        self,
        keeper: Keeper,
        *,
        mode: Callable[[], str],
        leave: Callable[[str], None],
        stays: bool = False,
    ) -> None:
        """Remember whom to ask; `leave` ends the daemon."""
        self.keeper = keeper
        self.since = datetime.now(UTC)
        self._mode = mode
        self._leave = leave
        self._stays = stays
        start, end = self.session_start, self.session_end
        self._hooks = Hooks(keeper, self._service, start=start, end=end)

    def table(self) -> dict[str, Callable[[dict[str, Any]], Awaitable[object]]]:
        """Name every verb."""
        return {
            "ping": self.ping,
            "status": self.status,
            "session_start": self.session_start,
            "session_end": self.session_end,
            "pull": self.pull,
            "push": self.push,
            "stop": self.stop,
            **self._hooks.table(),
        }

    async def ping(self, _: dict[str, Any]) -> object:
        """Say who is there."""
        return {"pid": os.getpid(), "version": __version__, "stays": self._stays}

    async def stop(self, _: dict[str, Any]) -> object:
        """Leave, after this answer."""
        asyncio.get_running_loop().call_later(0.05, self._leave, "it was asked to")
        return {"pid": os.getpid()}

    async def pull(self, _: dict[str, Any]) -> object:
        """Pull in the background."""
        self.keeper.pull()
        return {}

    async def push(self, _: dict[str, Any]) -> object:
        """Push in the background."""
        self.keeper.push()
        return {}

    async def status(self, _: dict[str, Any]) -> object:
        """Say what every job did last, and does next."""
        runner, scheduler = self.keeper.runner, self.keeper.scheduler
        live = await runner.aside(self._live)
        found = DaemonStatus(
            pid=os.getpid(),
            version=__version__,
            protocol=PROTOCOL,
            since=self.since.isoformat(timespec="seconds"),
            root=str(self.keeper.root),
            watch=self._mode(),
            jobs=tuple(
                replace(
                    _job(name, runner.past.get(name), scheduler.next(name)),
                    is_running=runner.is_running(name),
                )
                for name in keepers.SHOWN
            ),
            sessions=tuple(
                SessionStatus(
                    each.host,
                    each.id,
                    each.cwd,
                    each.started.isoformat(timespec="seconds"),
                )
                for each in live
            ),
        )
        return written(found)

    async def session_start(self, arguments: dict[str, Any]) -> object:
        """Register a session, pull if due, and give what the agent is told."""
        service, visit = self._service(arguments), _visit(arguments)
        aside = self.keeper.runner.aside
        arrived = time.monotonic()
        began = await aside(service.session.start, visit)
        is_late = False
        if began.is_pull_due:
            task = self.keeper.pull(force=False)
            # On a busy machine more has passed by now, and less is left to wait.
            left = began.wait_seconds - (time.monotonic() - arrived)
            landed, _ = await asyncio.wait({task}, timeout=max(0.0, left))
            is_late = not landed
        given = await aside(service.session.text, visit)
        return {
            "text": given.text,
            "standing": given.standing,
            "is_new": began.is_new,
            "is_late": is_late,
        }

    async def session_end(self, arguments: dict[str, Any]) -> object:
        """Commit at once, whatever hangs; push after the answer."""
        service, visit = self._service(arguments), _visit(arguments)
        ended = await self._unhindered(
            self.keeper.runner.aside(service.session.end, visit.host, visit.id)
        )
        if ended.may_push:
            self.keeper.push()
        return {
            "was_known": ended.was_known,
            "committed": ended.report.committed,
            "refused": [[each.path, each.reason] for each in ended.report.refused],
            "held": ended.report.held,
        }

    async def _unhindered(self, commit: Awaitable[_Answer]) -> _Answer:
        """Break off, until it is done, what keeps a commit from the lock."""
        task = asyncio.ensure_future(commit)
        self.keeper.held += 1
        try:
            while not task.done():
                await asyncio.to_thread(self.keeper.stopper.interrupt)
                await asyncio.wait({task}, timeout=_HINDERED_SECONDS)
        finally:
            self.keeper.held -= 1
        return task.result()

    def _live(self) -> "tuple[Session, ...]":
        return self.keeper.connect().session.live()

    def _service(self, arguments: dict[str, Any]) -> "Service":
        """Connect for the caller's project, with the caller's own settings."""
        self.keeper.last_busy = time.monotonic()
        visit = _visit(arguments)
        cwd = str(arguments.get("cwd") or "/")
        if len(cwd) > _PATH_LIMIT:
            # Each of its folders would be looked into, while others wait.
            raise UsageError("No folder has so long a name.", "Ask from a real one.")
        return self.keeper.connect(
            Path(cwd),
            host=visit.host,
            session=visit.id,
            variables=keepers.variables_of(arguments),
        )


def _visit(arguments: dict[str, Any]) -> Visit:
    pid, attempt = arguments.get("pid"), arguments.get("attempt")
    if isinstance(pid, int) and not 0 < pid <= LARGEST_PID:
        raise UsageError(f"{pid} is the number of no process.")
    return Visit(
        host=str(arguments.get("host", "")),
        id=str(arguments.get("id", "")),
        reason=str(arguments.get("reason", "")),
        pid=pid if isinstance(pid, int) else None,
        parent=str(arguments.get("parent") or ""),
        request=str(arguments.get("request") or ""),
        attempt=attempt if isinstance(attempt, int) else 0,
        transcript=str(arguments.get("transcript") or ""),
    )


def _job(name: str, past: Past | None, at: datetime | None) -> JobStatus:
    planned = at.astimezone(UTC).isoformat(timespec="seconds") if at else None
    if past is None:
        return JobStatus(name, next=planned)
    return JobStatus(
        name,
        at=past.at.isoformat(timespec="seconds"),
        seconds=past.seconds,
        outcome=past.outcome,
        message=past.message,
        hint=past.hint,
        error_class=past.error_class or "",
        failures=past.failures,
        next=planned,
    )
