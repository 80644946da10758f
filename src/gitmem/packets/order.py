"""Order by moments, of which those of a wrong clock say nothing; pure."""

from datetime import datetime, timedelta
from typing import Final

# Clocks of two machines differ, and so do hours that were noted without their zone.
_LEEWAY: Final = timedelta(days=1)
AHEAD: Final = "dated ahead of this machine's clock"


def is_ahead(at: datetime, now: datetime) -> bool:
    """Say whether a moment has yet to come, so that nobody knows when it was."""
    return at - now > _LEEWAY


def rank(at: datetime, now: datetime) -> tuple[bool, datetime]:
    """Give a key that rises from the oldest to the newest; the unknown is below all."""
    return not is_ahead(at, now), at
