"""Say why a memory must not be spoken of at a turn, whatever its score; pure."""

from datetime import date

from gitmem.attention import weights
from gitmem.attention.score import Judged
from gitmem.memory.unspoken import unspoken


def withheld(judged: Judged, today: date) -> str:
    """Name the reason, or nothing for a memory that may be spoken of."""
    path, traits = judged.found.row.path, judged.traits
    return unspoken(path, traits, today, is_meant=_is_meant(judged))


def _is_meant(judged: Judged) -> bool:
    """Say whether the turn is clearly about it."""
    is_clear = (
        judged.relevance_now >= weights.CLEARLY
        and judged.named_now >= weights.CLEARLY_WORDS
    )
    return judged.is_triggered or is_clear
