"""Remember what a person was asked, so that one consent allows one write.

Where a client can ask, each question has a number that its answer uses up: a client
that sends an old answer again answers a question that is no longer asked. Where it
cannot, the token of a first call stands for one exact proposal, once, for a while.
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
    """The proposals that wait for a person."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        """Begin with none."""
        self._now = now
        self._waiting: dict[str, tuple[str, datetime]] = {}
        self._asked: dict[str, int] = {}
        self._questions = 0

    def ask(self, proposed: Proposed) -> int:
        """Give the number of the question about a proposal, until it is answered."""
        fingerprint = _fingerprint(proposed)
        if fingerprint not in self._asked:
            while len(self._asked) >= MOST:
                del self._asked[next(iter(self._asked))]
            self._questions += 1
            self._asked[fingerprint] = self._questions
        return self._asked[fingerprint]

    def hear(self, proposed: Proposed) -> None:
        """Use up the answer to a question; raises UsageError if it has been used."""
        fingerprint = _fingerprint(proposed)
        if self._asked.pop(fingerprint, None) is None:
            raise _used_up()
        self._forget(fingerprint)

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
            raise _used_up()
        self._asked.pop(fingerprint, None)
        self._forget(fingerprint)

    def _forget(self, fingerprint: str) -> None:
        """Let what was answered in one way not be answered again in another."""
        for token, (waiting, _) in tuple(self._waiting.items()):
            if waiting == fingerprint:
                del self._waiting[token]


def _used_up() -> UsageError:
    return UsageError(
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
