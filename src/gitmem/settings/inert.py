"""Name the settings that change nothing yet; pure.

They are read and checked already, so that a file may hold them.
"""

from typing import Final

_NOT_THERE: Final = ("model.", "recall.", "dream.", "extract.")


def is_inert(dotted: str) -> bool:
    """Say whether a setting changes nothing, for what it sets is not there yet."""
    return dotted.startswith(_NOT_THERE)
