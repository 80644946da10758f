"""Read the plainest frontmatter without a YAML parser, or decline.

What is accepted here reads the same under YAML (a property test holds it to that);
everything else, however harmless, is left to the parser, which takes twice as long.
"""

import re
from typing import Final

from gitmem.memory.memory import Value

_ODD: Final = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_NAME: Final = r"[A-Za-z_][A-Za-z0-9_-]{0,63}"
# Runs of what needs no second look: a choice for every character takes twice as long.
_RUN: Final = rf"[^{_ODD}\x20:#]*"
_JOINT: Final = r":(?=[\w/])|(?<=\w)\#|\x20(?![\x20\n#]|\Z)"
_TEXT: Final = rf"\w{_RUN}(?:(?:{_JOINT}){_RUN})*"
_DOUBLE: Final = rf"\"[^{_ODD}\"\\]*(?:\\[\"\\][^{_ODD}\"\\]*)*\""
_SINGLE: Final = rf"'[^{_ODD}']*(?:''[^{_ODD}']*)*'"
_SCALAR: Final = rf"{_TEXT}|{_DOUBLE}|{_SINGLE}"
_ITEM: Final = r"\w[\w./+-]*(?:\x20[\w./+-]+)*"
_COMMENT: Final = rf"\#[^{_ODD}]*"
_BETWEEN: Final = re.compile(rf"(?:(?:{_COMMENT})?\n)*")
_FIELD: Final = re.compile(
    rf"(?:(?:{_COMMENT})?\n)*({_NAME}):(?:\x20({_SCALAR})"
    rf"|\x20(\[(?:{_ITEM}(?:,\x20?{_ITEM})*)?\])"
    rf"|((?:\n\x20\x20-\x20{_ITEM})+|(?:\n-\x20{_ITEM})+)"
    rf"|((?:\n\x20\x20{_NAME}:\x20(?:{_SCALAR}))+))?"
    rf"(?:\x20{{1,9}}{_COMMENT})?\n"
)
_INNER_NAME: Final = re.compile(rf"\n\x20\x20({_NAME}):")
_NO_VALUE, _TEXT_VALUE, _FLOW_LIST, _BLOCK_LIST, _MAPPING = 1, 2, 3, 4, 5
NULLS: Final = frozenset({"null", "Null", "NULL", "~"})


def read(text: str) -> dict[str, Value] | None:
    """Read texts, flat lists and flat mappings; None when there is anything else."""
    found: list[re.Match[str]] = []
    position = 0
    while field := _FIELD.match(text, position):
        found.append(field)
        position = field.end()
    if not _BETWEEN.fullmatch(text, position):
        return None
    fields = {field[1]: _value(field) for field in found}
    return fields if len(fields) == len(found) and _has_unique_names(found) else None


def _has_unique_names(found: list[re.Match[str]]) -> bool:
    mappings = (field[_MAPPING] for field in found if field.lastindex == _MAPPING)
    names = [_INNER_NAME.findall(mapping) for mapping in mappings]
    return all(len(set(inner)) == len(inner) for inner in names)


def _value(field: re.Match[str]) -> Value:
    kind = field.lastindex or _NO_VALUE
    if kind == _NO_VALUE:
        return ""
    written = field[kind]
    if kind == _TEXT_VALUE:
        return _scalar(written)
    if kind == _FLOW_LIST:
        items = written[1:-1].split(",") if written != "[]" else []
        return [_scalar(item.strip(" ")) for item in items]
    lines = written[1:].split("\n")
    if kind == _BLOCK_LIST:
        return [_scalar(line.lstrip(" ")[2:]) for line in lines]
    pairs = [line[2:].split(": ", 1) for line in lines]
    return {name: _scalar(value) for name, value in pairs}


def _scalar(written: str) -> str:
    if written[0] == '"':
        text = written[1:-1]
        return re.sub(r"\\(.)", r"\1", text) if "\\" in text else text
    if written[0] == "'":
        return written[1:-1].replace("''", "'")
    return "" if written in NULLS else written
