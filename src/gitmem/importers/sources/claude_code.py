"""Claude Code's auto memory: a file a fact, listed in MEMORY.md, a folder a project."""

from collections.abc import Iterator
from typing import Final

from gitmem.importers import auto_memory, session_folder
from gitmem.importers.foreign import Foreign
from gitmem.importers.source import Item

ABOUT: Final = "the auto memory of Claude Code"
MEMORY: Final = "memory"
PROJECTS: Final = "projects"


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
    yield from auto_memory.read_all(store, _places(store))


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
                yield place, session_folder.project(store, f"{below}{name}") or name


def _is_slug(name: str) -> bool:
    """Tell the folder of a project: its path, with a dash for each other sign."""
    is_of_pi = name.startswith("--") and name.endswith("--")
    return (name.startswith("-") and not is_of_pi) or name[1:3] == "--"
