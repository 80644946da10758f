"""Keep one table in a TOML file of a person's; pure.

The host writes into the same file whenever it likes, in front of what stands last.
So nothing marks where the table ends: it is known by its keys.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gitmem.hosts.tomltext import Kind, Statement, load, statements

_NOTE: Final = "# Written by `gitmem host install`, which keeps these keys up to date."
_TAKEN: Final = "it has a table of that name already"
_CALL: Final = ["-m", "gitmem", "mcp"]


@dataclass(frozen=True, slots=True)
class Table:
    """Some keys of a table, and while they are there the whole table.

    What else the person or the host sets in it stays as long as it does.
    """

    path: Path
    keys: tuple[str, ...]
    values: Mapping[str, Any]

    def apply(self, text: str) -> str:
        """Add the table, or bring its keys up to date."""
        held = _held(load(text, "it is not valid TOML"), self.keys)
        found = list(statements(text))
        at = self._header(found)
        if held is None:
            done = text + self._whole(text)
        elif at is None or not (_is_noted(found, at) or _is_a_call(held)):
            raise ValueError(_TAKEN)
        else:
            done = "".join(self._renewed(found, at, held, _newline(text)))
        load(done, _TAKEN)
        return done

    def revoke(self, text: str, original: str | None) -> str:
        """Remove the table and those below it; comments of the person's stay."""
        if self.keys[-1] not in text:
            return text
        load(text, "it is not valid TOML")
        found = list(statements(text))
        at = self._header(found)
        if at is None or (original is None and not _is_noted(found, at)):
            return text
        out = "".join(self._left(found, original))
        if original is not None and out.rstrip("\r\n") == original.rstrip("\r\n"):
            return original
        return out.lstrip("\r\n") if original == "" else out

    def _header(self, found: Sequence[Statement]) -> int | None:
        for at, each in enumerate(found):
            if each.kind is Kind.HEADER and each.keys == self.keys:
                return at
        return None

    def _whole(self, text: str) -> str:
        newline = _newline(text)
        gap = newline if text.endswith("\n") else newline * 2
        pairs = [f"{key} = {_written(each)}" for key, each in self.values.items()]
        lines = [_NOTE, f"[{'.'.join(self.keys)}]", *pairs, ""]
        return (gap if text else "") + newline.join(lines)

    def _renewed(
        self, found: Sequence[Statement], at: int, held: Mapping[str, Any], newline: str
    ) -> Iterator[str]:
        """Give the text anew, with our keys in their places or behind the header."""
        is_inside = False
        for place, each in enumerate(found):
            if each.kind is Kind.HEADER:
                is_inside = place == at
            [key] = each.keys if each.kind is Kind.PAIR else [""]
            is_old = is_inside and key in self.values and held[key] != self.values[key]
            pair = f"{key} = {_written(self.values[key])}" if is_old else ""
            yield each.text.replace(each.body, pair, 1) if is_old else each.text
            if place == at:
                missing = [name for name in self.values if name not in held]
                lead = "" if each.text.endswith("\n") else newline
                yield lead if missing else ""
                for name in missing:
                    yield f"{name} = {_written(self.values[name])}{newline}"

    def _left(self, found: Sequence[Statement], original: str | None) -> Iterator[str]:
        """Give the text without the table, and without the blank line above it."""
        gone: set[int] = set()
        is_inside = False
        for at, each in enumerate(found):
            if each.kind is Kind.HEADER:
                is_inside = each.keys[: len(self.keys)] == self.keys
                if is_inside:
                    gone |= _above(found, at, is_set_apart=original != "")
            if is_inside and each.kind in {Kind.HEADER, Kind.PAIR}:
                gone.add(at)
        yield from (each.text for at, each in enumerate(found) if at not in gone)


def _above(found: Sequence[Statement], at: int, *, is_set_apart: bool) -> set[int]:
    """Name the note above a header, and the blank line above that."""
    gone: set[int] = set()
    if _is_noted(found, at):
        at -= 1
        gone.add(at)
    if is_set_apart and at > 0 and found[at - 1].kind is Kind.BLANK:
        gone.add(at - 1)
    return gone


def _is_noted(found: Sequence[Statement], at: int) -> bool:
    return at > 0 and found[at - 1].text.strip() == _NOTE


def _is_a_call(held: object) -> bool:
    """Say whether a table runs a gitmem as an install would have it."""
    if not isinstance(held, dict):
        return False
    command, arguments = held.get("command"), held.get("args")
    is_absolute = isinstance(command, str) and command.startswith("/")
    if not (is_absolute and isinstance(arguments, list)):
        return False
    is_script = Path(str(command)).name == "gitmem" and arguments == ["mcp"]
    return is_script or arguments[-len(_CALL) :] == _CALL


def _held(document: Any, keys: tuple[str, ...]) -> Any:  # noqa: ANN401  any table
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _written(value: object) -> str:
    # What JSON writes of numbers, texts and lists of them, TOML reads; one character
    # it wants escaped that JSON does not.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
