"""Run jobs in threads, one of a name at a time, and remember how each went.

The one place where the daemon catches everything that a job raises.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, TypeVar

from gitmem.errors import ErrorClass, GitmemError, Stopped, SyncError
from gitmem.secrets import mask

_Answer = TypeVar("_Answer")
Job = Callable[[], Any]
OK: Final = "ok"
FAILED: Final = "failed"
BROKEN_OFF: Final = "broken off"
_ASIDE: Final = 4


@dataclass(frozen=True, slots=True)
class Past:
    """How the last run of a job went; `failures` counts those in a row."""

    at: datetime
    seconds: float
    outcome: str
    message: str = ""
    hint: str = ""
    error_class: ErrorClass | None = None
    failures: int = 0

    @property
    def has_failed(self) -> bool:
        """Say whether it did not do what it should."""
        return self.outcome == FAILED


class Runner:
    """The threads of the daemon."""

    def __init__(
        self,
        *,
        now: Callable[[], datetime],
        on_end: Callable[[str, Past, Any], None],
    ) -> None:
        """Begin with no job run; `on_end` hears of each that ends."""
        self.past: dict[str, Past] = {}
        self._now = now
        self._on_end = on_end
        self._tasks: dict[str, asyncio.Task[Past]] = {}
        self._again: dict[str, Job] = {}
        self._beside = 0
        # One at a time: they would only wait for one another's lock.
        self._line = ThreadPoolExecutor(1, "job")
        self._aside = ThreadPoolExecutor(_ASIDE, "verb")

    def run(self, name: str, job: Job) -> "asyncio.Task[Past]":
        """Run a job; one that is running already is run again after that."""
        running = self._tasks.get(name)
        if running is not None:
            self._again[name] = job
            return running
        task = asyncio.get_running_loop().create_task(self._run(name, job))
        self._tasks[name] = task
        return task

    def join(self, name: str, job: Job) -> "asyncio.Task[Past]":
        """Run a job, or wait for the one that is running already."""
        return self._tasks.get(name) or self.run(name, job)

    def is_running(self, name: str) -> bool:
        """Say whether a job of this name is at work."""
        return name in self._tasks

    def is_busy(self) -> bool:
        """Say whether anything is at work."""
        return bool(self._tasks or self._beside)

    async def aside(self, function: Callable[..., _Answer], *given: Any) -> _Answer:  # noqa: ANN401  what the function takes
        """Do something in a thread of its own, beside the jobs."""
        loop = asyncio.get_running_loop()
        self._beside += 1
        try:
            return await loop.run_in_executor(self._aside, function, *given)
        finally:
            self._beside -= 1

    def forgive(self) -> None:
        """Count failures anew: what caused them may be gone."""
        for name, past in self.past.items():
            self.past[name] = replace(past, failures=0)

    def close(self) -> None:
        """Start nothing more; what is at work is not waited for."""
        self._again.clear()
        for pool in (self._line, self._aside):
            pool.shutdown(wait=False, cancel_futures=True)

    async def _run(self, name: str, job: Job) -> Past:
        began = time.monotonic()
        loop = asyncio.get_running_loop()
        value = None
        try:
            value = await loop.run_in_executor(self._line, job)
            past = Past(self._now(), 0, OK, getattr(value, "words", ""))
        except GitmemError as error:
            past = self._failed(name, error)
        except Exception as error:  # noqa: BLE001  the boundary of the jobs
            said = mask(f"{type(error).__name__}: {error}")
            past = self._failed(name, GitmemError(said, "See `gitmem daemon logs`."))
        finally:
            self._tasks.pop(name, None)
        past = replace(past, seconds=round(time.monotonic() - began, 3))
        self.past[name] = past
        self._on_end(name, past, value)
        if name in self._again and name not in self._tasks:
            self.run(name, self._again.pop(name))
        return past

    def _failed(self, name: str, error: GitmemError) -> Past:
        before = self.past.get(name)
        failures = before.failures if before else 0
        if isinstance(error, Stopped) or isinstance(error.__cause__, Stopped):
            return Past(self._now(), 0, BROKEN_OFF, error.message, "", None, failures)
        error_class = error.error_class if isinstance(error, SyncError) else None
        return Past(
            self._now(),
            0,
            FAILED,
            mask(error.message),
            mask(error.hint),
            error_class,
            failures + 1,
        )
