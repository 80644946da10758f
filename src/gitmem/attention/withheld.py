"""Say why a memory must not be spoken of now, whatever its score; pure."""

from datetime import date
from pathlib import PurePosixPath
from typing import Final

from gitmem.attention import weights
from gitmem.attention.score import Judged
from gitmem.memory.conflicts import is_copy
from gitmem.memory.layout import is_claim
from gitmem.memory.traits import Traits

# What it says holds until its day of review, and not as current after that.
PERISHABLE: Final = frozenset({"state", "commitment"})


def withheld(judged: Judged, today: date) -> str:
    """Name the reason, or nothing for a memory that may be spoken of."""
    return (
        _path(judged.found.row.path) or _status(judged.traits, today) or _care(judged)
    )


def _path(path: PurePosixPath) -> str:
    if is_copy(path):
        return "conflict: it is the other side of one"
    return "layout: it says which project a layer belongs to" if is_claim(path) else ""


def _status(traits: Traits, today: date) -> str:
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


def _care(judged: Judged) -> str:
    is_clear = (
        judged.relevance_now >= weights.CLEARLY
        and judged.named_now >= weights.CLEARLY_WORDS
    )
    if not judged.traits.is_sensitive or judged.is_triggered or is_clear:
        return ""
    return "sensitivity: the turn is not clearly about it"
