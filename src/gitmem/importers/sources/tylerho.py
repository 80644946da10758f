"""@tylerho/pi-memory: Claude Code's format, in a folder for each working directory."""

from collections.abc import Iterator
from typing import Final

from gitmem.importers import auto_memory, session_folder
from gitmem.importers.foreign import Foreign
from gitmem.importers.source import Item

ABOUT: Final = "the memory of @tylerho/pi-memory, of one working directory or of all"
_DREAMS: Final = "dreams.jsonl"
_SESSIONS: Final = "sessions"
# Where the folders of working directories are: here, or below a folder of pi.
_PLACES: Final = ("", "memory", ".pi/agent/memory", "agent/memory")


def looks(store: Foreign) -> bool:
    """Say whether it is such a folder, by its name or by the log of its dreams."""
    return not store.only and any(True for _ in _places(store))


def read(store: Foreign) -> Iterator[Item]:
    """Read one memory, or several, each into a layer of its own."""
    places = list(_places(store)) or [("", "")]
    yield from auto_memory.read_all(store, places)


def _places(store: Foreign) -> Iterator[tuple[str, str]]:
    """Find the memories below a folder, with the layer of each if there are several."""
    if _is_slug(store.root.name) or store.has(_DREAMS):
        yield "", ""
        return
    found = list(_inner(store))
    for above, name in found:
        at = f"{above}/{name}".lstrip("/")
        yield at, (_project(store, above, name) if len(found) > 1 else "")


def _inner(store: Foreign) -> Iterator[tuple[str, str]]:
    for place in _PLACES:
        for name in store.names(place):
            if _is_slug(name) and _has_memory(store, f"{place}/{name}".lstrip("/")):
                yield place, name


def _has_memory(store: Foreign, place: str) -> bool:
    return store.has(place) and any(n.endswith(".md") for n in store.names(place))


def _project(store: Foreign, above: str, name: str) -> str:
    """Name a project after its sessions, which pi keeps beside its memory."""
    beside = f"{above.rpartition('memory')[0]}{_SESSIONS}/{name}"
    return session_folder.project(store, beside) or name


def _is_slug(name: str) -> bool:
    return name.startswith("--") and name.endswith("--") and len(name) > len("----")
