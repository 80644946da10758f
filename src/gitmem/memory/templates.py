"""The texts that new memory files of a known kind begin with."""

from collections.abc import Callable, Mapping
from typing import Final

from gitmem.memory.frontmatter.edit import render

_PROFILE_BODY: Final = """\
# Profile

Who the person is, and how they like to work. Keep it short: it is given whole at the
start of every session.

## About

## Preferences

## Do not
"""
_TASK_BODY: Final = """\
# Task

## Goal

## State

## Next step
"""
_INDEX_BODY: Final = """\
# Memory

Notes that hold everywhere: conventions, lessons learned, where things are.

## Conventions

## Lessons
"""


def profile(day: str) -> bytes:
    """Give an empty profile."""
    return _rendered(
        "Who the person is and what they prefer; read at every start",
        ["user", "profile", "preferences"],
        day,
        _PROFILE_BODY,
    )


def task(day: str) -> bytes:
    """Give an empty task."""
    return _rendered(
        "What is being worked on, its state and the next step",
        ["task"],
        day,
        _TASK_BODY,
    )


def index(day: str) -> bytes:
    """Give an empty hand-kept index."""
    return _rendered(
        "Durable notes, conventions and lessons learned",
        ["conventions", "lessons"],
        day,
        _INDEX_BODY,
    )


def project(name: str, remote: str, day: str) -> bytes:
    """Give a PROJECT.md that claims a remote."""
    fields = {
        "description": f"Which project the layer {name} belongs to",
        "tags": ["project"],
        "remotes": [remote],
        "created": day,
        "updated": day,
    }
    return render(fields, f"# {name}\n")


# The skill memory-init ships these under the same names; a test compares them.
TEMPLATES: Final[Mapping[str, Callable[[str], bytes]]] = {
    "USER.md": profile,
    "TASK.md": task,
    "MEMORY.md": index,
}


def _rendered(description: str, tags: list[str], day: str, body: str) -> bytes:
    fields = {
        "description": description,
        "tags": tags,
        "created": day,
        "updated": day,
    }
    return render(fields, body)
