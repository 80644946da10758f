"""Claude Code's hook events and answers; Codex speaks the same."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gitmem.hosts.host import Event, Kind, Reply, text

# Counted in UTF-16 units, as the host does; one more, and it shows only a preview.
LIMIT_CHARACTERS: Final = 10_000
KINDS: Final = {
    "SessionStart": Kind.START,
    "UserPromptSubmit": Kind.TURN,
    "PostToolUse": Kind.WROTE,
    "PreCompact": Kind.COMPACTING,
    "SessionEnd": Kind.END,
}
_TAKE_CONTEXT: Final = frozenset({"SessionStart", "UserPromptSubmit", "PostToolUse"})
_PATH_KEYS: Final = ("file_path", "notebook_path", "path")


@dataclass(frozen=True, slots=True)
class ClaudeCode:
    """How Claude Code speaks."""

    name: str = "claude-code"
    limit_characters: int | None = LIMIT_CHARACTERS
    takes_standing: bool = False

    def event(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Read what a hook was given on stdin."""
        return read(KINDS.get(name, Kind.OTHER), payload)

    def answer(self, name: str, reply: Reply) -> str:
        """Give the text to the model, and the notice to the person."""
        return answer(name, reply, _TAKE_CONTEXT)


def read(kind: Kind, payload: Mapping[str, Any]) -> Event:
    """Read a payload; a subagent is part of its session and begins or ends none."""
    is_subagent = bool(text(payload, "agent_id"))
    if is_subagent and kind is not Kind.WROTE:
        kind = Kind.OTHER
    reason = text(payload, "source") or text(payload, "reason")
    if kind is Kind.START and reason == "compact":
        kind = Kind.COMPACTED
    return Event(
        kind=kind,
        session=text(payload, "session_id"),
        cwd=text(payload, "cwd"),
        reason=reason or text(payload, "trigger"),
        prompt=text(payload, "prompt") if kind is Kind.TURN else "",
        transcript=text(payload, "transcript_path"),
        paths=_paths(payload),
    )


def answer(name: str, reply: Reply, take_context: frozenset[str]) -> str:
    """Write the JSON document that a hook prints; nothing where nothing is said."""
    document: dict[str, Any] = {}
    if reply.notice:
        document["systemMessage"] = reply.notice
    if reply.text and name in take_context:
        document["hookSpecificOutput"] = {
            "hookEventName": name,
            "additionalContext": reply.text,
        }
    return json.dumps(document) if document else ""


def _paths(payload: Mapping[str, Any]) -> tuple[str, ...]:
    given = payload.get("tool_input")
    if not isinstance(given, Mapping):
        return ()
    found = (text(given, key) for key in _PATH_KEYS)
    return tuple(path for path in found if path)
