"""What putting gitmem into opencode takes: a plugin, an MCP server, skills."""

import json
from pathlib import Path
from typing import Final

from gitmem.hosts import skills
from gitmem.hosts.edit import Member, Whole
from gitmem.hosts.place import Installation, Plan, Where, Wishes

_HOST: Final = "opencode"
_MARK: Final = "// Made by `gitmem host install`"
_SETTINGS: Final = ("opencode.jsonc", "opencode.json")


def plan(where: Where, installation: Installation, wishes: Wishes) -> Plan:  # noqa: ARG001
    """Add the plugin's file, and name the server in the person's settings."""
    folder = where.folder("XDG_CONFIG_HOME", ".config") / "opencode"
    command = [*installation.command, "mcp"]
    server = {"type": "local", "command": command, "enabled": True}
    plugin = Whole(folder / "plugin" / "gitmem.js", _plugin(installation), _MARK)
    taught = skills.wholes(folder / "skill", installation.package)
    entry = Member(_settings(folder), ("mcp", "gitmem"), server)
    steps = ("Start opencode anew; a session that runs does not take it up.",)
    return Plan((entry, plugin, *taught), steps=steps)


def _settings(folder: Path) -> Path:
    """Choose the settings file that is there; opencode reads either."""
    found = [folder / name for name in _SETTINGS if (folder / name).exists()]
    return found[0] if found else folder / _SETTINGS[-1]


def _plugin(installation: Installation) -> str:
    source = Path(__file__).with_name("assets") / "gitmem.js"
    hook = json.dumps(installation.hook(_HOST, "")[:-1])
    return source.read_text(encoding="utf-8").replace('"@HOOK@"', hook)
