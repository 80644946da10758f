"""One daemon's life: alone from its first breath, gone within two seconds.

It keeps nothing that a restart cannot rebuild: what it knows lies in the repository,
the sync record and the session files.
"""

import asyncio
import contextlib
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gitmem import log
from gitmem.app import Caller, Kept, connect
from gitmem.daemon import client, jobs
from gitmem.daemon.guard import Guard, holder
from gitmem.daemon.keeper import Keeper
from gitmem.daemon.loading import load_all
from gitmem.daemon.protocol import socket_path
from gitmem.daemon.server import Server
from gitmem.daemon.timing import Timing
from gitmem.daemon.verbs import Verbs
from gitmem.daemon.watch import Watcher
from gitmem.errors import NoDaemon, UsageError
from gitmem.files.lock import locked
from gitmem.process import Stopper, environment

if TYPE_CHECKING:
    from gitmem.service.service import Service

LOG_NAME: Final = "daemon.log"
OWN_HOST: Final = "daemon"
_NOTICED_SECONDS: Final = 0.1
_ASKED_SECONDS: Final = 2.0
_LOOK_EVERY_SECONDS: Final = 0.5
# Ten times less than Python's own.
_SWITCH_SECONDS: Final = 0.0005
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Elsewhere(UsageError):
    """What a caller or the settings name is another repository than this daemon's."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How a daemon is to live; tests make its looks short."""

    cwd: Path
    stays: bool = False
    has_watch: bool = True
    timing: Timing = field(default_factory=Timing)


def run(wish: Wish) -> int | None:
    """Be the daemon of the repository; give None, or the pid of one that lives.

    Raises PathRefused in a state folder that others could change, and NoRepository.
    """
    service = connect(wish.cwd)
    service.rooms.tree()  # raises NoRepository
    state = service.rooms.state
    guard = Guard(state)
    if not guard.take():
        if not wish.stays:
            return holder(state) or 0
        _replace_other(guard, state)
    try:
        # A folder of nobody's project, and of no file system that could go away.
        os.chdir(state)
        return asyncio.run(_Life(wish, guard, service).live())
    finally:
        guard.drop()
        _leave_threads_behind()


def _replace_other(guard: Guard, state: Path) -> None:
    """Ask a daemon that will leave some time to do so now, and wait until it has.

    What the system starts is started again whenever it ends, so it must not.
    """
    with contextlib.suppress(NoDaemon, KeyError, TypeError):
        path = socket_path(state)
        found = client.call(path, "ping", {}, timeout_seconds=_ASKED_SECONDS)
        if not found["stays"]:
            client.call(path, "stop", {}, timeout_seconds=_ASKED_SECONDS)
    log.record(
        state,
        f"process {os.getpid()} waits for the daemon to leave",
        now=_now(),
        name=LOG_NAME,
    )
    while not guard.take():
        time.sleep(_LOOK_EVERY_SECONDS)


class _Life:
    """What lives between the lock and the last commit."""

    def __init__(self, wish: Wish, guard: Guard, service: "Service") -> None:
        self.wish = wish
        self.guard = guard
        self.state = service.rooms.state
        self.root = service.rooms.root.resolve()
        self.last_known = service
        self.stopper = Stopper()
        self.kept = Kept()
        self.leaving = asyncio.Event()
        self.reason = ""
        self.trouble = ""
        self.leave_limit = wish.timing.leave
        self.running_out: asyncio.Timeout | None = None
        self.keeper = Keeper(
            self.connect,
            pace=wish.timing,
            stopper=self.stopper,
            now=_now,
            note=self.note,
        )
        self.watcher = Watcher(self.keeper.root, self.keeper.changed)
        verbs = Verbs(
            self.keeper,
            mode=lambda: self.watcher.mode,
            leave=self.leave,
            stays=wish.stays,
        )
        self.server = Server(
            socket_path(self.state), verbs.table(), hung_seconds=wish.timing.hung_client
        )

    async def live(self) -> None:
        """Serve until there is a reason to leave."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: self._failed(context))
        for number in _SIGNALS:
            loop.add_signal_handler(number, self.hurry, signal.Signals(number).name)
        await _in_thread(load_all)
        # What was imported stays: to go through it once more would hold up a hook.
        gc.collect()
        gc.freeze()
        # A hook waits no longer for the work of another thread than it has to.
        sys.setswitchinterval(_SWITCH_SECONDS)
        await self.server.listen()
        self.guard.watch_socket(self.server.path)
        self.note(f"began, for {self.keeper.root}")
        tasks = [asyncio.create_task(self._tick())]
        if self.wish.has_watch:
            tasks.append(asyncio.create_task(self._watch()))
        self.keeper.start()
        await self.leaving.wait()
        for task in tasks:
            task.cancel()
        await self._close()

    def leave(self, reason: str) -> None:
        """Say why to leave; the first reason counts."""
        self.reason = self.reason or reason
        self.leaving.set()

    def hurry(self, reason: str) -> None:
        """Leave in the little time that a system that goes down gives."""
        self.leave_limit = self.wish.timing.stop
        if self.running_out is not None:
            ends = asyncio.get_running_loop().time() + self.leave_limit
            with contextlib.suppress(RuntimeError):  # it is over already
                self.running_out.reschedule(ends)
        self.leave(reason)

    def connect(
        self,
        cwd: Path | None = None,
        *,
        host: str = OWN_HOST,
        session: str = "",
        variables: dict[str, str] | None = None,
    ) -> "Service":
        """Connect anew for each piece of work: settings may have changed."""
        own = environment() if variables is None else _with(variables)
        service = connect(
            cwd or self.state,
            environment=own,
            caller=Caller(host, session),
            stopper=self.stopper,
            kept=self.kept,
        )
        if service.rooms.root.resolve() != self.root:
            raise Elsewhere("This daemon serves another memory repository.")
        if host != OWN_HOST:
            return service
        self.last_known = service
        live = service.session.live()
        if len(live) != 1:
            return service
        # What changes while one session is at work, that session wrote.
        return self.connect(host=live[0].host, session=live[0].id)

    def note(self, text: str) -> None:
        """Write a line into the log."""
        log.record(self.state, text, now=_now(), name=LOG_NAME)

    async def _tick(self) -> None:
        """Look again and again whether to stay, and whether the machine slept."""
        pace = self.wish.timing
        # From tick to tick without a gap: a sleep may fall into any line of this.
        before = time.time(), time.monotonic()
        while True:
            await asyncio.sleep(pace.tick)
            now = time.time(), time.monotonic()
            slept = pace.slept(now[0] - before[0], now[1] - before[1])
            before = now
            try:
                if slept:
                    await self.keeper.woke()
                if reason := self.guard.lost() or await self._needless():
                    self.leave(reason)
                self.trouble = ""
            except Exception as error:  # noqa: BLE001  the boundary of these looks
                self._failed({"exception": error})

    def _failed(self, context: Mapping[str, Any]) -> None:
        """Write down what went wrong outside of every job; once, while it goes on."""
        error = context.get("exception") or context.get("message")
        said = " ".join(f"{type(error).__name__}: {error}".split())
        if said != self.trouble:
            self.trouble = said
            self.note(f"cannot look after itself: {said}")

    async def _needless(self) -> str:
        """Say why nobody needs this daemon, if so."""
        if self.guard.is_outdated() and self.keeper.is_quiet():
            return "gitmem was replaced by another version"
        if not (self.root / ".git").exists():
            return "its repository is gone"
        try:
            service = await asyncio.to_thread(self.connect)
        except Elsewhere:
            return "the settings name another repository"
        if self.keeper.has_unsent() or service.session.live():
            self.keeper.last_busy = time.monotonic()
        idle = time.monotonic() - self.keeper.last_busy
        is_over = idle > service.rooms.loaded.settings.daemon.idle_exit
        return "nobody needed it" if is_over and not self.wish.stays else ""

    async def _watch(self) -> None:
        await self.watcher.watch()
        if self.watcher.trouble:
            self.note(f"cannot watch, so only looks: {self.watcher.trouble}")

    async def _close(self) -> None:
        """Commit what is there, and be gone in time, whatever hangs."""
        began = time.monotonic()
        self.server.close()
        self.keeper.close()
        self.kept.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.leave_limit) as self.running_out:
                await _in_thread(self.stopper.leave_network)
                await _in_thread(self._last_words)
        # What still runs would outlive its reader.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.3):
                await _in_thread(self.stopper.abort)
        if self.guard.owns_socket():
            self.server.path.unlink(missing_ok=True)
        self.note(f"left: {self.reason}{_took(time.monotonic() - began)}")

    def _last_words(self) -> None:
        try:
            jobs.last_words(self._last_service(), lock_seconds=self.leave_limit)
        except Exception as error:  # noqa: BLE001  the last boundary: nobody is left
            self.note(f"could not commit before leaving: {error}")

    def _last_service(self) -> "Service":
        """Connect once more; as it was, where nothing can be read any more."""
        try:
            return self.connect()
        except Exception:  # noqa: BLE001  whatever it is, the files are still there
            return self.last_known


def _took(seconds: float) -> str:
    """Say how long leaving took, if somebody could have noticed."""
    return f" (that took {seconds:.1f} s)" if seconds >= _NOTICED_SECONDS else ""


def errand(cwd: Path, *, wait_seconds: float) -> None:
    """Do once what a daemon would do for a session, then leave.

    Errands of several sessions go one after another; the later ones find nothing left.
    """
    service = connect(cwd, caller=Caller(OWN_HOST))
    live = service.session.live()
    if len(live) == 1:
        # What changes while one session is at work, that session wrote.
        service = connect(cwd, caller=Caller(live[0].host, live[0].id))
    with locked(service.rooms.state / "errand.lock", timeout_seconds=wait_seconds):
        if service.rooms.engine().is_due():
            service.pull()
        if jobs.look(service).is_ahead or service.status().uncommitted:
            service.push()


async def _in_thread(function: Callable[[], None]) -> None:
    """Wait for a thread that nothing else waits for when the program ends."""
    loop = asyncio.get_running_loop()
    done = asyncio.Event()

    def work() -> None:
        function()
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(done.set)

    threading.Thread(target=work, daemon=True).start()
    await done.wait()


def _leave_threads_behind() -> None:
    """End now: Python would wait for threads that wait for a dead remote."""
    ends = time.monotonic() + 0.2
    while any(not each.daemon for each in threading.enumerate()[1:]):
        if time.monotonic() > ends:
            os._exit(0)
        time.sleep(0.01)


def _with(variables: dict[str, str]) -> dict[str, str]:
    return {**environment(without_prefix="GITMEM_"), **variables}


def _now() -> datetime:
    return datetime.now(UTC)
