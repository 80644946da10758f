"""Rewrite the folders of a tree that a change touches; pure.

Git names a tree by what it holds, so the names of the new ones are known before they
are written, and one process can write them all.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from gitmem.repo.history import TreeEntry

TREE_MODE: Final = "40000"
_LINK_MODE: Final = "160000"
_TREE_MODES: Final = frozenset({b"100644", b"100755", b"120000", b"160000", b"40000"})
_NO_NAMES: Final = frozenset({b"", b".", b"..", b".git"})
_ROOT: Final = PurePosixPath()
_NOTHING: Final = TreeEntry()
Folder = dict[bytes, TreeEntry]


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The name of the new tree, and what `git mktree -z --batch` makes it from."""

    oid: str
    feed: bytes
    written: tuple[str, ...]


def touched(paths: Iterable[PurePosixPath]) -> tuple[PurePosixPath, ...]:
    """List the folders that hold these paths, the innermost first."""
    folders = {folder for path in paths for folder in path.parents}
    return tuple(sorted(folders, key=lambda each: (-len(each.parts), each)))


def parse_folder(data: bytes) -> Folder:
    """Read a tree object as Git keeps it."""
    found: Folder = {}
    at = 0
    while at < len(data):
        space, end = data.index(b" ", at), data.index(b"\0", at)
        name, oid = data[space + 1 : end], data[end + 1 : end + 21]
        found[name] = TreeEntry(data[at:space].decode(), oid.hex())
        at = end + 21
    return found


def is_well_formed(data: bytes) -> bool:
    """Say whether every Git takes this for a tree: in order, each name once."""
    last, at = b"", 0
    names: set[bytes] = set()
    while at < len(data):
        space, end = data.find(b" ", at), data.find(b"\0", at)
        mode, name = data[at:space], data[space + 1 : end]
        if not at < space < end or end + 21 > len(data) or mode not in _TREE_MODES:
            return False
        # Git sorts a folder as if its name ended with a slash.
        order = name + b"/" * (mode == TREE_MODE.encode())
        if order <= last or name in names or name in _NO_NAMES or b"/" in name:
            return False
        last, at = order, end + 21
        names.add(name)
    return True


def rewrite(
    folders: Mapping[PurePosixPath, Folder],
    entries: Mapping[PurePosixPath, TreeEntry],
) -> Rewritten:
    """Put entries into the folders of a tree; one without a mode leaves its folder.

    `folders` holds what the touched ones hold so far; one that is missing is new, and
    one that has become empty is gone.
    """
    new = {path: dict(folders.get(path, {})) for path in touched(entries)}
    for path, entry in entries.items():
        # To take a file out takes no folder of its name out.
        if entry.mode or not _is_folder(new[path.parent], path):
            _put(new[path.parent], path, entry)
    gaining = set(touched(path for path, entry in entries.items() if entry.mode))
    feed = bytearray()
    written: list[str] = []
    for path, folder in new.items():
        inner = _NOTHING
        if folder or path == _ROOT:
            written.append(_oid(folder))
            feed += b"".join(_line(*item) for item in folder.items()) + b"\0"
            inner = TreeEntry(TREE_MODE, written[-1])
        # A file that was put where a folder lost its files stays there.
        if (path in gaining and path != _ROOT) or _is_folder(new[path.parent], path):
            _put(new[path.parent], path, inner)
    return Rewritten(written[-1], bytes(feed), tuple(written))


def _put(folder: Folder, path: PurePosixPath, entry: TreeEntry) -> None:
    name = path.name.encode("utf-8", "surrogateescape")
    if entry.mode:
        folder[name] = entry
    else:
        folder.pop(name, None)


def _is_folder(above: Folder, path: PurePosixPath) -> bool:
    name = path.name.encode("utf-8", "surrogateescape")
    return bool(path.parts) and above.get(name, _NOTHING).mode == TREE_MODE


def _oid(folder: Folder) -> str:
    # Git sorts a folder as if its name ended with a slash.
    ordered = sorted(
        folder.items(), key=lambda e: e[0] + b"/" * (e[1].mode == TREE_MODE)
    )
    body = b"".join(
        b"%b %b\0%b" % (entry.mode.encode(), name, bytes.fromhex(entry.oid))
        for name, entry in ordered
    )
    header = b"tree %d\0" % len(body)
    return hashlib.sha1(header + body, usedforsecurity=False).hexdigest()


def _line(name: bytes, entry: TreeEntry) -> bytes:
    kind = {TREE_MODE: b"tree", _LINK_MODE: b"commit"}.get(entry.mode, b"blob")
    return b"%b %b %b\t%b\0" % (entry.mode.encode(), kind, entry.oid.encode(), name)
