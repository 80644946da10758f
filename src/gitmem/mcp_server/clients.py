"""Say which host a client is, and what it can do; pure."""

import re
from collections.abc import Mapping
from typing import Any, Final

from mcp.server.mcpserver import Context

UNKNOWN: Final = "mcp"
NAME_LIMIT: Final = 40
# What hosts call themselves here, where that is not their name everywhere else.
_KNOWN: Final = {"codex-mcp-client": "codex", "pi-coding-agent": "pi"}
# What Codex tells of the turn that a call belongs to.
_CODEX_TURN: Final = "x-codex-turn-metadata"
_UNSAFE: Final = re.compile(r"[^a-z0-9._-]+")


def host(context: Context[Any, Any]) -> str:
    """Name the host that calls, for the trailers of commits."""
    params = context.session.client_params
    name = params.client_info.name if params is not None else ""
    word = _UNSAFE.sub("-", name.lower()).strip("-.")[:NAME_LIMIT]
    return _KNOWN.get(word, word) or UNKNOWN


def can_ask(context: Context[Any, Any]) -> bool:
    """Say whether the client can put a question to a person, who is there."""
    found = context.client_capabilities
    asking = found.elicitation if found is not None else None
    # `codex exec` says that it can ask, and declines for a person who is not there.
    if asking is None or _codex_turn(context).get("turn_trigger") == "exec":
        return False
    # Bare `elicitation: {}` meant forms before there were modes.
    return asking.form is not None or asking.url is None


def session(context: Context[Any, Any]) -> str:
    """Name the session that a call belongs to; empty where the host does not tell."""
    found = _codex_turn(context).get("session_id")
    return found if isinstance(found, str) else ""


def has_roots(context: Context[Any, Any]) -> bool:
    """Say whether the client can name the folders that it works in."""
    found = context.client_capabilities
    return found is not None and found.roots is not None


def _codex_turn(context: Context[Any, Any]) -> Mapping[str, Any]:
    meta: Mapping[str, Any] = context.request_context.meta or {}
    found = meta.get(_CODEX_TURN)
    return found if isinstance(found, Mapping) else {}
