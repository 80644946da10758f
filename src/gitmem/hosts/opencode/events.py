"""What gitmem's plugin in opencode sends, and what it is answered."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gitmem.hosts.host import Event, Kind, Reply, text

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
        paths = payload.get("paths")
        listed = paths if isinstance(paths, list) else []
        return Event(
            kind=KINDS.get(name, Kind.OTHER),
            session=text(payload, "session_id"),
            cwd=text(payload, "cwd"),
            reason=text(payload, "source"),
            prompt=text(payload, "prompt"),
            paths=tuple(path for path in listed if isinstance(path, str)),
        )

    def answer(self, name: str, reply: Reply) -> str:  # noqa: ARG002
        """Write what there is to say; the plugin knows where each belongs."""
        said = {
            "text": reply.text,
            "notice": reply.notice,
            "standing": reply.standing,
        }
        said = {key: words for key, words in said.items() if words}
        return json.dumps(said) if said else ""
