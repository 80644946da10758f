"""Load what a daemon may need while its files are still those that it began with.

A daemon that outlives its installation must still be able to commit, and must not mix
modules of two versions.
"""

import contextlib
import importlib
import pkgutil
from collections.abc import Iterator
from typing import Final

_NEEDED: Final = ("files", "memory", "repo", "service", "sync")


def load_all() -> None:
    """Import the rooms that a cycle goes through, whichever way it takes."""
    # A room may be missing while it is being replaced; the guard will see that.
    with contextlib.suppress(ImportError):
        for name in _names():
            importlib.import_module(name)


def _names() -> Iterator[str]:
    for room in _NEEDED:
        package = importlib.import_module(f"gitmem.{room}")
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield each.name
