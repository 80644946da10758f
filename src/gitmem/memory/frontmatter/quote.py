"""Write a value so that YAML 1.1 and YAML 1.2 both read the same text back."""

import re
from typing import Final

from gitmem.memory.memory import Value

_ODD: Final = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_PLAIN: Final = re.compile(
    rf"[^\W\d_](?:[^{_ODD}\xa0\x20:#]|:(?=[\w/])|(?<=\w)\#|\x20(?![\x20#]|\Z))*"
)
_PLAIN_IN_FLOW: Final = re.compile(r"[^\W\d_][\w./+-]*(?:\x20[\w./+-]+)*")
_SPECIAL: Final = re.compile(rf"[{_ODD}\"\\]")
_NAMED: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t", '"': r"\"", "\\": r"\\"}
# https://yaml.org/type/bool.html: what YAML 1.1 reads as something else than text.
_WORDS: Final = frozenset(("y", "yes", "n", "no", "on", "off", "true", "false", "null"))


def value(new: Value) -> str:
    """Write a text, a list or a mapping on one line."""
    if isinstance(new, str):
        return text(new)
    return _flow(new)


def text(new: str, style: str = "") -> str:
    """Write a text on one line, in the style found (' or ") where that can hold it."""
    if style == "'" and not _SPECIAL.search(new.replace('"', "").replace("\\", "")):
        return "'" + new.replace("'", "''") + "'"
    if not style and _PLAIN.fullmatch(new) and new.casefold() not in _WORDS:
        return new
    return '"' + _SPECIAL.sub(_escaped, new) + '"'


def key(name: str) -> str:
    """Write the name of a field."""
    is_plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", name)
    return name if is_plain and name.casefold() not in _WORDS else text(name, '"')


def item(new: Value) -> str:
    """Write one entry of a list, which may be read inside brackets."""
    if not isinstance(new, str):
        return _flow(new)
    is_plain = _PLAIN_IN_FLOW.fullmatch(new) and new.casefold() not in _WORDS
    return new if is_plain else text(new, '"')


def _flow(new: list[Value] | dict[str, Value]) -> str:
    if isinstance(new, dict):
        pairs = (f"{key(name)}: {item(part)}" for name, part in new.items())
        return "{" + ", ".join(pairs) + "}"
    return "[" + ", ".join(item(part) for part in new) + "]"


def _escaped(match: re.Match[str]) -> str:
    character = match.group()
    if "\ud800" <= character <= "\udfff":
        return "\N{REPLACEMENT CHARACTER}"
    return _NAMED.get(character) or f"\\u{ord(character):04x}"
