"""Something that was said in the session before."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Bridged:
    """What was said, when, and by whom: user, assistant, or `anchor` for one."""

    by: str
    at: datetime
    text: str
