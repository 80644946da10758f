"""What gitmem's extension tells of a pi session, and what it takes for an answer."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from gitmem.hosts.host import Event, Kind, Reply, text

KINDS: Final = {
    "session_start": Kind.START,
    "before_agent_start": Kind.TURN,
    "tool_result": Kind.WROTE,
    "session_before_compact": Kind.COMPACTING,
    "session_compact": Kind.COMPACTED,
    # The start text is no longer in what the model sees, for another reason.
    "context_lost": Kind.COMPACTED,
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
            paths=_paths(payload),
            host_pid=pid if isinstance(pid, int) and pid > 0 else None,
            parent=text(payload, "parent"),
        )

    def answer(self, name: str, reply: Reply) -> str:  # noqa: ARG002  all are alike
        """Write what is to be said, by its place; nothing where nothing is said."""
        said = {place: words for place, words in asdict(reply).items() if words}
        return json.dumps(said) if said else ""


def _paths(payload: Mapping[str, Any]) -> tuple[str, ...]:
    given = payload.get("paths")
    found = given if isinstance(given, list) else []
    return tuple(path for path in found if isinstance(path, str) and path)
