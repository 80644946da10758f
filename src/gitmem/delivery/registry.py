"""Find a section by its name: every file in `sections/` is one.

`render(view)` gives what it says at a start, `render_turn(turn)` at a turn.
"""

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Final, Protocol, cast

from gitmem.attention.budget import Block
from gitmem.delivery import sections
from gitmem.delivery.view import Turn, View
from gitmem.errors import SettingsError

# Names that settings accept before their section exists; they give nothing.
RESERVED: Final = ("recall",)
# Nobody has to choose it: it speaks when something came up.
UNCHOSEN: Final = frozenset({"news"})


class Section(Protocol):
    """What a file in `sections/` is to the outside."""

    def render(self, view: View) -> tuple[Block, ...]:
        """Give the section's blocks, or none when it has nothing to say."""


def names() -> tuple[str, ...]:
    """Name every section that settings may order, in alphabetical order."""
    return tuple(sorted({*_built(), *RESERVED} - UNCHOSEN))


class TurnSection(Protocol):
    """What such a file is that has something to say at a turn."""

    def render_turn(self, turn: Turn) -> tuple[Block, ...]:
        """Give the section's blocks, or none when it has nothing to say."""


def blocks(name: str, view: View) -> tuple[Block, ...]:
    """Render the section called `name`. Raises SettingsError for an unknown one."""
    module = _module(name)
    if not hasattr(module, "render"):
        return ()
    return cast("Section", module).render(view)


def turn_blocks(name: str, turn: Turn) -> tuple[Block, ...]:
    """Render it for a turn. Raises SettingsError for an unknown one."""
    module = _module(name)
    if not hasattr(module, "render_turn"):
        return ()
    return cast("TurnSection", module).render_turn(turn)


def _module(name: str) -> ModuleType | None:
    """Import a section; None for one that is to come."""
    full_name = f"{sections.__name__}.{name}"
    if full_name in sys.modules:
        return sys.modules[full_name]
    if name in _built():
        return importlib.import_module(full_name)
    if name in RESERVED:
        return None
    raise SettingsError(
        f"There is no section called {name!r}.",
        f"Choose from {', '.join(names())}.",
    )


def _built() -> frozenset[str]:
    (folder,) = sections.__path__
    return frozenset(path.stem for path in Path(folder).glob("[!_]*.py"))
