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
        return jsonedit.put(document(text), self.keys, self.value)

    def revoke(self, text: str, original: str | None) -> str:
        """Remove it, or put back what stood there."""
        if not text.strip() or (self.is_shared and original is None):
            return text
        return emptied(jsonedit.drop(text, self.keys, original), original)


@dataclass(frozen=True, slots=True)
class Element:
    """A text in a list of a JSON document, or an object that names it as its source."""

    path: Path
    keys: tuple[str, ...]
    value: str

    def apply(self, text: str) -> str:
        """Add it, unless it is there in either form."""
        held = jsonedit.elements(document(text), self.keys)
        if any(map(self._is_ours, held)):
            return text
        put = jsonedit.put_element
        return put(document(text), self.keys, self.value, self._is_ours)

    def revoke(self, text: str, original: str | None) -> str:
        """Remove it."""
        if not text.strip():
            return text
        out = jsonedit.drop_element(text, self.keys, self._is_ours, original)
        return emptied(out, original)

    def _is_ours(self, found: object) -> bool:
        source = found.get("source") if isinstance(found, dict) else found
        return source == self.value


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
    """Lines between markers in a text file."""

    path: Path
    lines: str
    frame: tuple[str, str]

    def apply(self, text: str) -> str:
        """Add the lines, or bring them up to date."""
        return block.put(text, self.lines, self.frame)

    def revoke(self, text: str, original: str | None) -> str:
        """Remove the lines; what the person wrote among them stays."""
        return block.drop(text, self.lines, self.frame, original)


@dataclass(frozen=True, slots=True)
class Whole:
    """A file that is gitmem's own from the first byte to the last.

    Another one in its place is the person's: this one `yields` to it, or it is
    complained of; one that holds `mark` is gitmem's, edited by the person.
    """

    path: Path
    text: str
    mark: str = ""
    yields: bool = False

    def apply(self, text: str) -> str:
        """Write it."""
        if not text or self.has_marked(text):
            return self.text
        if self.yields or text == self.text:
            return text
        raise ValueError("it is a file of your own")

    def revoke(self, text: str, original: str | None) -> str:  # noqa: ARG002
        """Leave nothing of it; what is not as it was written stays."""
        return "" if text == self.text else text

    def has_marked(self, text: str) -> bool:
        """Say whether gitmem wrote a text, whatever became of it."""
        return bool(self.mark) and self.mark in text


def document(text: str) -> str:
    """Give an empty document for nothing."""
    return text if text.strip() else _EMPTY


def emptied(text: str, original: str | None) -> str:
    """Make nothing of an empty document where there was nothing."""
    is_new = original is not None and not original.strip()
    return original or "" if is_new and text == _EMPTY else text
