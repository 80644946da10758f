"""Which paths are never worth a word, and which a person listed; pure."""

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Final

FOLDERS: Final = frozenset(
    {
        "__pycache__",
        "build",
        "coverage",
        "dist",
        "node_modules",
        "out",
        "target",
        "temp",
        "tmp",
        "venv",
    }
)
FILES: Final = frozenset(
    {
        "bun.lockb",
        "Cargo.lock",
        "composer.lock",
        "go.sum",
        "package-lock.json",
        "pnpm-lock.yaml",
        "poetry.lock",
        "uv.lock",
        "yarn.lock",
    }
)


def is_ignored(path: PurePosixPath) -> bool:
    """Say of a path below a project that nobody wants to be told of it."""
    if any(part.startswith(".") for part in path.parts):
        return True
    return path.name in FILES or not FOLDERS.isdisjoint(path.parts[:-1])


def is_listed(path: str, places: Sequence[str]) -> bool:
    """Say whether an absolute path is one of these places, or below one."""
    pure = PurePosixPath(path)
    return any(pure.is_relative_to(place) for place in places)


def places(listed: Iterable[str], bases: Sequence[str], home: str) -> tuple[str, ...]:
    """Make listed names absolute: a relative one is meant below each of the bases."""
    found: list[str] = []
    for each in listed:
        name = f"{home}/{each[2:]}" if each.startswith("~/") else each
        found += [str(PurePosixPath(base) / name) for base in bases]
    return tuple(dict.fromkeys(found))
