"""Find a source by its name, or by the look of a store; every file is one."""

import importlib
from pathlib import Path
from typing import Final, cast

from gitmem.errors import UsageError
from gitmem.files.names import shown
from gitmem.importers import sources
from gitmem.importers.foreign import Foreign
from gitmem.importers.source import Source

# Any Markdown looks like it: it is taken where nothing else looks right.
PLAIN: Final = "folder"


def names() -> tuple[str, ...]:
    """Name every kind of store, in alphabetical order."""
    (folder,) = sources.__path__
    stems = (path.stem for path in Path(folder).glob("[!_]*.py"))
    return tuple(sorted(stem.replace("_", "-") for stem in stems))


def source(name: str) -> Source:
    """Import a source. Raises UsageError for an unknown one."""
    if name not in names():
        raise UsageError(
            f"gitmem knows no store called {shown(name)}.",
            f"Choose from {', '.join(names())}.",
        )
    module = name.replace("-", "_")
    return cast("Source", importlib.import_module(f"{sources.__name__}.{module}"))


def recognised(store: Foreign) -> str:
    """Name the kind that a store looks like. Raises UsageError where that is open."""
    others = [name for name in names() if name != PLAIN]
    found = [name for name in others if source(name).looks(store)]
    if not found and source(PLAIN).looks(store):
        return PLAIN
    if len(found) == 1:
        return found[0]
    seen = f"like {' and like '.join(found)}" if found else "like none"
    raise UsageError(
        f"{shown(str(store.root))} looks {seen} of the stores that gitmem knows.",
        f"Say which it is: --from {' or '.join(found or names())}",
    )
