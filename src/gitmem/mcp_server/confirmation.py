"""Confirm a write by a second call, where a client cannot ask a person itself.

The token of the first call stands for one exact proposal, once, for a while.
"""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from gitmem.errors import UsageError
from gitmem.memory.store import Proposed

VALID_FOR: Final = timedelta(minutes=10)
# Whoever asks more often than it confirms loses the oldest.
MOST: Final = 100


class Confirmations:
    """The proposals that wait for their second call."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        """Begin with none."""
        self._now = now
        self._waiting: dict[str, tuple[str, datetime]] = {}

    def issue(self, proposed: Proposed) -> str:
        """Give the token of a proposal."""
        while len(self._waiting) >= MOST:
            del self._waiting[next(iter(self._waiting))]
        token = secrets.token_urlsafe(9)
        self._waiting[token] = (_fingerprint(proposed), self._now() + VALID_FOR)
        return token

    def redeem(self, token: str, proposed: Proposed) -> None:
        """Use a token up; raises UsageError unless it is this proposal's."""
        fingerprint, until = self._waiting.pop(token, ("", self._now()))
        if fingerprint != _fingerprint(proposed) or self._now() >= until:
            raise UsageError(
                "The confirmation is unknown, used up, too old, or of another text; "
                "nothing was written.",
                "Call again without `confirm`, show the person what comes back, and "
                "repeat exactly that call with its token.",
            )


def _fingerprint(proposed: Proposed) -> str:
    before = b"" if proposed.before is None else proposed.before
    parts = (str(proposed.path), proposed.expected_hash, sha256(before).hexdigest())
    seen = sha256("\0".join(parts).encode())
    seen.update(proposed.after)
    return seen.hexdigest()
