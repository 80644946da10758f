"""What putting gitmem into an AGENTS.md takes: a block that says how to use it."""

import os
from pathlib import Path
from typing import Final

from gitmem.errors import PathRefused, UsageError
from gitmem.files.names import shown
from gitmem.hosts.edit import Block
from gitmem.hosts.place import Installation, Plan, Where, Wishes

_FRAME: Final = ("<!-- ", " -->")


def plan(where: Where, installation: Installation, wishes: Wishes) -> Plan:  # noqa: ARG001
    """Add to the file that the person named.

    Raises UsageError where they named none, and PathRefused for a link out of its
    folder.
    """
    if where.target is None:
        raise UsageError(
            "agents-md needs the file.",
            "For example: gitmem host install agents-md ~/site/AGENTS.md",
        )
    _require_inside(where.target)
    return Plan((block(where.target),))


def _require_inside(path: Path) -> None:
    """Refuse a link out of its folder: whoever wrote the project chose where to."""
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(os.path.realpath(path.parent)):
        raise PathRefused(
            f"{shown(str(path))} is a link out of its folder, to {shown(str(real))}.",
            "If that is the file you mean, name it itself.",
        )


def block(path: Path) -> Block:
    """Make the block for a file."""
    shipped = Path(__file__).with_name("assets") / "block.md"
    return Block(path, shipped.read_text(encoding="utf-8"), _FRAME)
