"""Load the settings once for a command or session: files, environment, command line.

The only reader of settings files, and with `process` the only one of the environment.
"""

import os
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from gitmem.errors import SettingsError
from gitmem.settings import reading, record, snapshot
from gitmem.settings.folders import (
    Folders,
    config_file,
    folders,
    repository_folder,
)
from gitmem.settings.model import Settings
from gitmem.settings.record import Built
from gitmem.settings.report import Loaded, Problem, ProblemKind, Refusal

PROJECT_FILE: Final = ".gitmem.toml"
# Of projects that one process works for.
KEPT_AT_MOST: Final = 50


def load(
    cwd: Path,
    *,
    project_root: Path | None = None,
    overrides: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    kept: MutableMapping[str, Built] | None = None,
) -> Loaded:
    """Load the settings that hold in a project; without a root, `cwd` is the project.

    `overrides` come from the command line by dotted key. What is wrong in a file or a
    variable is reported in the result and costs only its own key; UsageError is raised
    for a wrong override, SettingsError for a GITMEM_HOME that is no place. Whoever goes
    on to work calls `require_readable`. A process that loads again and again gives
    `kept`, in which each result is found by all that it was made of.
    """
    variables = os.environ if environment is None else environment
    own = folders(variables)
    source = _read(own, project_root or cwd)
    known = {} if kept is None else kept
    built = _built(own, source, variables, overrides or {}, known)
    return _loaded(own, source, built)


def require_readable(loaded: Loaded) -> None:
    """Refuse to work without what the person wrote. Raises SettingsError."""
    if loaded.broken is not None:
        raise SettingsError(
            str(loaded.broken),
            "Mend that file, or move it away; `gitmem doctor` tells more.",
        )


@dataclass(frozen=True)
class _Source:
    config: Path
    config_text: bytes | None
    project: Path
    project_text: bytes | None
    refused: tuple[Refusal, ...]
    problems: tuple[Problem, ...]


def _read(own: Folders, root: Path) -> _Source:
    config, project = config_file(own), root.absolute() / PROJECT_FILE
    config_text, trouble = reading.read_config(str(config))
    project_text, offence = reading.read_project(str(project))
    problem = Problem(ProblemKind.BROKEN_FILE, str(config), "", "", trouble)
    refusal = Refusal(str(project), "", "", offence)
    return _Source(
        config,
        config_text,
        project,
        project_text,
        (refusal,) if offence else (),
        (problem,) if trouble else (),
    )


def _loaded(own: Folders, source: _Source, built: Built) -> Loaded:
    return Loaded(
        built.settings,
        own,
        built.origins,
        (*source.refused, *built.refused),
        (*source.problems, *built.problems),
    )


def _built(
    own: Folders,
    source: _Source,
    environment: Mapping[str, str],
    overrides: Mapping[str, str],
    known: MutableMapping[str, Built],
) -> Built:
    if overrides:
        return _build(own, source, environment, overrides)
    cache = str(own.cache)
    person = snapshot.person_key(str(own.config), source.config_text, environment)
    project = os.fsencode(source.project)
    is_there = b"absent" if source.project_text is None else b"there"
    key = snapshot.digest(
        [person.encode(), project, is_there, source.project_text or b""]
    )
    if (built := known.get(key)) and _still_leads(built.witnesses):
        return built
    if len(known) >= KEPT_AT_MOST:
        known.clear()
    name = snapshot.digest([project])[:16]
    kept = snapshot.fetch(cache, name, key)
    if kept and (built := record.from_bytes(kept)) and _still_leads(built.witnesses):
        known[key] = built
        return built
    built = _witnessed(_build(own, source, environment, {}))
    known[key] = built
    snapshot.keep(cache, name, key, record.to_bytes(built))
    # The quick answer can tell of no mistake, and must not be given beside one.
    if not _loaded(own, source, built).mistakes:
        snapshot.keep_glance(cache, person, _glance(own, built.settings))
    return built


def _witnessed(built: Built) -> Built:
    """Note where the memory's path led: its state folder goes by that."""
    path = str(built.settings.memory_dir.local_path)
    led = {path: os.path.realpath(path)}
    return replace(built, witnesses={**built.witnesses, **led})


def _glance(own: Folders, settings: Settings) -> list[str]:
    path = settings.memory_dir.local_path
    return [
        str(path),
        os.path.realpath(path),
        str(repository_folder(own.state, path)),
        settings.memory_dir.repo_url or "",
        settings.sync.branch,
        repr(settings.sync.fetch_ttl),
    ]


def _build(
    own: Folders,
    source: _Source,
    environment: Mapping[str, str],
    overrides: Mapping[str, str],
) -> Built:
    from gitmem.settings.build import Read, build  # pydantic: 150 ms

    return build(
        Read(
            source.config,
            source.config_text,
            source.project,
            source.project_text,
            environment,
            overrides,
            own.data / "memory",
        )
    )


def _still_leads(witnesses: Mapping[str, str]) -> bool:
    return all(os.path.realpath(path) == real for path, real in witnesses.items())
