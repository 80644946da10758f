"""Turn the path somebody wrote into the one memory it means, or refuse it."""

import os
import stat
import unicodedata
from dataclasses import dataclass
from pathlib import PurePosixPath

from gitmem.errors import PathRefused
from gitmem.files.names import confine, shown
from gitmem.files.tree import Tree
from gitmem.memory.conflicts import is_copy
from gitmem.memory.layout import SUFFIX, Layer
from gitmem.project.names import RESERVED, folded


@dataclass(frozen=True, slots=True)
class Place:
    """Where a memory is or will be; `twin` is another spelling that is in the way."""

    path: PurePosixPath
    exists: bool
    twin: PurePosixPath | None = None


def locate(
    tree: Tree, text: str, *, project: Layer, shared: Layer | None
) -> PurePosixPath:
    """Read a path as relative to the repository's root or to the project's layer.

    Raises PathRefused for every other layer, the tape, hidden names, what is no
    Markdown file, and whatever `confine` refuses.
    """
    path = confine(text)
    if any(part.startswith(".") for part in path.parts):
        raise PathRefused(
            f"{shown(text)} is hidden, and gitmem keeps no memory in hidden places.",
            "Leave the leading dot out.",
        )
    whole = _in_layer(tree, path, project, shared)
    if not path.name.lower().endswith(SUFFIX):
        raise PathRefused(
            f"{shown(text)} is not a Markdown file.",
            f"It lies there as it is; open {shown(str(tree.root / whole))}."
            if tree.exists(whole)
            else f"Memories end in {SUFFIX}; name it {shown(path.name)}{SUFFIX}.",
        )
    return whole


def find(tree: Tree, path: PurePosixPath) -> Place:
    """Look for a file by its exact name, then by names that only look the same."""
    actual = PurePosixPath()
    for index, part in enumerate(path.parts):
        names = _names(tree, actual)
        if part not in names:
            same = sorted(name for name in names if folded(name) == folded(part))
            if not same:
                return Place(path, exists=False)
            rest = path.parts[index + 1 :]
            return Place(path, exists=False, twin=actual.joinpath(same[0], *rest))
        actual /= part
    return Place(path, exists=True)


def for_writing(tree: Tree, path: PurePosixPath) -> Place:
    """Give the place of a file to be written; a new one is spelled in NFC.

    Raises PathRefused when a name that differs only in case or Unicode form is taken.
    """
    place = find(tree, path)
    if place.exists:
        return place
    if place.twin is not None:
        raise PathRefused(
            f"{shown(str(path))} would stand beside {shown(str(place.twin))}, and some "
            "file systems take the two for one.",
            f"Use {shown(str(place.twin))}, or choose another name.",
        )
    if is_copy(path):
        raise PathRefused(
            f"{shown(str(path))} is named like a conflict copy.",
            "Leave .conflict-… out of the name.",
        )
    if not path.name.endswith(SUFFIX):
        raise PathRefused(
            f"{shown(str(path))} must end in {SUFFIX}, in small letters.",
            f"Name it {shown(path.stem)}{SUFFIX}.",
        )
    return Place(PurePosixPath(unicodedata.normalize("NFC", str(path))), exists=False)


def _in_layer(
    tree: Tree, path: PurePosixPath, project: Layer, shared: Layer | None
) -> PurePosixPath:
    first = path.parts[0]
    allowed = [project] if shared is None else [project, shared]
    for layer in allowed:
        if folded(first) == folded(layer.name):
            return layer.path.joinpath(*path.parts[1:])
    if folded(first) in RESERVED:
        raise PathRefused(
            f"{shown(first)} is reserved.",
            "For a layer that all your projects share: gitmem init --shared global"
            if folded(first) != "tape"
            else "The tape is written by gitmem alone.",
        )
    inside = project.path / path
    is_other_layer = len(path.parts) > 1 and tree.exists(PurePosixPath(first))
    if is_other_layer and not tree.exists(project.path / first):
        raise PathRefused(
            f"{shown(str(path))} is in another layer than this project's.",
            f"Only {' and '.join(shown(each.name) for each in allowed)} can be used "
            f"here; for this project's own folder write {shown(str(inside))}.",
        )
    return inside


def _names(tree: Tree, folder: PurePosixPath) -> list[str]:
    """List a folder's names; links are refused, what is no folder has none."""
    path = tree.root / folder
    try:
        if folder.parts and stat.S_ISLNK(os.lstat(path).st_mode):
            raise PathRefused(
                f"{shown(str(folder))} is a link.",
                "gitmem follows no links inside the memory repository.",
            )
        return os.listdir(path)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except PermissionError as error:
        raise PathRefused(
            f"{shown(str(folder))} cannot be read: {error.strerror}.",
            "Check the owner and the permissions of the folder.",
        ) from error
