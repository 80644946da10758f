"""Say which project a folder belongs to."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gitmem.errors import NotFound
from gitmem.project.gitfolder import Found, Refused, find, is_mine
from gitmem.project.names import layer_name
from gitmem.project.remote import normalise_remote

TOP_FOLDER: Final = "root"


@dataclass(frozen=True, slots=True)
class Project:
    """A project: its folder, the name a layer of it gets, and its remote.

    `root` is the work tree that holds the folder asked about, `name` that of the main
    work tree, `note` why a `.git` that is there was not believed.
    """

    root: Path
    name: str
    remote: str | None
    is_git: bool
    note: str = ""


def identify(cwd: Path) -> Project:
    """Name the project of a folder; runs no program and never fails on what it reads.

    Raises NotFound when `cwd` is relative and the current folder was removed.
    """
    try:
        folder = Path(os.path.realpath(cwd))
    except FileNotFoundError as error:
        message = "The current folder no longer exists."
        raise NotFound(message, "Change to a folder that does.") from error
    found = find(folder)
    if isinstance(found, Found):
        return _in_git(found)
    return _plain(folder, found)


def _in_git(found: Found) -> Project:
    common, origin = found.common, found.config.origin
    base = common.parent if common.name == ".git" else common
    return Project(
        root=found.root,
        name=layer_name(main_folder_name(found)),
        remote=normalise_remote(origin, base=base) if origin else None,
        is_git=True,
    )


def main_folder_name(found: Found) -> str:
    """Name the main work tree, the same from each of its worktrees."""
    common, config = found.common, found.config
    if common.name == ".git":
        return common.parent.name or TOP_FOLDER
    if config.work_tree is not None and not config.is_bare:
        return Path(config.work_tree).name
    if not (found.is_linked or config.is_bare or common == found.root):
        return found.root.name
    # `.bare` beside its worktrees is a known layout; the folder above has the name.
    hidden = common.name.startswith(".")
    return common.parent.name if hidden else common.name.removesuffix(".git")


def _plain(folder: Path, refused: Refused | None) -> Project:
    """Use the folder's own name; never a folder that somebody else laid above it."""
    root = folder
    if refused is not None and is_mine(refused.holder):
        root = refused.holder
    note = refused.note if refused else ""
    name = layer_name(root.name or TOP_FOLDER)
    return Project(root=root, name=name, remote=None, is_git=False, note=note)
