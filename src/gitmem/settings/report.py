"""What was found out while settings were read, as small records."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath
from typing import Final

from gitmem.files.names import shown
from gitmem.settings.folders import Folders
from gitmem.settings.inert import is_inert
from gitmem.settings.model import Settings

SHOWN_LIMIT: Final = 80
WORD_BITS: Final = 64
_CREDENTIALS: Final = re.compile(r"(https?://)[^/@\s\"']+@")


class OriginKind(StrEnum):
    """Where a value can come from, the strongest last."""

    DEFAULT = "default"
    CONFIG = "config"
    PROJECT = "project"
    ENVIRONMENT = "environment"
    COMMAND_LINE = "command line"


class ProblemKind(StrEnum):
    """What can be wrong with what a person wrote."""

    BROKEN_FILE = "broken file"
    WRONG_VALUE = "wrong value"
    UNKNOWN_KEY = "unknown key"
    OLD_SPELLING = "old spelling"
    NOT_THERE = "not there yet"


@dataclass(frozen=True)
class Origin:
    """Where a value came from: the kind, and the file or variable."""

    kind: OriginKind
    place: str


@dataclass(frozen=True)
class Refusal:
    """Something a project asked for and does not get.

    `key` is empty when the whole file was refused; `value` is safe to print.
    """

    place: str
    key: str
    value: str
    reason: str

    def __str__(self) -> str:
        """Say it in one line."""
        wish = f"{self.key} = {self.value}" if self.key else "the file"
        return f"{self.place}: {wish} was refused: {self.reason}."


@dataclass(frozen=True)
class Problem:
    """Something the person wrote that was not used as written; safe to print."""

    kind: ProblemKind
    place: str
    key: str
    value: str
    message: str

    def __str__(self) -> str:
        """Say it in one line."""
        what = f" {self.key}" if self.key else ""
        value = f" = {self.value}" if self.value else ""
        at = f"{self.place}:{what}{value}" if what or value else self.place
        return f"{at}: {self.message}."


@dataclass(frozen=True)
class Loaded:
    """The settings of one command or session, and how they came about."""

    settings: Settings
    folders: Folders
    origins: Mapping[str, Origin]
    refused: tuple[Refusal, ...]
    problems: tuple[Problem, ...]

    @property
    def broken(self) -> Problem | None:
        """Give what keeps the person's own file from being read at all."""
        found = (each for each in self.problems if each.kind is ProblemKind.BROKEN_FILE)
        return next(found, None)

    @property
    def mistakes(self) -> tuple[Problem, ...]:
        """List what was not used at all; an old spelling works as it did."""
        old = ProblemKind.OLD_SPELLING
        return tuple(each for each in self.problems if each.kind is not old)

    @property
    def inert(self) -> tuple[Problem, ...]:
        """List what was set although it changes nothing yet."""
        message = "what this sets is not there yet, so it changes nothing"
        return tuple(
            Problem(ProblemKind.NOT_THERE, origin.place, key, "", message)
            for key, origin in self.origins.items()
            if is_inert(key) and origin.kind is not OriginKind.DEFAULT
        )


def safe(value: object) -> str:
    """Spell a value for a person: short, on one line, without credentials."""
    if isinstance(value, list | tuple):
        # More than are shown; a stranger's list may be long.
        text = "[" + ", ".join(_single(item) for item in value[:SHOWN_LIMIT]) + "]"
    else:
        text = _single(value)
    text = shown(masked(text))
    return text if len(text) <= SHOWN_LIMIT else text[: SHOWN_LIMIT - 1] + "…"


def masked(text: str) -> str:
    """Hide credentials in a value."""
    from gitmem.secrets import mask  # only when asked

    return _CREDENTIALS.sub(r"\1***@", mask(text))


def _single(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    # Deep tables and huge numbers cost more to spell than they tell.
    if isinstance(value, dict | list):
        return "{…}" if isinstance(value, dict) else "[…]"
    if isinstance(value, int) and value.bit_length() > WORD_BITS:
        return "a huge number"
    if isinstance(value, str | PurePath):
        return f'"{value}"'
    return str(value)
