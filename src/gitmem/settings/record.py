"""Turn settings into flat values and back, and a whole load into bytes and back."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from gitmem.settings.model import Settings, keys
from gitmem.settings.report import Origin, OriginKind, Problem, ProblemKind, Refusal

_T = TypeVar("_T")


@dataclass(frozen=True)
class Built:
    """What the files, the variables and the command line came to.

    `witnesses` are paths, each with where it led when a project's wish was judged.
    """

    settings: Settings
    origins: Mapping[str, Origin]
    refused: tuple[Refusal, ...]
    problems: tuple[Problem, ...]
    witnesses: Mapping[str, str]


def assembled(values: Mapping[str, object]) -> Settings:
    """Make settings of one value for each dotted key."""
    return _section(Settings, values, "")


def flattened(settings: object) -> dict[str, object]:
    """List the values of settings by dotted key."""
    return {key.dotted: _value(settings, key.dotted) for key in keys()}


def to_bytes(built: Built) -> bytes:
    """Write down a load, for a snapshot."""
    record = {
        "settings": flattened(built.settings),
        "origins": {key: asdict(origin) for key, origin in built.origins.items()},
        "refused": [asdict(refusal) for refusal in built.refused],
        "problems": [asdict(problem) for problem in built.problems],
        "witnesses": dict(built.witnesses),
    }
    return json.dumps(record, default=os.fspath).encode()


def from_bytes(data: bytes) -> Built | None:
    """Read a load back; None when it was made by another program or is stale."""
    try:
        return _built(json.loads(data))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _built(record: dict[str, Any]) -> Built:
    values = record["settings"]
    return Built(
        assembled({key.dotted: _typed(key.type, values[key.dotted]) for key in keys()}),
        {key: _origin(origin) for key, origin in record["origins"].items()},
        tuple(Refusal(**refusal) for refusal in record["refused"]),
        tuple(_problem(problem) for problem in record["problems"]),
        record["witnesses"],
    )


def _typed(kind: object, value: object) -> object:
    if kind is Path:
        return Path(cast("str", value))
    return tuple(value) if isinstance(value, list) else value


def _origin(origin: dict[str, str]) -> Origin:
    return Origin(OriginKind(origin["kind"]), origin["place"])


def _problem(problem: dict[str, Any]) -> Problem:
    return Problem(**{**problem, "kind": ProblemKind(problem["kind"])})


def _section(section: type[_T], values: Mapping[str, object], prefix: str) -> _T:
    found: dict[str, object] = {}
    for item in fields(cast("Any", section)):
        dotted = prefix + item.name.rstrip("_")
        if is_dataclass(item.type):
            found[item.name] = _section(cast("type", item.type), values, f"{dotted}.")
        else:
            found[item.name] = values[dotted]
    return section(**found)


def _value(settings: object, dotted: str) -> object:
    found = settings
    for name in dotted.split("."):
        # `global` is a word of Python's own.
        found = (
            getattr(found, name) if hasattr(found, name) else getattr(found, f"{name}_")
        )
    return found
