"""Name the work trees that are one project, without running Git."""

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

from gitmem.errors import NotFound
from gitmem.project.gitfolder import POINTER_LIMIT_BYTES, Found, find, read
from gitmem.project.identity import Project, identify

MOST: Final = 100


def work_trees(project: Project) -> tuple[Path, ...]:
    """Give the project's folder, and the other work trees of its repository."""
    found = find(project.root) if project.is_git else None
    if not isinstance(found, Found):
        return (project.root,)
    both = (project.root, *_main(found), *islice(_linked(found), MOST))
    return tuple(dict.fromkeys(both))


def belongs(folder: str, trees: tuple[Path, ...]) -> bool:
    """Say whether work in a folder is work in one of these; it may be gone."""
    path = Path(folder)
    if not path.is_absolute() or "\0" in folder:
        return False
    if path in trees:
        return True
    with suppress(NotFound, OSError):
        if path.is_dir():
            return identify(path).root in trees
    return any(tree in path.parents for tree in trees)


def _main(found: Found) -> Iterator[Path]:
    if found.common.name == ".git":
        yield found.common.parent


def _linked(found: Found) -> Iterator[Path]:
    try:
        names = sorted(os.listdir(found.common / "worktrees"))
    except OSError:
        return
    for name in names:
        pointer = read(
            found.common / "worktrees" / name / "gitdir", POINTER_LIMIT_BYTES
        )
        text = os.fsdecode(pointer or b"").rstrip("\r\n")
        folder = Path(text).parent
        with suppress(OSError, ValueError):
            other = find(folder) if text.startswith("/") and folder.is_dir() else None
            if isinstance(other, Found) and other.common == found.common:
                yield other.root
