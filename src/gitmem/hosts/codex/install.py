"""What putting gitmem into Codex takes: hooks, an MCP server, lines, skills."""

import shlex
from typing import Any, Final

from gitmem.hosts import skills
from gitmem.hosts.agents_md import install as agents_md
from gitmem.hosts.claude_code.events import LIMIT_CHARACTERS
from gitmem.hosts.hookedit import Hook
from gitmem.hosts.place import Installation, Plan, Where, Wishes
from gitmem.hosts.tomledit import Table

_HOST: Final = "codex"
_TABLE: Final = ("mcp_servers", "gitmem")
# In tokens of four bytes, 2,500 otherwise: what a text of the longest characters takes.
_LIMIT_TOKENS: Final = LIMIT_CHARACTERS
# Codex gives a server only these of the person's variables besides HOME and PATH.
_VARIABLES: Final = (
    "GITMEM_HOME",
    "PYTHONPATH",
    "SSH_AUTH_SOCK",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
)
_SERVER_START_SECONDS: Final = 30
_GIVE_CONTEXT: Final = ("SessionStart", "UserPromptSubmit")
_TIMEOUT_SECONDS: Final = {
    "SessionStart": 5,
    "UserPromptSubmit": 3,
    "PostToolUse": 3,
    "PreCompact": 3,
    "Stop": 3,
}
TRUST: Final = (
    "Codex runs only hooks that you trust: start `codex`, type /hooks, and trust"
    " those of gitmem. Until then it skips them without a word."
)


def plan(where: Where, installation: Installation, wishes: Wishes) -> Plan:  # noqa: ARG001
    """Add to hooks.json, config.toml and AGENTS.md in Codex's folder."""
    folder = where.folder("CODEX_HOME", ".codex")
    hooks = [
        Hook(folder / "hooks.json", ("hooks", event), _hook(installation, event))
        for event in _TIMEOUT_SECONDS
    ]
    server = Table(folder / "config.toml", _TABLE, _server(installation))
    lines = agents_md.block(folder / "AGENTS.md")
    taught = skills.wholes(folder / "skills", installation.package)
    return Plan((*hooks, server, lines, *taught), steps=(TRUST,))


def _hook(installation: Installation, event: str) -> dict[str, Any]:
    command = shlex.join(installation.hook(_HOST, event))
    timeout = _TIMEOUT_SECONDS[event]
    matcher = {"matcher": "apply_patch"} if event == "PostToolUse" else {}
    limit = {"additionalContextLimit": _LIMIT_TOKENS} if event in _GIVE_CONTEXT else {}
    hook = {"type": "command", "command": command, "timeout": timeout, **limit}
    return {**matcher, "hooks": [hook]}


def _server(installation: Installation) -> dict[str, Any]:
    program, *arguments = installation.command
    return {
        "command": program,
        "args": [*arguments, "mcp"],
        "env_vars": list(_VARIABLES),
        "startup_timeout_sec": _SERVER_START_SECONDS,
    }


def untrusted(where: Where) -> bool:
    """Say whether Codex skips the hook at a session's start, by its own notes."""
    import tomllib  # rarely needed

    folder = where.folder("CODEX_HOME", ".codex")
    try:
        found = tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return True
    hooks = found.get("hooks")
    states = hooks.get("state") if isinstance(hooks, dict) else None
    known = states.items() if isinstance(states, dict) else ()
    named = f"{folder / 'hooks.json'}:session_start:"
    return not any(
        key.startswith(named) and isinstance(state, dict) and "trusted_hash" in state
        for key, state in known
    )
