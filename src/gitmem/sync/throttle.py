"""Decide what may stand in for a fetch, and how long one is waited for; pure.

FETCH_HEAD alone lies: a failed fetch empties it and makes it look new, a fetch of
another remote overwrites it, and a clock that jumped makes it fresh for ever.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

FIRST_WAIT_SECONDS: Final = 0.1
SLACK_SECONDS: Final = 0.1
# So long a remote that usually answers quickly may hold up a start, if it has died.
QUICK_SECONDS: Final = 0.15
# How many attempts long the pause after the first, second, … lost push may be. It grows
# at first, since machines that lost together must not meet again; it shrinks for those
# that have waited longest, so that they go before the others.
PAUSES: Final = (2.0, 4.0, 8.0, 8.0, 4.0, 2.0, 1.0)
LONGEST_PAUSE_SECONDS: Final = 8.0


@dataclass(frozen=True, slots=True)
class FetchHead:
    """Git's own note of its last fetch: what it says and when it was written."""

    text: str
    at: datetime


def patience(usual_seconds: float | None, *, has_failed: bool, at_most: float) -> float:
    """Say how long a session's start waits for a pull.

    A remote that did not answer last time, or is too slow anyway, is not waited for.
    """
    if has_failed:
        return 0.0
    if usual_seconds is None:
        return min(FIRST_WAIT_SECONDS, at_most)
    if usual_seconds <= QUICK_SECONDS:
        return min(usual_seconds + SLACK_SECONDS, QUICK_SECONDS, at_most)
    likely = usual_seconds + SLACK_SECONDS
    return likely if likely <= at_most else 0.0


def longest_pause(lost: int, attempt_seconds: float) -> float:
    """Say how long to stay away, at most, after so many pushes lost in a row.

    An attempt takes longer the more machines are at it, and so does the pause.
    """
    share = PAUSES[min(lost, len(PAUSES)) - 1]
    return min(share * attempt_seconds, LONGEST_PAUSE_SECONDS)


def vouched_tip(evidence: FetchHead | None, *, url: str, branch: str) -> str:
    """Give the commit at which FETCH_HEAD saw this branch of this address, if it did.

    Whoever fetched may have fetched from there without moving the tracking ref: the
    caller compares the two.
    """
    wanted = f"branch '{branch}' of {_plain(url)}"
    for line in evidence.text.splitlines() if evidence else ():
        if _plain(line.split("\t")[-1]) == wanted:
            return line.split("\t")[0]
    return ""


def _plain(text: str) -> str:
    """Spell an address as Git does in FETCH_HEAD, which drops endings and users."""
    from gitmem.secrets import mask

    without_user = re.sub(r"^[^/@:\s]+@|(?<=\w://)[^/@]*@", "", mask(text.strip()))
    return re.sub(r"(?:\.git)?/*$", "", without_user.rstrip("/"))
