"""What putting gitmem into an AGENTS.md takes: a block that says how to use it."""

from pathlib import Path
from typing import Final

from gitmem.errors import UsageError
from gitmem.hosts.edit import Block
from gitmem.hosts.place import Installation, Plan, Where, Wishes

_FRAME: Final = ("<!-- ", " -->")


def plan(where: Where, installation: Installation, wishes: Wishes) -> Plan:  # noqa: ARG001
    """Add to the file that the person named.

    Raises UsageError where they named none.
    """
    if where.target is None:
        raise UsageError(
            "agents-md needs the file.",
            "For example: gitmem host install agents-md ~/work/site/AGENTS.md",
        )
    return Plan((block(where.target),))


def block(path: Path) -> Block:
    """Make the block for a file."""
    shipped = Path(__file__).with_name("assets") / "block.md"
    return Block(path, shipped.read_text(encoding="utf-8"), _FRAME)
