"""The values that other rooms hold: a memory, and what is odd about its file."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any, TypeAlias

# What frontmatter reads as: texts, lists of them, mappings by name, nested.
Value: TypeAlias = "str | list[Value] | dict[str, Value]"


class Severity(StrEnum):
    """How much of a file a problem hides."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Problem:
    """One oddity of a file; `line` counts from 1, `code` is listed in the reference."""

    line: int
    code: str
    message: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory as its head describes it; every scalar in `fields` is text."""

    path: PurePosixPath
    layer: str
    description: str
    tags: tuple[str, ...]
    created: str
    updated: str
    fields: Mapping[str, Any]
    title: str
    problems: tuple[Problem, ...]


def field_value(fields: Mapping[str, Any], name: str) -> Value:
    """Return a field, looked for under `metadata:` too; nothing is an empty text."""
    metadata = fields.get("metadata")
    inner = metadata if isinstance(metadata, Mapping) else {}
    return fields.get(name) or inner.get(name) or ""
