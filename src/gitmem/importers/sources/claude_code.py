"""Claude Code's auto memory: a file a fact, listed in MEMORY.md, a folder a project."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from gitmem.importers import auto_memory
from gitmem.importers.foreign import Foreign
from gitmem.importers.source import Found, Item, Left

ABOUT: Final = "the auto memory of Claude Code"
MEMORY: Final = "memory"
PROJECTS: Final = "projects"
# What is told at each session's start there is listed at each start here.
_PLACE: Final = PurePosixPath("core")
_BEGINNING_BYTES: Final = 65_536


def looks(store: Foreign) -> bool:
    """Say whether it is a project's folder below `.claude`, its memory, or all."""
    root = store.root
    is_claudes = ".claude" in root.parts or _is_slug(root.name)
    is_memory = root.name == MEMORY and _is_slug(root.parent.name)
    is_all = root.name == PROJECTS or store.has(PROJECTS)
    is_one = is_claudes or is_memory or is_all
    return is_one and any(True for _ in _places(store))


def read(store: Foreign) -> Iterator[Item]:
    """Read the memory of one project, or of all, each into a layer of its own."""
    for place, layer in _places(store):
        slug = PurePosixPath(place).parent.name if layer else ""
        for item in auto_memory.read(store, place):
            yield _placed(item, slug, layer)


def _placed(item: Item, slug: str, layer: str) -> Item:
    if isinstance(item, Left) and slug:
        return replace(item, origin=f"{slug}/{item.origin}")
    if isinstance(item, Found):
        return replace(item, path=_PLACE / item.path, layer=layer, store=slug)
    return item


def _places(store: Foreign) -> Iterator[tuple[str, str]]:
    """Find the memories below a folder, with the layer of each if there are several."""
    if store.root.name == MEMORY or store.has("MEMORY.md"):
        yield "", ""
    elif store.has(MEMORY):
        yield MEMORY, ""
    else:
        below = f"{PROJECTS}/" if store.has(PROJECTS) else ""
        for name in store.names(below):
            place = f"{below}{name}/{MEMORY}"
            if _is_slug(name) and store.has(place):
                yield place, _project(store, f"{below}{name}") or name


def _project(store: Foreign, folder: str) -> str:
    """Name the project that the sessions in a folder say they were held in."""
    for name in store.names(folder):
        if name.endswith(".jsonl"):
            data = store.read(f"{folder}/{name}", _BEGINNING_BYTES) or b""
            for line in data.splitlines():
                if cwd := _cwd(line):
                    return PurePosixPath(cwd).name
    return ""


def _cwd(line: bytes) -> str:
    if b'"cwd"' not in line:
        return ""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    cwd = found.get("cwd") if isinstance(found, dict) else ""
    return cwd if isinstance(cwd, str) else ""


def _is_slug(name: str) -> bool:
    """Tell the folder of a project: its path, with a dash for each other sign."""
    return name.startswith("-") or name[1:3] == "--"
