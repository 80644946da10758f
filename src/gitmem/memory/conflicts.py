"""Recognise what an unsettled merge leaves: conflict copies and markers; pure."""

import os
import re
from pathlib import PurePosixPath
from typing import Final

from gitmem.files.names import NAME_LIMIT_BYTES

_COPY: Final = re.compile(
    r"(?P<stem>.+)\.conflict-(?P<mark>[0-9a-f]{6,64})(?P<suffix>\.[^.]+)?"
)
_MARKER: Final = re.compile(rb"^([<=>])\1{6}(?=[ \r]|$)", re.MULTILINE)


def is_copy(path: PurePosixPath) -> bool:
    """Tell whether a file holds the other side of a conflict."""
    return _COPY.fullmatch(path.name) is not None


def original(path: PurePosixPath) -> PurePosixPath:
    """Give the file that a conflict copy belongs to; itself when it is none."""
    copy = _COPY.fullmatch(path.name)
    return path.with_name(copy["stem"] + (copy["suffix"] or "")) if copy else path


def copy_of(path: PurePosixPath, mark: str) -> PurePosixPath:
    """Name the conflict copy of a file; `mark` is a short hash of its text."""
    ending = f".conflict-{mark}{path.suffix}"
    room = NAME_LIMIT_BYTES - len(os.fsencode(ending))
    stem = os.fsencode(path.stem)[:room].decode("utf-8", "ignore")
    return path.with_name(f"{stem}{ending}")


def marker_line(data: bytes) -> int:
    """Give the line on which a conflict that Git marked begins; 0 without one.

    All three marks must be there in order: a line of seven equals signs alone is a
    heading in Markdown.
    """
    opened, is_divided = -1, False
    for mark in _MARKER.finditer(data):
        kind = mark.group()[:1]
        if kind == b"<":
            opened, is_divided = mark.start(), False
        elif kind == b"=":
            is_divided = opened >= 0
        elif is_divided:
            return data.count(b"\n", 0, opened) + 1
    return 0
