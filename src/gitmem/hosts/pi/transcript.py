"""What an entry of a pi session file says."""

from collections.abc import Mapping
from typing import Any

from gitmem.hosts.transcript import message


def said(entry: Mapping[str, Any]) -> str:
    """Give what was said in a message; other entries say nothing."""
    return message(entry) if entry.get("type") == "message" else ""
