"""Packets that say everything a packet can say."""

from datetime import UTC, datetime

import pytest

from gitmem.packets.check import told
from gitmem.packets.packet import Origin, Packet

AT = datetime(2026, 5, 5, 5, 47, 4, 250_000, tzinfo=UTC)
ORIGIN = Origin(
    host="pi",
    session="019dc293-286f",
    thread="a1",
    node="b2",
    parent="c3",
    repo="beacon",
    branch="main",
    commit="0f3c2d1",
)
HANDOFF = {
    "topic": "auth refactor",
    "summary": "Replaced the session-cookie auth with JWT.",
    "tags": ["auth", "backend"],
    "files": ["src/auth.ts", "docs/認証.md"],
    "goal": "One way to log in.\n\n## Not a heading",
    "decisions": ["JWT, not cookies:\nthey cross domains", "## odd", "- dashed"],
    "commands": ["npm test"],
    "blockers": ["no staging key"],
    "questions": ["who rotates the keys?"],
    "next": "Write the migration.",
}
CHECKPOINT = {
    "task": "auth refactor",
    "summary": "Half of the routes are over.",
    "tags": ["auth"],
    "files": ["src/auth.ts"],
    "changes": ["login is over"],
    "risk": "The old cookies live on.",
    "pending": ["how long a token lives"],
    "next": "Move logout.",
}


@pytest.fixture
def handoff() -> Packet:
    """Give a handoff with every field."""
    return Packet(AT, told("handoff", HANDOFF), ORIGIN)


@pytest.fixture
def checkpoint() -> Packet:
    """Give a checkpoint with every field."""
    return Packet(AT, told("checkpoint", CHECKPOINT), ORIGIN)
