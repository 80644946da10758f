"""Find a section by its name: every file in `sections/` is one."""

import importlib
import pkgutil
from typing import Final, Protocol, cast

from gitmem.attention.budget import Block
from gitmem.delivery import sections
from gitmem.delivery.view import View
from gitmem.errors import SettingsError

# Names that settings accept before their section exists; they give nothing.
RESERVED: Final = ("bridge", "counts", "critical", "cues", "keyword", "recall", "tape")


class Section(Protocol):
    """What a file in `sections/` is to the outside."""

    def render(self, view: View) -> tuple[Block, ...]:
        """Give the section's blocks, or none when it has nothing to say."""


def names() -> tuple[str, ...]:
    """Name every section that settings may order, in alphabetical order."""
    return tuple(sorted({*_built(), *RESERVED}))


def blocks(name: str, view: View) -> tuple[Block, ...]:
    """Render the section called `name`. Raises SettingsError for an unknown one."""
    if name in _built():
        module = importlib.import_module(f"{sections.__name__}.{name}")
        return cast("Section", module).render(view)
    if name in RESERVED:
        return ()
    raise SettingsError(
        f"There is no section called {name!r}.",
        f"Choose from {', '.join(names())}.",
    )


def _built() -> frozenset[str]:
    return frozenset(each.name for each in pkgutil.iter_modules(sections.__path__))
