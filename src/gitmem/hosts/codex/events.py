"""Codex's hook events: Claude Code's shape, and no end of a session."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from gitmem.hosts.claude_code import events as claude
from gitmem.hosts.host import Event, Kind, Reply, text

KINDS: Final = {
    "SessionStart": Kind.START,
    "UserPromptSubmit": Kind.TURN,
    "PostToolUse": Kind.WROTE,
    "PreCompact": Kind.COMPACTING,
    # A session that ends says nothing; the end of a turn is when work can be kept.
    "Stop": Kind.WROTE,
}
_TAKE_CONTEXT: Final = frozenset({"SessionStart", "UserPromptSubmit"})
_PATCHED: Final = re.compile(
    r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Codex:
    """How Codex speaks."""

    name: str = "codex"
    limit_characters: int | None = claude.LIMIT_CHARACTERS
    takes_standing: bool = False

    def event(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Read what a hook was given on stdin; files are named by a patch."""
        event = claude.read(KINDS.get(name, Kind.OTHER), payload)
        return replace(event, paths=event.paths + _patched(payload))

    def answer(self, name: str, reply: Reply) -> str:
        """Give the text to the model, and the notice to the person."""
        return claude.answer(name, reply, _TAKE_CONTEXT)


def _patched(payload: Mapping[str, Any]) -> tuple[str, ...]:
    given = payload.get("tool_input")
    patch = text(given, "command") if isinstance(given, Mapping) else ""
    return tuple(_PATCHED.findall(patch))
