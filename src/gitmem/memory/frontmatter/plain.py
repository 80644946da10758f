"""Read the plainest frontmatter without a YAML parser, or decline.

What is accepted here reads the same under YAML (a property test holds it to that);
everything else, however harmless, is left to the parser.
"""

import re
from typing import Final

_ODD: Final = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_TEXT: Final = rf"\w(?:[^{_ODD}\x20:#]|:(?=\w)|(?<=\w)\#|\x20(?![\x20\n#]|\Z))*"
_ITEM: Final = r"\w[\w./+-]*(?:\x20[\w./+-]+)*"
_FIELD: Final = re.compile(
    r"([A-Za-z_][A-Za-z0-9_-]{0,63}):"
    rf"(?:\x20({_TEXT})|\x20\"([^{_ODD}\"\\]*)\"|\x20'([^{_ODD}']*)'"
    rf"|\x20(\[(?:{_ITEM}(?:,\x20?{_ITEM})*)?\])"
    rf"|((?:\n(?:\x20\x20)?-\x20{_ITEM})+))?\n"
)
_TEXT_GROUP, _FLOW_GROUP, _BLOCK_GROUP = 2, 5, 6
NULLS: Final = frozenset({"null", "Null", "NULL", "~"})


def read(text: str) -> dict[str, object] | None:
    """Read `key: value` lines and flat lists; None when there is anything else."""
    fields: dict[str, object] = {}
    position = count = 0
    while field := _FIELD.match(text, position):
        fields[field[1]] = _value(field)
        position = field.end()
        count += 1
    return fields if position == len(text) and count == len(fields) else None


def _value(field: re.Match[str]) -> object:
    kind = field.lastindex or 1
    text = field[kind]
    if kind == _TEXT_GROUP:
        return "" if text in NULLS else text
    if kind == _FLOW_GROUP:
        items = text[1:-1].split(",") if text != "[]" else []
        return [_item(item.strip(" ")) for item in items]
    if kind == _BLOCK_GROUP:
        return _block_items(text)
    return "" if kind == 1 else text


def _block_items(text: str) -> list[str]:
    return [_item(line.lstrip(" ")[2:]) for line in text[1:].split("\n")]


def _item(text: str) -> str:
    return "" if text in NULLS else text
