"""Build the settings from their sources with pydantic-settings.

Slow (150 ms), and therefore only imported when no snapshot holds. Each source is
cleaned by itself, so that a wrong value costs its own key and nothing else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import ConfigDict, create_model
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from gitmem.settings.cleaning import Cleaner, Findings
from gitmem.settings.model import Settings
from gitmem.settings.record import Built, assembled, flattened
from gitmem.settings.report import Origin, OriginKind
from gitmem.settings.sources import (
    CommandLine,
    ConfigFile,
    Inside,
    Layer,
    ProjectFile,
    Variables,
    variable,
)


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
    model = _model(read.default_local_path)
    config = ConfigFile(
        model, read.config, read.config_text, _cleaner(read, findings, read.config)
    )
    variables = Variables(model, Cleaner(variable, read.environment, findings))
    command_line = CommandLine(model, read.overrides, read.environment)
    person = {**config.values, **variables.values, **command_line.values}
    memory = person.get("memory_dir.local_path", read.default_local_path)
    inside = Inside(read.project.parent, cast("Path", memory))
    project = ProjectFile(
        model,
        read.project,
        read.project_text,
        _cleaner(read, findings, read.project),
        config.values,
        inside,
    )
    layers = (config, project, variables, command_line)
    values = flattened(_layered(model, layers)())
    return Built(
        assembled(values),
        {key: _origin(key, layers) for key in values},
        findings.refused(),
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


def _layered(model: type[BaseSettings], layers: Sequence[Layer]) -> type[BaseSettings]:
    """Make the model whose sources are these layers, the weakest first."""

    class Layered(model):  # type: ignore[valid-type,misc]  # made at run time
        @classmethod
        def settings_customise_sources(
            cls, *_: object, **__: object
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return tuple(cast("Any", layer) for layer in reversed(layers))

    return Layered


def _model(default_local_path: Path) -> type[BaseSettings]:
    """Make a pydantic model of the dataclasses, so that there is one table of keys."""
    definitions = _definitions(Settings, default_local_path)
    config = ConfigDict(extra="forbid")
    base = type("Base", (BaseSettings,), {"model_config": config})
    return create_model("SettingsModel", __base__=base, **definitions)


def _definitions(section: type, default_local_path: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for item in fields(section):
        name = item.name.rstrip("_")
        if is_dataclass(item.type):
            inner = create_model(
                cast("type", item.type).__name__,
                __config__=ConfigDict(extra="forbid"),
                **_definitions(cast("type", item.type), default_local_path),
            )
            found[name] = (inner, inner())
        elif item.name == "local_path":
            found[name] = (item.type, default_local_path)
        else:
            found[name] = (item.type, item.default)
    return found
