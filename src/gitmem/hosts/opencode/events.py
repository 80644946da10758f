"""What gitmem's plugin in opencode sends, and what it is answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gitmem.hosts.host import Event, Kind, Reply, placed, text, texts

KINDS: Final = {
    "session.start": Kind.START,
    "chat.message": Kind.TURN,
    "tool.execute.after": Kind.WROTE,
    # The end of a turn is when work can be kept; a host that leaves says nothing.
    "session.idle": Kind.WROTE,
    "session.compacted": Kind.COMPACTED,
    "session.deleted": Kind.END,
}


@dataclass(frozen=True, slots=True)
class OpenCode:
    """How opencode speaks, through the plugin."""

    name: str = "opencode"
    limit_characters: int | None = None
    takes_standing: bool = True

    def event(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Read what the plugin sent."""
        return Event(
            kind=KINDS.get(name, Kind.OTHER),
            session=text(payload, "session_id"),
            cwd=text(payload, "cwd"),
            reason=text(payload, "source"),
            prompt=text(payload, "prompt"),
            paths=texts(payload, "paths"),
            earlier=texts(payload, "earlier"),
        )

    def answer(self, name: str, reply: Reply) -> str:  # noqa: ARG002
        """Write what there is to say; the plugin knows where each belongs."""
        return placed(reply)
