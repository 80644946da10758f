"""Decide whether a file may be committed; pure."""

import re
from dataclasses import dataclass
from typing import Final

from gitmem.errors import PathRefused
from gitmem.files.names import confine
from gitmem.repo.status import GITLINK_MODE, PLAIN_MODES, Entry
from gitmem.secrets import find

_MARKER_LINE: Final = re.compile(rb"^([<=>])\1{6}(?:[ \r].*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rules:
    """What the person allows into a commit."""

    max_file_bytes: int
    secrets: str


def refuse_entry(entry: Entry) -> str:
    """Say why a path may not be committed whatever it holds, or nothing."""
    if entry.disk_mode == GITLINK_MODE:
        return "it is a Git repository of its own; move it out of the memory"
    if entry.disk_mode not in PLAIN_MODES:
        return "it is a link or a special file"
    if entry.path.name == ".gitmodules":
        return "a memory repository has no submodules"
    try:
        confine(str(entry.path))
    except PathRefused as error:
        return error.message
    return ""


def refuse_content(data: bytes, rules: Rules) -> str:
    """Say why these bytes may not be committed, or nothing.

    Never quotes the content: what looks like a secret is named by line and kind.
    """
    if len(data) > rules.max_file_bytes:
        return f"it is larger than {rules.max_file_bytes:,} bytes"
    if line := unsettled_line(data):
        return f"line {line} begins a conflict that is not settled"
    if rules.secrets == "block" and (secrets := find(data)):
        return f"line {secrets[0].line} looks like a secret ({secrets[0].kind})"
    return ""


def unsettled_line(data: bytes) -> int:
    """Find where a conflict that Git wrote into a file begins; 0 if there is none."""
    begin = 0
    wanted = b"<"
    for found in _MARKER_LINE.finditer(data):
        if found[1] == b"<":
            begin, wanted = found.start(), b"="
        elif found[1] == wanted == b"=":
            wanted = b">"
        elif found[1] == wanted == b">":
            return data.count(b"\n", 0, begin) + 1
    return 0
