"""Ask a person for leave to write, and show what would be written; pure."""

import difflib
from collections.abc import Iterator
from typing import Final

from gitmem.delivery import fence
from gitmem.memory.hashes import hash_of
from gitmem.memory.store import Proposed

LIMIT: Final = 4_000
# Comparing takes time with the square of it.
COMPARED_LINES: Final = 1_000
SHORT: Final = 12
_HEAD_LINES: Final = 2


def question(proposed: Proposed, number: int = 0) -> str:
    """Say which memory is meant, and how it would change.

    Two proposals have two questions, however much is cut: the hashes tell them apart.
    A `number` tells apart the times that one is asked.
    """
    verb = "Create" if proposed.before is None else "Change"
    path = fence.name(str(proposed.path))
    asked = f", question {number}" if number else ""
    size = f"{len(proposed.after):,} bytes, {_versions(proposed)}{asked}"
    warnings = [f"Warning: {fence.line(each)}" for each in proposed.warnings]
    shown = "\n".join(_shown(proposed))
    cut = ["… (there is more)"] if len(shown) > LIMIT else []
    text = fence.text(shown[:LIMIT])
    return "\n".join([f"{verb} the memory {path} ({size})?", *warnings, "", text, *cut])


def _versions(proposed: Proposed) -> str:
    after = hash_of(proposed.after)[:SHORT]
    if proposed.before is None:
        return after
    return f"{hash_of(proposed.before)[:SHORT]} → {after}"


def _shown(proposed: Proposed) -> Iterator[str]:
    """Show a new text, or how an old one would change."""
    after = proposed.after.decode("utf-8", "replace").splitlines()
    before = (proposed.before or b"").decode("utf-8", "replace").splitlines()
    if proposed.before is None or len(before) + len(after) > COMPARED_LINES:
        yield from after
        return
    changes = [*difflib.unified_diff(before, after, n=1, lineterm="")]
    yield from (line for line in changes[_HEAD_LINES:] if line[:2] != "@@")
