"""@tylerho/pi-memory: Claude Code's format, in a folder for each working directory."""

from collections.abc import Iterator
from typing import Final

from gitmem.errors import UsageError
from gitmem.files.names import shown
from gitmem.importers import auto_memory
from gitmem.importers.foreign import Foreign
from gitmem.importers.source import Item

ABOUT: Final = "the memory of one working directory of @tylerho/pi-memory"
_DREAMS: Final = "dreams.jsonl"
# The store itself, what holds the stores, or the folder of pi.
_PLACES: Final = ("", "memory", ".pi/agent/memory", "agent/memory")
_SHOWN: Final = 5


def looks(store: Foreign) -> bool:
    """Say whether it is such a folder, by its name or by the log of its dreams."""
    return not store.only and (_is_one(store) or any(_inner(store)))


def read(store: Foreign) -> Iterator[Item]:
    """Read the folder. Raises UsageError where there is a choice between several."""
    inner = [] if store.only or _is_one(store) else list(_inner(store))
    if len(inner) > 1:
        raise UsageError(
            f"{shown(str(store.root))} has the memories of {len(inner)} folders.",
            "Import them one by one, each from its project: "
            f"{', '.join(shown(name) for name in inner[:_SHOWN])}",
        )
    yield from auto_memory.read(store, inner[0] if inner else "")


def _is_one(store: Foreign) -> bool:
    has_memory = store.has(auto_memory.INDEX) or any(
        name.endswith(".md") for name in store.names()
    )
    return has_memory and (_is_slug(store.root.name) or store.has(_DREAMS))


def _inner(store: Foreign) -> Iterator[str]:
    """Give the folders that are named after a working directory."""
    for place in _PLACES:
        for name in store.names(place):
            path = f"{place}/{name}".lstrip("/")
            if _is_slug(name) and store.has(path):
                yield path


def _is_slug(name: str) -> bool:
    return name.startswith("--") and name.endswith("--") and len(name) > len("----")
