"""Decide what is run when: the policy of one daemon, all of it in the event loop."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gitmem.daemon import jobs, timing
from gitmem.daemon.jobs import Done, Look, Seen
from gitmem.daemon.runner import Past, Runner
from gitmem.daemon.scheduler import Scheduler
from gitmem.errors import GitmemError
from gitmem.process import Stopper

if TYPE_CHECKING:
    from pathlib import Path, PurePosixPath

    from gitmem.service.service import Service
    from gitmem.settings.model import Settings

PULL, PUSH, REFRESH, TAKE_IN = "pull", "push", "refresh", "take in"
INDEX = "index"
SESSIONS, MAINTAIN, COMMIT = "sessions", "maintain", "commit"
SHOWN = (PULL, PUSH, REFRESH, SESSIONS, MAINTAIN)
_QUIET = "quiet"
_SOON_SECONDS = 0.5

Connect = Callable[..., "Service"]


class Keeper:
    """Keeps one memory repository in exchange."""

    def __init__(
        self,
        connect: Connect,
        *,
        pace: timing.Timing,
        stopper: Stopper,
        now: Callable[[], datetime],
        note: Callable[[str], None],
    ) -> None:
        """Connect once, to learn the settings; nothing is run before `start`."""
        self.connect = connect
        self.pace = pace
        self.stopper = stopper
        self.runner = Runner(now=now, on_end=self._ended)
        self.scheduler = Scheduler()
        rooms = connect().rooms
        self.root: Path = rooms.root.resolve()
        self._settings = rooms.loaded.settings
        self.last_busy = time.monotonic()
        self._now = now
        self._note = note
        self._noted: dict[str, tuple[str, datetime]] = {}
        self._seen: Seen | None = None
        self._changed: set[PurePosixPath] = set()
        self._first_change: float | None = None
        self._unsent = False
        self._refused: frozenset[str] = frozenset()
        self.held = 0

    @property
    def settings(self) -> "Settings":
        """Give the settings as they are now, or were while they could be read."""
        with contextlib.suppress(GitmemError, OSError):
            self._settings = self.connect().rooms.loaded.settings
        return self._settings

    def start(self) -> None:
        """Begin to look, to pull and to keep house."""
        pace = self.pace
        self.scheduler.start()
        self.scheduler.every(REFRESH, pace.scan, self.look)
        self.scheduler.every(SESSIONS, pace.sessions, self.end_orphans)
        self.scheduler.every(MAINTAIN, pace.maintain, self.maintain)
        self.look()
        self.end_orphans()
        # Whoever did without a daemon may not have asked for half a day.
        self.pull()

    def close(self) -> None:
        """Start nothing more."""
        self.scheduler.stop()
        self.runner.close()

    # What may be asked for

    def pull(self, *, force: bool = True) -> "asyncio.Task[Past]":
        """Pull now; who only wants one if it is due shares the one that is at work."""
        # One at work may be about to find that it is not due, or have been ended.
        begin = self.runner.run if force else self.runner.join
        return begin(PULL, lambda: jobs.pull(self.connect(), force=force))

    def push(self) -> "asyncio.Task[Past]":
        """Commit and push now, or again after a push that is at work."""
        self._first_change = None
        self._unsent = True
        return self.runner.run(PUSH, lambda: jobs.push(self.connect()))

    def changed(self, paths: "Iterable[PurePosixPath]" = ()) -> None:
        """Let what changed be found at once; push when files are quiet for a while."""
        self._changed.update(paths)
        if self._changed:
            self.runner.run(TAKE_IN, self._take_in)
        self.last_busy = now = time.monotonic()
        self._unsent = True
        self._first_change = self._first_change or now
        wait = self.pace.debounce(now - self._first_change, self.settings.sync.debounce)
        self.scheduler.after(_QUIET, wait, self._quiet)

    def look(self) -> "asyncio.Task[Past]":
        """See whether files changed; the watch may have missed it."""
        return self.runner.join(REFRESH, self._look)

    def index(self) -> "asyncio.Task[Past]":
        """Make the catalog anew: a turn found none, or one that is damaged."""
        return self.runner.join(INDEX, lambda: jobs.index(self.connect()))

    def end_orphans(self) -> "asyncio.Task[Past]":
        """End the sessions whose host died."""
        return self.runner.join(SESSIONS, lambda: jobs.sessions(self.connect()))

    def maintain(self) -> "asyncio.Task[Past]":
        """Keep the object store small."""
        return self.runner.join(MAINTAIN, lambda: jobs.maintain(self.connect()))

    async def woke(self) -> None:
        """Begin anew after a sleep: what hangs from before it is broken off."""
        self._note("the machine slept, or its clock was set; looking anew")
        await asyncio.to_thread(self.stopper.interrupt)
        self.runner.forgive()
        self.scheduler.renew()
        self.look()
        self.pull()
        if self._unsent:
            self.push()

    def is_quiet(self) -> bool:
        """Say whether nothing is at work."""
        return not (self.held or self.runner.is_busy())

    def has_unsent(self) -> bool:
        """Say whether something waits to be committed or pushed."""
        return self._unsent

    # What follows from what

    def _quiet(self) -> None:
        """Push what was written; while the remote refuses, only commit it."""
        past = self.runner.past.get(PUSH)
        if past and past.has_failed and self.scheduler.next(PUSH):
            self._first_change = None
            self.runner.run(COMMIT, lambda: jobs.commit(self.connect()))
        else:
            self.push()

    def _take_in(self) -> Done:
        paths = frozenset(self._changed)
        self._changed -= paths
        return jobs.take_in(self.connect(), paths)

    def _look(self) -> Look:
        service = self.connect()
        seen = jobs.look(service)
        is_new = seen != self._seen
        words = jobs.refresh(service).words if is_new else "nothing changed"
        return Look(words, seen)

    def _ended(self, name: str, past: Past, value: Any) -> None:  # noqa: ANN401  what the job gave
        self._tell(name, past)
        if isinstance(value, Done):
            self._tell_of_files(name, value)
        if name in {PULL, PUSH, COMMIT}:
            self._exchanged(name, past, value)
        elif isinstance(value, Look):
            self._looked(value.seen)
        elif isinstance(value, Done) and value.has_unsent:
            self.push()

    def _exchanged(self, name: str, past: Past, value: Done | None) -> None:
        interval = self.settings.sync.interval
        if past.has_failed:
            wait = self.pace.retry(past.error_class, past.failures, interval)
        elif value is None:
            wait = _SOON_SECONDS
        else:
            wait = interval
        if name == PULL:
            self._later(PULL, wait, self.pull)
            if value is not None and (value.has_unsent or self._is_waiting()):
                self.push()
        elif name == PUSH and value is None:
            self._later(PUSH, wait, self.push)
        elif name == PUSH:
            self._unsent = self._first_change is not None
            self.scheduler.cancel(PUSH)

    def _later(self, name: str, wait: float, do: Callable[[], object]) -> None:
        """Do it then, or when no session's last commit waits for the lock any more."""

        def act() -> None:
            if self.held:
                self._later(name, _SOON_SECONDS, do)
            else:
                do()

        self.scheduler.after(name, wait, act)

    def _is_waiting(self) -> bool:
        """Say whether a push failed that may get through, as a pull just has."""
        past = self.runner.past.get(PUSH)
        return past is not None and past.has_failed

    def _looked(self, seen: Seen) -> None:
        before, self._seen = self._seen, seen
        has_edits = bool(seen.entries) and (
            before is None or seen.entries != before.entries
        )
        if has_edits and self._first_change is None:
            # What the watch has seen already counts its quiet from there.
            self.changed()
        elif seen.is_ahead and not self._unsent:
            self.push()

    def _tell(self, name: str, past: Past) -> None:
        """Write trouble into the log once a day, and its end."""
        told, at = self._noted.get(name, ("", self._now()))
        if past.has_failed:
            kind = past.error_class or past.message
            if told != kind or self._now() - at >= timing.NOTICE_EVERY:
                self._noted[name] = (kind, self._now())
                self._note(f"{name}: {past.message.rstrip('.')}. {past.hint}")
        elif told and past.error_class is None and past.outcome == "ok":
            del self._noted[name]
            self._note(f"{name}: works again")

    def _tell_of_files(self, name: str, done: Done) -> None:
        """Write into the log, once, which files a person has to look at."""
        if name in {PULL, PUSH, COMMIT}:
            for each in done.refused:
                if each not in self._refused:
                    self._note(f"{name}: left out {each}")
            self._refused = frozenset(done.refused)
        for each in done.copies:
            self._note(f"{name}: conflict copy to settle: {each}")


def variables_of(arguments: Mapping[str, Any]) -> dict[str, str]:
    """Take gitmem's own variables from what a caller sent, and no others."""
    found = arguments.get("variables")
    pairs = found.items() if isinstance(found, dict) else ()
    return {
        str(name): str(text) for name, text in pairs if str(name).startswith("GITMEM_")
    }
