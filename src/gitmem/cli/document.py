"""Turn values of the program into one JSON document; pure."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, timedelta
from enum import Enum
from pathlib import PurePath
from typing import Any, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def rendered(value: object) -> str:
    """Write a value as JSON in which no character can move a terminal's cursor."""
    text = json.dumps(plain(value), ensure_ascii=False, indent=2)
    return "".join(c if c.isprintable() or c == "\n" else _escaped(c) for c in text)


def plain(value: Any) -> Json:  # noqa: ANN401  whatever a room answers
    """Make lists, mappings and texts of a value."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return _scalar(value)


def _scalar(value: object) -> Json:
    match value:
        case Enum():
            return str(value.value)
        case None | bool() | int() | float() | str():
            return value
        case bytes():
            return value.decode("utf-8", "replace")
        case date():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case PurePath():
            return str(value)
    return str(value)


def _escaped(character: str) -> str:
    return json.dumps(character)[1:-1]
