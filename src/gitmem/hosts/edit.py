"""The kinds of edit that putting gitmem into a host is made of; pure.

Each is a value that can be written down, done to a text, and taken back from one that
a person changed in the meantime.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from gitmem.hosts import block, jsonedit

_EMPTY: Final = "{}\n"


class Edit(Protocol):
    """One thing that gitmem puts into a file of a host."""

    @property
    def path(self) -> Path:
        """Name the file."""

    def apply(self, text: str) -> str:
        """Have it in the text.

        Raises ValueError where the text cannot be understood.
        """

    def revoke(self, text: str, original: str | None) -> str:
        """Take it out; `original` is what the file held before, if that is known."""


@dataclass(frozen=True, slots=True)
class Member:
    """A value under these keys of a JSON document.

    One that `is_shared` means something without gitmem, too, and may be the person's.
    """

    path: Path
    keys: tuple[str, ...]
    value: Any
    is_shared: bool = False

    def apply(self, text: str) -> str:
        """Set it."""
        return jsonedit.put(_document(text), self.keys, self.value)

    def revoke(self, text: str, original: str | None) -> str:
        """Remove it, or put back what stood there."""
        if self.is_shared and original is None:
            return text
        return _emptied(jsonedit.drop(_document(text), self.keys, original), original)


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a list in a JSON document, known by a text that it holds."""

    path: Path
    keys: tuple[str, ...]
    value: Any
    mark: str

    def apply(self, text: str) -> str:
        """Add it, or bring it up to date."""
        return jsonedit.put_element(_document(text), self.keys, self.value, self.mark)

    def revoke(self, text: str, original: str | None) -> str:
        """Remove it, and every older one."""
        document = _document(text)
        out = jsonedit.drop_element(document, self.keys, self.mark, original)
        return _emptied(out, original)


@dataclass(frozen=True, slots=True)
class Leftover:
    """A member that the host itself writes because gitmem is there; only taken out."""

    path: Path
    keys: tuple[str, ...]

    def apply(self, text: str) -> str:
        """Leave it to the host."""
        return text

    def revoke(self, text: str, original: str | None) -> str:  # noqa: ARG002
        """Remove it; what it is does not depend on gitmem's edits."""
        around: dict[str, Any] = {}
        for key in reversed(self.keys[:-1]):
            around = {key: around}
        return jsonedit.drop(text, self.keys, json.dumps(around)) if text else text


@dataclass(frozen=True, slots=True)
class Block:
    """Lines between markers in a text file.

    `check` names the format that the file must keep to.
    """

    path: Path
    lines: str
    frame: tuple[str, str]
    check: str = ""

    def apply(self, text: str) -> str:
        """Add the lines, or bring them up to date."""
        done = block.put(text, self.lines, self.frame)
        if self.check == "toml":
            _require_toml(text, "it is not valid TOML")
            _require_toml(done, "it has a table of that name already")
        return done

    def revoke(self, text: str, original: str | None) -> str:
        """Remove the lines."""
        return block.drop(text, original)


@dataclass(frozen=True, slots=True)
class Whole:
    """A file that is gitmem's own from the first byte to the last.

    It holds `mark`; a file in its place that does not is the person's, to which this
    one `yields`, or which is complained of.
    """

    path: Path
    text: str
    mark: str
    yields: bool = False

    def apply(self, text: str) -> str:
        """Write it."""
        if not text or self.mark in text:
            return self.text
        if self.yields:
            return text
        raise ValueError("it is a file of your own")

    def revoke(self, text: str, original: str | None) -> str:  # noqa: ARG002
        """Leave nothing."""
        return "" if self.mark in text else text


def _document(text: str) -> str:
    return text if text.strip() else _EMPTY


def _emptied(text: str, original: str | None) -> str:
    """Make nothing of an empty document where there was nothing."""
    is_new = original is not None and not original.strip()
    return original or "" if is_new and text == _EMPTY else text


def _require_toml(text: str, complaint: str) -> None:
    import tomllib  # rarely needed

    try:
        tomllib.loads(text)
    except ValueError as error:
        raise ValueError(f"{complaint}: {error}") from error
