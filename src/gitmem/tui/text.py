"""Lines as every form of the review shows them: clean text in parts; pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gitmem.files.names import shown

# How a part looks; each form has its own colours for these.
PLAIN: Final = ""
FAINT: Final = "faint"
STRONG: Final = "strong"
SESSION: Final = "session"
HANDOFF: Final = "handoff"
THREAD: Final = "thread"
HEAD: Final = "head"
BAR: Final = "bar"
LOOKS: Final = (FAINT, STRONG, SESSION, HANDOFF, THREAD, HEAD, BAR)

Part = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Line:
    """One line; `key` names what it stands for, and is empty where that is nothing."""

    parts: tuple[Part, ...] = ()
    key: str = ""

    @property
    def text(self) -> str:
        """Give the line without its looks."""
        return "".join(text for text, _ in self.parts)


def line(*parts: str | Part, key: str = "") -> Line:
    """Make a line of parts; those without a look are plain."""
    made = ((each, PLAIN) if isinstance(each, str) else each for each in parts)
    return Line(tuple(each for each in made if each[0]), key)


def clean(text: str) -> str:
    """Spell on one line what could act on a terminal."""
    if text.isprintable():
        return text
    return shown(" ".join(text.split()))


def clean_lines(text: str) -> list[str]:
    """Clean a text that has lines of its own, and keep those."""
    return [shown(each.expandtabs(4)) for each in text.split("\n")]


def together(parts: Iterable[str]) -> str:
    """Join what is not empty with two spaces."""
    return "  ".join(filter(None, parts))
