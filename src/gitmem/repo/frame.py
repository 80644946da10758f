"""Look at what a `.git` folder is made of, without Git, and make anew what is damaged.

Objects are another matter: `damage` finds them, and the sync heals them. What is taken
out is kept aside.
"""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gitmem.files.atomic import private_folder, write
from gitmem.repo import index
from gitmem.repo.damage import FOLDER, commits_of_log

_REF: Final = rb"refs/(?!.*(?:\.\.|//|@\{|\.lock(?:/|$)))[^\0-\x20\x7f~^:?*\[\\]+"
_OID: Final = rb"(?!0{40})[0-9a-f]{40}"
_POINTER: Final = re.compile(rb"(?:ref: *%b|%b)\s*" % (_REF, _OID))
_PACKED: Final = re.compile(rb"# pack-refs with:[ -~]*|%b %b|\^%b" % (_OID, _REF, _OID))
_SHALLOW: Final = re.compile(_OID)
_HEAD: Final = "HEAD"
_NEEDED: Final = ("objects", "refs")
_FOLDERS: Final = (
    *_NEEDED,
    "objects/info",
    "objects/pack",
    "refs/heads",
    "refs/remotes",
    "info",
    "logs",
)
_FILES: Final = ("info/attributes", "info/exclude", "FETCH_HEAD", "ORIG_HEAD")
# As many of these make a folder one of Git's, whatever is damaged in it.
_SIGNS: Final = (_HEAD, "config", index.NAME, *_NEEDED)
_LEAST_SIGNS: Final = 2
_BRANCHES: Final = "refs/heads/"
_CONFIG: Final = """\
[core]
	repositoryformatversion = 0
	bare = false
	logallrefupdates = true
"""
_REMOTE: Final = """\
[remote "origin"]
	url = "{}"
	fetch = +refs/heads/*:refs/remotes/origin/*
"""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a `.git` folder that is not as Git can read it."""

    name: str
    words: str

    def __str__(self) -> str:
        """Say it in a few words."""
        return f".git/{self.name} {self.words}"


def faults(git_folder: Path) -> Iterator[Fault]:
    """Find what is of the wrong kind, cannot be read, or is missing."""
    if not _is_gits(git_folder):
        return
    yield from _of_the_wrong_kind(git_folder)
    for name, is_needed, is_sound in (
        (_HEAD, True, _POINTER.fullmatch),
        ("config", True, _is_text),
        ("packed-refs", False, _are_lines(_PACKED)),
        ("shallow", False, _are_lines(_SHALLOW)),
    ):
        if words := _judged(git_folder / name, is_sound, is_needed=is_needed):
            yield Fault(name, words)
    if (found := index.read(git_folder)) and not found.is_sound:
        yield Fault(index.NAME, "is damaged")
    yield from _refs(git_folder)


def mend(git_folder: Path, *, branch: str, url: str) -> tuple[Fault, ...]:
    """Put aside what is damaged, and write anew what Git cannot be without."""
    found = tuple(faults(git_folder))
    for fault in found:
        path = git_folder / fault.name
        kept = _put_aside(git_folder, fault.name)
        if fault.name in _NEEDED:
            private_folder(path)
        elif data := _anew(git_folder, fault.name, kept, branch=branch, url=url):
            write(path, data)
    return found


def _is_gits(git_folder: Path) -> bool:
    signs = sum(os.path.lexists(git_folder / name) for name in _SIGNS)
    return signs >= _LEAST_SIGNS and not (git_folder / "reftable").exists()


def _of_the_wrong_kind(git_folder: Path) -> Iterator[Fault]:
    for name in _NEEDED:
        if not os.path.lexists(git_folder / name):
            yield Fault(name, "is missing")
    for name in _FOLDERS:
        if os.path.lexists(git_folder / name) and not (git_folder / name).is_dir():
            yield Fault(name, "is no folder")
    for name in _FILES:
        if os.path.lexists(git_folder / name) and not (git_folder / name).is_file():
            yield Fault(name, "is no file")


def _judged(path: Path, is_sound: Callable[[bytes], object], *, is_needed: bool) -> str:
    """Say what is wrong with a file; empty where nothing is."""
    if not os.path.lexists(path):
        return "is missing" if is_needed else ""
    if path.name == _HEAD and path.is_symlink():
        # As Git wrote it long ago; it may name a branch without a commit.
        return ""
    if not path.is_file():
        return "is no file"
    return "" if is_sound(path.read_bytes()) else "is damaged"


def _is_text(data: bytes) -> bool:
    return bool(data.strip()) and b"\0" not in data


def _are_lines(line: re.Pattern[bytes]) -> Callable[[bytes], bool]:
    return lambda data: all(map(line.fullmatch, data.splitlines()))


def _refs(git_folder: Path) -> Iterator[Fault]:
    for folder, _, names in os.walk(git_folder / "refs"):
        for path in (Path(folder, name) for name in names):
            if path.suffix == ".lock" or path.is_symlink():
                continue
            if words := _judged(path, _POINTER.fullmatch, is_needed=False):
                yield Fault(str(path.relative_to(git_folder)), words)


def _put_aside(git_folder: Path, name: str) -> Path | None:
    path = git_folder / name
    if not os.path.lexists(path):
        return None
    folder = private_folder(git_folder / FOLDER)
    plain = name.replace("/", "-")
    target = folder / plain
    while os.path.lexists(target):
        target = folder / f"{plain}-{os.urandom(4).hex()}"
    path.rename(target)
    return target


def _anew(
    git_folder: Path, name: str, kept: Path | None, *, branch: str, url: str
) -> bytes:
    """Give what a file is to hold; empty where Git does without it."""
    if name == _HEAD:
        return f"ref: {_BRANCHES}{branch}\n".encode()
    if name == "config":
        escaped = url.replace("\\", "\\\\").replace('"', '\\"')
        return (_CONFIG + (_REMOTE.format(escaped) if url else "")).encode()
    if name == "packed-refs" and kept is not None and kept.is_file():
        lines = kept.read_bytes().splitlines()
        return b"".join(b"%b\n" % x for x in lines if _PACKED.fullmatch(x))
    if name.startswith(_BRANCHES):
        # Where it stood last; if that is damaged as well, the sync steps back.
        stood = commits_of_log(git_folder, name)[:1]
        return "".join(f"{oid}\n" for oid in stood).encode()
    return b""
