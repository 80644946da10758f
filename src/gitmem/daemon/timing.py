"""How often the daemon looks at what; pure.

The settings say when to exchange; these are the rest, and tests make them short.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from gitmem.errors import ErrorClass

LADDER_SECONDS: Final[Sequence[float]] = (1, 2, 3, 5, 10, 20, 30)
# Trouble that passes by itself, and soon.
PASSING: Final = frozenset(
    {ErrorClass.OFFLINE, ErrorClass.REJECTED, ErrorClass.BUSY, ErrorClass.DISK_FULL}
)
NOTICE_EVERY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds between two looks.

    A tick that comes `wake_after` seconds late means that the machine slept. The last
    commit may take `stop` when the system says to go, and `leave` when nobody does.
    """

    tick: float = 5.0
    wake_after: float = 10.0
    scan: float = 60.0
    sessions: float = 10.0
    maintain: float = 24 * 3600.0
    ladder: Sequence[float] = LADDER_SECONDS
    ladder_end: float = 60.0
    stop: float = 1.5
    leave: float = 30.0
    hung_client: float = 5.0

    def retry(
        self, error_class: ErrorClass | None, failures: int, interval: float
    ) -> float:
        """Say in how many seconds to try again after so many failures in a row.

        What a person has to settle first is tried at the pace of the pulls: no hot
        retry, and yet the work goes out by itself when the cause is gone.
        """
        if error_class not in PASSING:
            return max(interval, self.ladder_end)
        steps = self.ladder
        return steps[failures - 1] if failures <= len(steps) else self.ladder_end

    def debounce(self, since_first: float, wish: float) -> float:
        """Say how long to wait for quiet, and not for ever where it never comes."""
        return max(0.0, min(wish, 4 * wish - since_first))

    def slept(self, passed_wall: float, passed_monotonic: float) -> bool:
        """Say whether the machine slept, or its clock was set, since the last tick."""
        late = max(passed_wall, passed_monotonic) - self.tick
        return late > self.wake_after or passed_wall < -1
