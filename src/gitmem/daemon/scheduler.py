"""Say when something is to be run; the only importer of APScheduler."""

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, Final

# A job that the machine slept through is run once, when it wakes.
_MANNERS: Final = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}


class Scheduler:
    """Timers by name, on the running event loop."""

    def __init__(self) -> None:
        """Make it; nothing runs before `start`."""
        from apscheduler.schedulers.asyncio import AsyncIOScheduler  # heavy: 90 ms

        self._timers = AsyncIOScheduler(timezone=UTC)
        self._every: dict[str, tuple[float, Callable[[], object]]] = {}

    def start(self) -> None:
        """Begin to run what is due."""
        self._timers.start()

    def stop(self) -> None:
        """Run nothing more."""
        if self._timers.running:
            self._timers.shutdown(wait=False)

    def every(self, name: str, seconds: float, do: Callable[[], object]) -> None:
        """Do something again and again."""
        self._every[name] = (seconds, do)
        self._timers.add_job(
            _in_loop(do),
            "interval",
            seconds=seconds,
            id=name,
            replace_existing=True,
            **_MANNERS,
        )

    def after(self, name: str, seconds: float, do: Callable[[], object]) -> None:
        """Do something once, in place of what was planned under this name."""
        when = datetime.now(UTC) + timedelta(seconds=seconds)
        self._timers.add_job(
            _in_loop(do),
            "date",
            run_date=when,
            id=name,
            replace_existing=True,
            **_MANNERS,
        )

    def cancel(self, name: str) -> None:
        """Forget what was planned under a name."""
        if self._timers.get_job(name):
            self._timers.remove_job(name)

    def next(self, name: str) -> datetime | None:
        """Say when something will be done."""
        job = self._timers.get_job(name)
        return job.next_run_time if job else None

    def renew(self) -> None:
        """Count every interval from now: the clock was set, or stood still."""
        for name, (seconds, do) in self._every.items():
            self.every(name, seconds, do)


def _in_loop(do: Callable[[], object]) -> Callable[[], Coroutine[Any, Any, None]]:
    """Keep a function in the event loop; plain ones are run in threads."""

    async def called() -> None:
        do()

    return called
