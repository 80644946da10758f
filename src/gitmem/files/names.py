"""Decide which paths and names may exist inside a memory repository; pure."""

import re
import unicodedata
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import PathRefused

NAME_LIMIT_BYTES: Final = 255
# macOS opens no longer ones, and neither Git nor Linux does from 4,096 on.
PATH_LIMIT_BYTES: Final = 1_000
# https://learn.microsoft.com/windows/win32/fileio/naming-a-file
_DEVICE_NAMES: Final = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)]
)
# What nearly every name looks like, and needs no closer look at each character.
_COMMON: Final = re.compile(
    r"(?P<stem>[A-Za-z0-9_][A-Za-z0-9_-]{0,100})(?:\.[a-z0-9]{1,9})?"
)


def confine(text: str) -> PurePosixPath:
    """Turn a path from outside into a relative one that cannot leave its root.

    Refuses absolute paths, `..`, `.git` in any spelling, names that some file system
    cannot hold, control and bidirectional characters. Raises PathRefused.
    """
    path = PurePosixPath(text)
    parts = text.rstrip("/").split("/")
    if not text or path.is_absolute() or not path.parts:
        raise PathRefused(
            f"{shown(text)} is not a path inside the memory repository.",
            "Name it relative to the project's layer, such as core/deploy.md, or to "
            "the repository's root, such as global/USER.md.",
        )
    for part in parts:
        if reason := refusal(part):
            raise PathRefused(
                f"{shown(text)} cannot be used: {reason}.",
                "Choose a plain relative path such as notes/deploy.md.",
            )
    if is_too_long(text):
        raise PathRefused(
            f"{shown(text[:60])}… is longer than {PATH_LIMIT_BYTES} bytes.",
            "Use fewer or shorter folder names.",
        )
    return PurePosixPath(*parts)


def is_too_long(text: str) -> bool:
    """Say whether a path is longer than some systems can open."""
    return len(text.encode("utf-8", "surrogateescape")) > PATH_LIMIT_BYTES


def refusal(name: str) -> str:
    """Say why one component of a path is not allowed, or nothing."""
    common = _COMMON.fullmatch(name)
    if common and common["stem"].lower() not in _DEVICE_NAMES:
        return ""
    if reason := impossible(name):
        return reason
    if any(_is_invisible(c) for c in name):
        return "it has a control or invisible character"
    if any(c in '<>:"|?*\\' for c in name) or name[-1] in " .":
        return "some file systems cannot hold this name"
    if _plain(name).split(".")[0].rstrip() in _DEVICE_NAMES:
        return "it is the name of a device on Windows"
    if len(name.encode("utf-8", "surrogateescape")) > NAME_LIMIT_BYTES:
        return "it is longer than 255 bytes"
    return ""


def impossible(name: str) -> str:
    """Say why Git itself would never keep a component of this name, or nothing."""
    if name in {"", ".", ".."}:
        return 'it has an empty part, "." or ".."'
    if _is_git(name):
        return "it names Git's own folder"
    return ""


def is_of_git(path: str) -> bool:
    """Say whether a path leads to Git's own folder, or into it."""
    return any(map(_is_git, path.split("/")))


def shown(text: str) -> str:
    """Spell a name so that it cannot move a terminal's cursor."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def _is_git(name: str) -> bool:
    plain = _plain(name)
    return plain == ".git" or plain.startswith("git~")


def _plain(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(c for c in folded if unicodedata.category(c) != "Cf").rstrip(" .")


def _is_invisible(character: str) -> bool:
    # Persian, Indic scripts and emoji need the two zero-width joiners.
    return (
        unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        and character not in "\u200c\u200d"
    )
