"""Build the settings from their sources with pydantic-settings.

Slow (150 ms), and therefore only imported when no snapshot holds. Each source is
cleaned by itself, so that a wrong value costs its own key and nothing else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, Final, cast

from pydantic import ConfigDict, Field, create_model
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from gitmem.settings.cleaning import Cleaner, Findings
from gitmem.settings.model import Settings
from gitmem.settings.record import Built, assembled, flattened
from gitmem.settings.report import Origin, OriginKind
from gitmem.settings.sources import (
    CommandLine,
    ConfigFile,
    Default,
    Inside,
    Layer,
    ProjectFile,
    Variables,
    variable,
)

_LOCAL_PATH: Final = "memory_dir.local_path"


@dataclass(frozen=True)
class Read:
    """All that settings are made of, read but not understood."""

    config: Path
    config_text: bytes | None
    project: Path
    project_text: bytes | None
    environment: Mapping[str, str]
    overrides: Mapping[str, str]
    default_local_path: Path


def build(read: Read) -> Built:
    """Understand every source, and lay the stronger over the weaker.

    Raises UsageError when the command line itself is wrong.
    """
    findings = Findings()
    config = ConfigFile(
        _Model, read.config, read.config_text, _cleaner(read, findings, read.config)
    )
    variables = Variables(_Model, Cleaner(variable, read.environment, findings))
    command_line = CommandLine(_Model, read.overrides, read.environment)
    person = {**config.values, **variables.values, **command_line.values}
    memory = person.get(_LOCAL_PATH, read.default_local_path)
    inside = Inside(read.project.parent, cast("Path", memory))
    project = ProjectFile(
        _Model,
        read.project,
        read.project_text,
        _cleaner(read, findings, read.project),
        config.values,
        inside,
    )
    default = Default(_Model, {_LOCAL_PATH: read.default_local_path})
    layers = (default, config, project, variables, command_line)
    values = flattened(_Model(layers=layers))
    return Built(
        assembled(values),
        {key: _origin(key, layers) for key in values},
        tuple(findings.refused),
        tuple(findings.problems),
        inside.witnesses,
    )


def _cleaner(read: Read, findings: Findings, file: Path) -> Cleaner:
    return Cleaner(lambda _key: str(file), read.environment, findings)


def _origin(key: str, layers: Sequence[Layer]) -> Origin:
    for layer in reversed(layers):
        if key in layer.values:
            return Origin(layer.kind, layer.place(key))
    return Origin(OriginKind.DEFAULT, "")


def _definitions(section: type) -> dict[str, Any]:
    """Describe a section to pydantic, so that there is one table of keys."""
    found: dict[str, Any] = {}
    for item in fields(section):
        name = item.name.rstrip("_")
        if is_dataclass(item.type):
            kind = cast("type", item.type)
            inner = create_model(
                kind.__name__,
                __config__=ConfigDict(extra="forbid"),
                **_definitions(kind),
            )
            found[name] = (inner, Field(default_factory=inner))
        else:
            found[name] = (item.type, ... if item.default is MISSING else item.default)
    return found


class _Layered(BaseSettings):
    """Takes its sources as the argument `layers`, the weakest first."""

    model_config = SettingsConfigDict(extra="forbid")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        *_: PydanticBaseSettingsSource,
        **__: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Give the layers of this one build, the strongest first."""
        del settings_cls
        arguments = cast("InitSettingsSource", init_settings).init_kwargs
        return tuple(reversed(arguments["layers"]))


_Model: Final[type[BaseSettings]] = create_model(
    "Settings", __base__=_Layered, **_definitions(Settings)
)
