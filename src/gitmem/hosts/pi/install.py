"""What putting gitmem into pi takes: a package, and the line that names it."""

import json
import shlex
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem.hosts import skills
from gitmem.hosts.edit import Element
from gitmem.hosts.place import Installation, Plan, Where, Wishes

HOST: Final = "pi"
_ASSETS: Final = Path(__file__).parent / "assets"


def plan(where: Where, installation: Installation, wishes: Wishes) -> Plan:  # noqa: ARG001
    """Name the package in the person's settings; pi reads it in place."""
    settings = where.folder("PI_CODING_AGENT_DIR", ".pi", "agent") / "settings.json"
    folder = str(installation.assets(HOST))
    edits = (Element(settings, ("packages",), folder),)
    return Plan(edits, files(installation), ("Start pi anew, or type /reload in it.",))


def files(installation: Installation) -> dict[PurePosixPath, bytes]:
    """Give every file of the package, with this installation's own paths."""
    shipped = {
        PurePosixPath(path.relative_to(_ASSETS).as_posix()): path.read_bytes()
        for path in sorted(_ASSETS.rglob("*"))
        if path.is_file()
    }
    taught = {
        PurePosixPath("skills") / place: data
        for place, data in skills.files(installation.package).items()
    }
    own = {
        PurePosixPath("installation.json"): _paths(installation),
        PurePosixPath("bin/gitmem"): _program(installation),
    }
    return {**shipped, **taught, **own}


def _paths(installation: Installation) -> bytes:
    """Tell the extension how to call gitmem: absolutely, whatever PATH says."""
    *hook, _ = installation.hook(HOST, "event")
    found = {
        "version": installation.version,
        "hook": hook,
        "command": installation.command,
    }
    return (json.dumps(found, indent=2) + "\n").encode()


def _program(installation: Installation) -> bytes:
    """Be found as `gitmem` by the agent's shell, wherever that is installed."""
    return f'#!/bin/sh\nexec {shlex.join(installation.command)} "$@"\n'.encode()
