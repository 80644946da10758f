"""Make text fit for a terminal: nothing in it can act, and some of it has colour."""

from collections.abc import Iterable

import click

from gitmem.files.names import shown
from gitmem.process import environment


def safe(text: str) -> str:
    """Spell on one line what could act on a terminal, or pass for another line."""
    return "\t".join(map(shown, text.split("\t")))


def safe_lines(text: str) -> str:
    """Spell out what could act on a terminal in a text that has lines of its own."""
    return "\n".join(map(safe, text.split("\n")))


def bold(text: object) -> str:
    """Make a name stand out."""
    return _painted(str(text), bold=True)


def faint(text: object) -> str:
    """Let a detail stand back."""
    return _painted(str(text), dim=True)


def good(text: object) -> str:
    """Mark what is as it should be."""
    return _painted(str(text), fg="green")


def worrying(text: object) -> str:
    """Mark what somebody should look at."""
    return _painted(str(text), fg="yellow")


def bad(text: object) -> str:
    """Mark what is broken."""
    return _painted(str(text), fg="red")


def listed(items: Iterable[object]) -> str:
    """Join names with commas."""
    return ", ".join(safe(str(item)) for item in items)


def has_colour(*, is_terminal: bool) -> bool:
    """Follow https://no-color.org: any text in NO_COLOR means none."""
    return is_terminal and not environment().get("NO_COLOR")


def _painted(
    text: str,
    *,
    fg: str | None = None,
    bold: bool | None = None,
    dim: bool | None = None,
) -> str:
    return click.style(safe(text), fg=fg, bold=bold, dim=dim)
