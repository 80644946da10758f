"""The sources of the settings as pydantic-settings knows them, each one cleaned.

A source has `values` by dotted key, says the `place` where a key is written, and hands
pydantic-settings a nested document.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol, get_origin

from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    TomlConfigSettingsSource,
)

from gitmem.errors import UsageError
from gitmem.files.names import shown
from gitmem.settings import spelling
from gitmem.settings.checks import Disallowed
from gitmem.settings.cleaning import KEYS, Cleaner, checked, listed
from gitmem.settings.places import HOME_VARIABLE
from gitmem.settings.report import OriginKind, ProblemKind, safe
from gitmem.settings.snapshot import PREFIX

DELIMITER: Final = "__"
MOST_DOTS: Final = 1000
# Read elsewhere, and no setting.
_OTHER_VARIABLES: Final = frozenset({HOME_VARIABLE})


class Layer(Protocol):
    """What the builder needs of a source."""

    kind: ClassVar[OriginKind]
    values: dict[str, object]

    def place(self, key: str) -> str:
        """Name the file or variable in which a key is written."""

    def __call__(self) -> dict[str, Any]:
        """Hand the values to pydantic-settings."""


class Default(InitSettingsSource):
    """The defaults that depend on the machine."""

    kind: ClassVar = OriginKind.DEFAULT

    def __init__(self, model: type[BaseSettings], values: dict[str, object]) -> None:
        """Keep the values by dotted key."""
        self.values = values
        super().__init__(model, nested(values))

    def place(self, _key: str) -> str:
        """Name no place: nobody wrote a default."""
        return ""


class ConfigFile(TomlConfigSettingsSource):
    """The person's file."""

    kind: ClassVar = OriginKind.CONFIG

    def __init__(
        self,
        model: type[BaseSettings],
        file: Path,
        text: bytes | None,
        cleaner: Cleaner,
    ) -> None:
        """Parse and clean the bytes that were read from `file`."""
        self.values: dict[str, object] = {}
        self._text, self._cleaner = text, cleaner
        super().__init__(model, toml_file=file)
        self.values = self._cleaned(self.toml_data)

    def place(self, _key: str) -> str:
        """Name the file."""
        return self._cleaner.place("")

    def _read_files(self, *_: object, **__: object) -> dict[str, Any]:
        # The bytes are those that the snapshot's key is made of; a second look at the
        # disk could see others.
        return self._document()

    def _document(self) -> dict[str, Any]:
        found, trouble = parsed(self._text)
        if trouble:
            self._cleaner.tell(ProblemKind.BROKEN_FILE, "", "", trouble)
        return found

    def _cleaned(self, found: Mapping[str, object]) -> dict[str, object]:
        return self._cleaner.clean(found)

    def __call__(self) -> dict[str, Any]:
        """Hand the values to pydantic-settings."""
        return nested(self.values)


class ProjectFile(ConfigFile):
    """A project's file: a stranger's wishes, weighed against the person's values."""

    kind: ClassVar = OriginKind.PROJECT

    def __init__(
        self,
        model: type[BaseSettings],
        file: Path,
        text: bytes | None,
        cleaner: Cleaner,
        person: Mapping[str, object],
        inside: "Inside",
    ) -> None:
        """Parse the bytes that were read from `file`, and keep what is granted."""
        self._person, self._inside = person, inside
        super().__init__(model, file, text, cleaner)

    def _cleaned(self, found: Mapping[str, object]) -> dict[str, object]:
        return self._cleaner.clean_stranger(found, self._person, self._inside.holds)

    def _document(self) -> dict[str, Any]:
        # tomllib takes 30 s for one key of 32,000 parts.
        if self._text and self._text.count(b".") > MOST_DOTS:
            reason = f"it has more than {MOST_DOTS} dots, and no settings need them"
            self._cleaner.refuse("", None, reason)
            return {}
        found, trouble = parsed(self._text)
        if trouble:
            self._cleaner.refuse("", None, trouble)
        return found


class Variables(EnvSettingsSource):
    """The person's environment; the file `.env` is never read."""

    kind: ClassVar = OriginKind.ENVIRONMENT

    def __init__(self, model: type[BaseSettings], cleaner: Cleaner) -> None:
        """Find the variables that name a setting, and clean their values."""
        self._variables: dict[str, str] = {}
        self._cleaner = replace(cleaner, place=self.place)
        super().__init__(model, env_prefix=PREFIX, env_nested_delimiter=DELIMITER)
        self.values = self._cleaner.clean(super().__call__())

    def place(self, key: str) -> str:
        """Name the variable."""
        return self._variables.get(key, variable(key))

    def _load_env_vars(self) -> Mapping[str, str | None]:
        found: dict[str, str | None] = {}
        environment = self._cleaner.environment
        for name in sorted(environment):
            if name.startswith(PREFIX) and name not in _OTHER_VARIABLES:
                written = name.removeprefix(PREFIX).lower().replace(DELIMITER, ".")
                found |= self._named(name, written, environment[name])
        return found

    def _named(self, name: str, written: str, value: str) -> dict[str, str | None]:
        key = spelling.meant(written)
        if not key:
            self._variables[written] = name
            self._cleaner.tell_unknown(written)
            return {}
        self._variables[key] = name
        if name.casefold() != variable(key).casefold():
            self._cleaner.tell_old(key, variable(key))
        return {variable(key).lower(): value}

    def decode_complex_value(
        self, _field_name: str, _field: FieldInfo, value: str
    ) -> object:
        """Read a list as JSON or as words between commas."""
        return listed(value)

    def __call__(self) -> dict[str, Any]:
        """Hand the values to pydantic-settings."""
        return nested(self.values)


class CommandLine(InitSettingsSource):
    """What the person set for one command; a mistake there stops it."""

    kind: ClassVar = OriginKind.COMMAND_LINE

    def __init__(
        self,
        model: type[BaseSettings],
        overrides: Mapping[str, str],
        environment: Mapping[str, str],
    ) -> None:
        """Check the values; raises UsageError."""
        self.values = {
            key: value
            for written, text in overrides.items()
            for key, value in [_override(written, text, environment)]
        }
        super().__init__(model, nested(self.values))

    def place(self, _key: str) -> str:
        """Name the command line."""
        return "the command line"


class Inside:
    """Knows what lies inside the project or the memory, links resolved.

    `witnesses` holds where each asked path led, so that an answer can be kept.
    """

    def __init__(self, project: Path, memory: Path) -> None:
        """Remember the two folders."""
        self.witnesses: dict[str, str] = {}
        self._roots = (str(project), str(memory))

    def holds(self, entry: str) -> bool:
        """Say whether an entry stays inside.

        A relative one has to, whichever of the two folders it is taken from.
        """
        if entry.startswith("~"):
            return False
        if entry.startswith("/"):
            return any(self._is_below(entry, root) for root in self._roots)
        return all(self._is_below(f"{root}/{entry}", root) for root in self._roots)

    def _is_below(self, path: str, root: str) -> bool:
        real, above = self._real(path), self._real(root)
        return real == above or real.startswith(above.rstrip("/") + "/")

    def _real(self, path: str) -> str:
        return self.witnesses.setdefault(path, os.path.realpath(path))


def variable(key: str) -> str:
    """Name the variable that sets a key."""
    return PREFIX + key.replace(".", DELIMITER).upper()


def nested(values: Mapping[str, object]) -> dict[str, Any]:
    """Turn dotted keys into tables."""
    tables: dict[str, Any] = {}
    for key, value in values.items():
        *sections, name = key.split(".")
        table = tables
        for section in sections:
            table = table.setdefault(section, {})
        table[name] = value
    return tables


def parsed(text: bytes | None) -> tuple[dict[str, Any], str]:
    """Parse TOML, and say what is wrong with it; what cannot be parsed is empty."""
    if text is None:
        return {}, ""
    try:
        return tomllib.loads(text.decode("utf-8-sig")), ""
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        return {}, f"line {line} is not UTF-8"
    except (ValueError, RecursionError) as error:
        # A number of 5,000 digits is a ValueError of another kind.
        reason = shown(str(error)) or type(error).__name__
        return {}, f"it is not valid TOML: {reason}"


def _override(
    written: str, text: str, environment: Mapping[str, str]
) -> tuple[str, object]:
    key = spelling.meant(written)
    if not key:
        raise UsageError(
            f"There is no setting {shown(written)}.",
            "`gitmem settings` lists all of them.",
        )
    value = listed(text) if get_origin(KEYS[key].type) is tuple else text
    try:
        return key, checked(key, value, environment)
    except Disallowed as error:
        message = f"{key} = {safe(text)} cannot be used: it must be {error}."
        raise UsageError(message) from error
