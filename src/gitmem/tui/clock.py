"""Moments in the time of this machine; what another wrote may be any; pure."""

from datetime import datetime


def local(at: datetime) -> datetime:
    """Give a moment in local time; one at the edge of the calendar stays as it is."""
    try:
        return at.astimezone()
    except (OverflowError, ValueError, OSError):
        return at
