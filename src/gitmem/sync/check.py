"""Decide whether a file may be committed; pure."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from gitmem.errors import PathRefused
from gitmem.files.names import confine
from gitmem.memory.conflicts import marker_line
from gitmem.repo.status import GITLINK_MODE, PLAIN_MODES, Entry
from gitmem.secrets import find, in_name


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


def refuse_name(path: PurePosixPath, rules: Rules) -> str:
    """Say why a name may not be committed, or nothing: it stays in the history."""
    return _secret_name(path) if rules.secrets == "block" else ""


def refuse_content(data: bytes, rules: Rules) -> str:
    """Say why these bytes may not be committed, or nothing.

    Never quotes the content: what looks like a secret is named by line and kind.
    """
    if len(data) > rules.max_file_bytes:
        return f"it is larger than {rules.max_file_bytes:,} bytes"
    if line := marker_line(data):
        return f"line {line} begins a conflict that is not settled"
    return _secret(data) if rules.secrets == "block" else ""


def warn_of(path: PurePosixPath, data: bytes, rules: Rules) -> str:
    """Say what is odd about a file that is committed all the same, or nothing."""
    return _secret_name(path) or _secret(data) if rules.secrets == "warn" else ""


def _secret_name(path: PurePosixPath) -> str:
    secrets = in_name(str(path))
    return f"its name looks like a secret ({secrets[0].kind})" if secrets else ""


def _secret(data: bytes) -> str:
    secrets = find(data)
    if not secrets:
        return ""
    return f"line {secrets[0].line} looks like a secret ({secrets[0].kind})"
