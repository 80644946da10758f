"""Make the plugin of Claude Code, and the marketplace that offers it; pure."""

import json
import shlex
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

from gitmem.hosts import skills
from gitmem.hosts.place import Installation

HOST: Final = "claude-code"
NAME: Final = "gitmem"
_ROOT: Final = PurePosixPath("plugins", NAME)
_DESCRIPTION: Final = "One memory for every coding agent, kept as Markdown in Git"
_WRITING_TOOLS: Final = "Write|Edit|MultiEdit|NotebookEdit"
# The hook itself gives up earlier; without its own, SessionEnd has 1.5 seconds.
_TIMEOUT_SECONDS: Final = {
    "SessionStart": 5,
    "UserPromptSubmit": 3,
    "PostToolUse": 3,
    "PreCompact": 3,
    "SessionEnd": 15,
}


def files(installation: Installation) -> Mapping[PurePosixPath, bytes]:
    """Make every file of the marketplace, by its place in it."""
    made = {
        PurePosixPath(".claude-plugin/marketplace.json"): _json(_marketplace()),
        _ROOT / ".claude-plugin/plugin.json": _json(_manifest(installation)),
        _ROOT / "hooks/hooks.json": _json(hooks(installation)),
        _ROOT / ".mcp.json": _json(_servers(installation)),
        _ROOT / "bin/gitmem": _program(installation),
    }
    shipped = _shipped(Path(__file__).with_name("assets"))
    taught = skills.files(installation.package)
    return (
        made
        | {_ROOT / name: data for name, data in shipped.items()}
        | {_ROOT / "skills" / name: data for name, data in taught.items()}
    )


def hooks(installation: Installation) -> dict[str, Any]:
    """Say which events call gitmem, without a shell in between."""
    return {
        "hooks": {event: [_hook(installation, event)] for event in _TIMEOUT_SECONDS}
    }


def _hook(installation: Installation, event: str) -> dict[str, Any]:
    program, *arguments = installation.hook(HOST, event)
    hook = {
        "type": "command",
        "command": program,
        "args": arguments,
        "timeout": _TIMEOUT_SECONDS[event],
    }
    matcher = {"matcher": _WRITING_TOOLS} if event == "PostToolUse" else {}
    return {**matcher, "hooks": [hook]}


def _marketplace() -> dict[str, Any]:
    plugin = {"name": NAME, "source": f"./{_ROOT}", "description": _DESCRIPTION}
    return {
        "name": NAME,
        "owner": {"name": NAME},
        "description": f"{_DESCRIPTION}; made by `gitmem host install {HOST}`",
        "plugins": [plugin],
    }


def _manifest(installation: Installation) -> dict[str, Any]:
    return {
        "name": NAME,
        "version": installation.version,
        "description": _DESCRIPTION,
        "author": {"name": NAME},
        "license": "MIT",
    }


def _servers(installation: Installation) -> dict[str, Any]:
    program, *arguments = installation.command
    # Without `alwaysLoad` only the names of the tools reach the model.
    server = {"command": program, "args": [*arguments, "mcp"], "alwaysLoad": True}
    return {"mcpServers": {NAME: server}}


def _program(installation: Installation) -> bytes:
    """Put `gitmem` on the PATH of the agent's shell, wherever it is installed."""
    command = shlex.join(installation.command)
    return f'#!/bin/sh\nexec {command} "$@"\n'.encode()


def _shipped(folder: Path) -> dict[PurePosixPath, bytes]:
    return {
        PurePosixPath(path.relative_to(folder).as_posix()): path.read_bytes()
        for path in sorted(folder.rglob("*.md"))
    }


def _json(document: Mapping[str, Any]) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
