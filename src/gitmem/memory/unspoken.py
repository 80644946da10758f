"""Say why a memory is not to be spoken of, whoever would; pure."""

from datetime import date
from pathlib import PurePosixPath
from typing import Final

from gitmem.memory.conflicts import is_copy
from gitmem.memory.layout import is_claim
from gitmem.memory.traits import Traits

# What it says holds until its day of review, and not as current after that.
PERISHABLE: Final = frozenset({"state", "commitment"})
# Without any of these fields nothing is over, and nothing is sensitive.
FIELDS: Final = (
    *("status", "attention", "sensitivity"),
    *("recorded", "ended", "review_after"),
)


def unspoken(
    path: PurePosixPath, traits: Traits, today: date, *, is_meant: bool = False
) -> str:
    """Name the reason, or nothing for a memory that may be spoken of.

    What is sensitive may be where `is_meant`: where somebody clearly asks about it.
    """
    if is_copy(path):
        return "conflict: it is the other side of one"
    if is_claim(path):
        return "layout: it says which project a layer belongs to"
    if reason := over(traits, today):
        return reason
    if traits.is_sensitive and not is_meant:
        return "sensitivity: the turn is not clearly about it"
    return ""


def over(traits: Traits, today: date) -> str:
    """Say why what a memory says does not hold now; empty while it does."""
    if traits.status != "active":
        return f"status: {traits.status}"
    if traits.attention == "closed-loop":
        return "status: a closed loop"
    if traits.ended and traits.ended <= today:
        return f"dates: it ended on {traits.ended}"
    if traits.recorded and traits.recorded > today:
        return f"dates: it holds from {traits.recorded}"
    if (
        traits.kind in PERISHABLE
        and traits.review_after
        and (traits.review_after < today)
    ):
        return f"dates: to be reviewed since {traits.review_after}"
    return ""
