"""What an entry of a Codex rollout says."""

from collections.abc import Mapping
from typing import Any, Final

from gitmem.hosts.transcript import texts

# What was said, without the instructions that Codex sends in the person's name.
_SPOKEN: Final = ("UserMessage", "AgentMessage")


def said(entry: Mapping[str, Any]) -> str:
    """Give what the person or the agent said; other entries say nothing."""
    payload = entry.get("payload")
    if not isinstance(payload, Mapping) or payload.get("type") != "item_completed":
        return ""
    item = payload.get("item")
    if not isinstance(item, Mapping) or item.get("type") not in _SPOKEN:
        return ""
    return texts(item.get("content"))
