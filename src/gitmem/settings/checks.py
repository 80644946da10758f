"""Decide what may be written for a setting whose type does not say it all; pure.

Each check takes what was written and returns the value, or raises Disallowed. A leading
`~` was replaced before.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, get_args, get_origin
from urllib.parse import urlsplit

from gitmem.files import names
from gitmem.settings.model import HOUR, MINUTE, Key

LAYER_DEFAULT: Final = "global"
HOURS_COUNT: Final = 2
MOST_HOURS: Final = 24 * 366
_DURATION: Final = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)
_UNITS: Final = {
    **dict.fromkeys(("", "s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), MINUTE),
    **dict.fromkeys(("h", "hour", "hours"), HOUR),
    **dict.fromkeys(("d", "day", "days"), 24 * HOUR),
    "ms": 0.001,
}
_MACHINE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
_MODEL: Final = re.compile(r"[a-z][a-z0-9_.-]*:[^\s:][^\s]*")
# https://git-scm.com/docs/git-check-ref-format
_NOT_IN_BRANCH: Final = re.compile(
    r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|//|@\{|/[.-]|^[-./]|[./]$|\.lock(/|$)|^@$"
)


class Disallowed(ValueError):
    """The value is not one that may be written there."""


def allowed(key: Key) -> str:
    """Say in words what may be written for a setting."""
    words = ALLOWED.get(key.knob.kind) or _by_type(key.type)
    low, high = key.knob.at_least, key.knob.at_most
    if key.knob.kind == "duration":
        return words if low is None else f"{words}, at least {low:g} s"
    return words if low is None else f"{words} from {low:,g} to {high:,.0f}"


def duration(value: object) -> float:
    """Read seconds from a number, or from a text with a unit."""
    if isinstance(value, str) and (match := _DURATION.fullmatch(value)):
        number, unit = match.groups()
        seconds = float(number) * _UNITS.get(unit.lower(), math.nan)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        seconds = _as_float(value)
    else:
        seconds = math.nan
    if not math.isfinite(seconds) or seconds < 0:
        raise Disallowed
    return seconds


def duration_text(seconds: float) -> str:
    """Spell seconds so that `duration` reads the same number again."""
    for unit, name in ((HOUR, "h"), (MINUTE, "min")):
        if seconds >= unit and seconds % unit == 0:
            return f"{seconds / unit:.0f} {name}"
    return f"{seconds:f}".rstrip("0").removesuffix(".") + "s"


def layer(value: object) -> str | None:
    """Read the name of the shared layer: the last part of a path, or none."""
    if value == "":
        return None
    if not isinstance(value, str):
        raise Disallowed
    name = value.strip().rstrip("/").rpartition("/")[2].strip()
    if name in {"", ".", ".."}:
        return LAYER_DEFAULT
    plain = unicodedata.normalize("NFKC", name).casefold()
    if plain == "tape" or plain.startswith(".") or names.refusal(name):
        raise Disallowed
    return name


def folder(value: object) -> Path:
    """Read an absolute path."""
    text = _text(value)
    if not text.startswith("/"):
        raise Disallowed
    return Path(text)


def model_folder(value: object) -> str | None:
    """Read an absolute path, or none."""
    return None if value == "" else str(folder(value))


def place(value: object) -> Path:
    """Read a path that is absolute, or stays below the memory repository."""
    path = Path(_text(value))
    if not path.parts or ".." in path.parts:
        raise Disallowed
    return path


def folders(value: object) -> tuple[str, ...]:
    """Read a list of absolute paths."""
    return tuple(str(folder(item)) for item in _list(value))


def texts(value: object) -> tuple[str, ...]:
    """Read a list of short texts."""
    return tuple(_text(item) for item in _list(value))


def text(value: object) -> str:
    """Read one line of text, which may be empty."""
    return "" if value == "" else _text(value)


def hours(value: object) -> tuple[int, int]:
    """Read two growing numbers of hours."""
    written = [_whole(item) for item in _list(value)]
    if len(written) != HOURS_COUNT or not (0 < written[0] <= written[1] <= MOST_HOURS):
        raise Disallowed
    return written[0], written[1]


def url(value: object) -> str | None:
    """Read a Git remote; which transports are allowed is decided where Git is run."""
    if value == "":
        return None
    remote = _text(value)
    if remote.startswith("-") or remote != remote.strip():
        raise Disallowed
    return remote


def http(value: object) -> str | None:
    """Read the address of a server."""
    if value == "":
        return None
    address = _text(value)
    try:
        parts = urlsplit(address)
    except ValueError as error:
        raise Disallowed from error
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise Disallowed
    return address


def branch(value: object) -> str:
    """Read the name of a branch by Git's own rules."""
    name = _text(value)
    if _NOT_IN_BRANCH.search(name):
        raise Disallowed
    return name


def machine(value: object) -> str | None:
    """Read a machine's name, which also names a file."""
    if value == "":
        return None
    name = _text(value)
    if not _MACHINE.fullmatch(name) or names.refusal(name):
        raise Disallowed
    return name


def model(value: object) -> str | None:
    """Read the name of a model."""
    if value == "":
        return None
    name = _text(value)
    if not _MODEL.fullmatch(name):
        raise Disallowed
    return name


def _by_type(kind: object) -> str:
    if get_origin(kind) is Literal:
        return " or ".join(f'"{name}"' for name in get_args(kind))
    if get_origin(kind) is tuple:
        return "a list of " + _by_type(get_args(kind)[0]).replace(" or ", ", ")
    if kind is bool:
        return "true or false"
    return "a whole number" if kind is int else "a number"


def _text(value: object) -> str:
    if not isinstance(value, str) or not value or not value.isprintable():
        raise Disallowed
    return value


def _list(value: object) -> list[object] | tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise Disallowed
    return value


def _whole(value: object) -> int:
    if isinstance(value, str) and value.strip().isdecimal():
        return _whole(_as_int(value))
    if isinstance(value, bool) or not isinstance(value, int):
        raise Disallowed
    return value


def _as_int(value: str) -> int:
    # Python refuses to read more than 4,300 digits; nobody means that many hours.
    return int(value[:9])


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


CHECKS: Final[Mapping[str, Callable[[object], object]]] = MappingProxyType(
    {
        "duration": duration,
        "layer": layer,
        "folder": folder,
        "folders": folders,
        "model-folder": model_folder,
        "place": place,
        "texts": texts,
        "text": text,
        "hours": hours,
        "url": url,
        "http": http,
        "branch": branch,
        "machine": machine,
        "model": model,
    }
)
ALLOWED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "duration": 'seconds, or a text like "30s", "15 min", "12h"; ten years at most',
        "layer": "a plain folder name, not `tape` and not beginning with a dot",
        "folder": "an absolute path, or one from ~/",
        "folders": "a list of absolute paths, or paths from ~/",
        "model-folder": "an absolute path, or one from ~/",
        "place": "a path without `..`, absolute, from ~/, or below the memory",
        "texts": "a list of texts, each one line and not empty",
        "text": "one line of text",
        "hours": "two whole numbers of hours within a year, the second not smaller",
        "url": "the URL or path of a Git remote",
        "http": "a URL that begins with https:// or http://",
        "branch": "a branch name that Git accepts",
        "machine": "up to 63 letters, digits, dots, dashes or underscores",
        "model": "a model as provider:name",
    }
)
