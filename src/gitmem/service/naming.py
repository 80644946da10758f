"""Understand how people and agents name a memory, and help where there is none."""

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from gitmem.errors import NotFound, PathRefused, UsageError
from gitmem.files.names import shown
from gitmem.memory.places import locate
from gitmem.project.names import folded
from gitmem.service import past
from gitmem.service.rooms import Rooms

if TYPE_CHECKING:
    from gitmem.memory.layout import Access

EVERY_LAYER = "all"


def within(rooms: Rooms, text: str) -> str:
    """Shorten an absolute path of the repository, and one that begins with `./`.

    Any other is left to be refused. Raises PathRefused for another project's layer,
    which would else be taken for a folder of this project's.
    """
    while text.startswith("./"):
        text = text[2:].lstrip("/")
    path = PurePosixPath(text)
    for root in (rooms.root, rooms.root.resolve()):
        if path.is_absolute() and path.is_relative_to(root) and ".." not in path.parts:
            inside = path.relative_to(root)
            _require_allowed(rooms.access(), text, inside)
            return str(inside)
    return text


def found(rooms: Rooms, text: str) -> PurePosixPath:
    """Turn what somebody wrote into a path of the repository, deleted or not."""
    access, tree = rooms.access(), rooms.tree()
    named = within(rooms, text)
    return locate(tree, named, project=access.project, shared=access.shared)


def lacking(rooms: Rooms, text: str, error: NotFound) -> NotFound:
    """Say what became of a memory that is not there."""
    path = found(rooms, text)
    name = shown(text)
    if past.versions(rooms, path, limit=1):
        return NotFound(
            f"{shown(str(path))} was deleted.",
            f"`gitmem history {name}` lists its versions; "
            f"bring one back with `gitmem restore {name}@REV`.",
        )
    return NotFound(error.message, error.hint or "Look for it with `gitmem search`.")


def without_history(rooms: Rooms, path: PurePosixPath) -> NotFound:
    """Say why a path has no versions."""
    name = shown(str(path))
    if rooms.tree().exists(path):
        return NotFound(f"{name} is in no commit yet.", "Commit it with `gitmem sync`.")
    return NotFound(
        f"{name} does not exist, and no commit ever held it.",
        "Look for it with `gitmem search`.",
    )


def _require_allowed(access: "Access", text: str, inside: PurePosixPath) -> None:
    layers = [each for each in (access.project, access.shared) if each is not None]
    first = inside.parts[0] if inside.parts else ""
    if folded(first) not in {folded(each.name) for each in layers}:
        names = " and ".join(shown(each.name) for each in layers)
        raise PathRefused(
            f"{shown(text)} is in no layer that this project uses.",
            f"Only {names} can be used here.",
        )


def folder(rooms: Rooms, layer: str) -> Path:
    """Say where the project's layer is, or else the shared one."""
    access = rooms.access()
    chosen = access.project if layer == "project" else access.shared
    if chosen is None:
        raise NotFound(
            "There is no shared layer.", "Name one: gitmem init --shared global"
        )
    return rooms.root / chosen.path


def layers(rooms: Rooms, wanted: str | None, known: tuple[str, ...]) -> tuple[str, ...]:
    """Choose layers: this project's and the shared one unless one is named."""
    access = rooms.access()
    shared = () if access.shared is None else (access.shared.name,)
    match wanted:
        case None:
            return tuple(dict.fromkeys((access.project.name, *shared)))
        case "project":
            return (access.project.name,)
        case "global" if shared:
            return shared
        case _ if wanted == EVERY_LAYER:
            return known
        case _ if wanted in {*known, access.project.name, *shared}:
            return (wanted,)
    raise UsageError(
        f"There is no layer {wanted!r}.",
        f"Choose project, global, {EVERY_LAYER}, or one of: {', '.join(known)}.",
    )
