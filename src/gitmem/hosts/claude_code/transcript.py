"""What an entry of a Claude Code transcript says."""

from collections.abc import Mapping
from typing import Any, Final

from gitmem.hosts.transcript import message

_SPOKEN: Final = frozenset({"user", "assistant"})


def said(entry: Mapping[str, Any]) -> str:
    """Give what was said; what a subagent or the program itself said is nothing."""
    if entry.get("type") not in _SPOKEN:
        return ""
    return "" if entry.get("isMeta") or entry.get("isSidechain") else message(entry)
