"""What gitmem's extension tells of a pi session, and what it takes for an answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gitmem.hosts.host import Event, Kind, Reply, placed, text, texts

KINDS: Final = {
    "session_start": Kind.START,
    "before_agent_start": Kind.TURN,
    "tool_result": Kind.WROTE,
    "session_before_compact": Kind.COMPACTING,
    "session_compact": Kind.COMPACTED,
    "context_lost": Kind.LOST,
    "session_shutdown": Kind.END,
}


@dataclass(frozen=True, slots=True)
class Pi:
    """How pi speaks, through the extension."""

    name: str = "pi"
    limit_characters: int | None = None
    takes_standing: bool = True

    def event(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Read what the extension sent."""
        pid = payload.get("pid")
        return Event(
            kind=KINDS.get(name, Kind.OTHER),
            session=text(payload, "session"),
            cwd=text(payload, "cwd"),
            reason=text(payload, "reason"),
            prompt=text(payload, "prompt"),
            transcript=text(payload, "transcript"),
            paths=texts(payload, "paths"),
            host_pid=pid if isinstance(pid, int) and pid > 0 else None,
            parent=text(payload, "parent"),
        )

    def answer(self, name: str, reply: Reply) -> str:  # noqa: ARG002  all are alike
        """Write what is to be said, by its place; nothing where nothing is said."""
        return placed(reply)
