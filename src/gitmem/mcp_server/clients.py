"""Say which host a client is, and what it can do; pure."""

import re
from typing import Any, Final

from mcp.server.mcpserver import Context

UNKNOWN: Final = "mcp"
NAME_LIMIT: Final = 40
# What hosts call themselves here, where that is not their name everywhere else.
_KNOWN: Final = {"codex-mcp-client": "codex", "pi-coding-agent": "pi"}
_UNSAFE: Final = re.compile(r"[^a-z0-9._-]+")


def host(context: Context[Any, Any]) -> str:
    """Name the host that calls, for the trailers of commits."""
    params = context.session.client_params
    name = params.client_info.name if params is not None else ""
    word = _UNSAFE.sub("-", name.lower()).strip("-.")[:NAME_LIMIT]
    return _KNOWN.get(word, word) or UNKNOWN


def can_ask(context: Context[Any, Any]) -> bool:
    """Say whether the client can put a question to a person."""
    found = context.client_capabilities
    asking = found.elicitation if found is not None else None
    # Bare `elicitation: {}` meant forms before there were modes.
    return asking is not None and (asking.form is not None or asking.url is None)


def has_roots(context: Context[Any, Any]) -> bool:
    """Say whether the client can name the folders that it works in."""
    found = context.client_capabilities
    return found is not None and found.roots is not None
