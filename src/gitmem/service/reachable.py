"""What a session can be told of: memories that it may see, files of its project."""

import os
import stat
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.delivery.view import Chosen, Entry, View
from gitmem.hosts.entry import MEMORY_WRITE
from gitmem.hosts.work import Access
from gitmem.memory.frontmatter.read import read
from gitmem.project.worktrees import work_trees

if TYPE_CHECKING:
    from gitmem.service.rooms import Rooms

# Of a file, what its words are taken from.
READ_BYTES: Final = 4096


class Reachable:
    """What there is to choose from: memories of the view, files of the project."""

    def __init__(self, rooms: "Rooms", view: View) -> None:
        """Look at the view, and at which work trees there are."""
        self._roots = (Path(os.path.realpath(rooms.root)), rooms.root)
        self._layers = ("", *(layer.folder for layer in view.layers))
        self.memory = self._roots[0]
        self.project = rooms.project.root
        self._trees = sorted(
            work_trees(rooms.project), key=lambda each: -len(str(each))
        )
        self.home = str(rooms.home)
        self.entries: dict[str, Entry] = {
            str(self.memory / entry.path): entry
            for layer in view.layers
            for entry in layer.entries
        }
        self._places: dict[tuple[str, bool], str] = {}

    def place(self, access: Access) -> str:
        """Say which file of now an access meant; empty where there is none."""
        key = (access.path, access.kind == MEMORY_WRITE)
        if key not in self._places:
            try:
                self._places[key] = self._place(*key)
            except ValueError:
                # A name of half a character is a file's on no disk.
                self._places[key] = ""
        return self._places[key]

    def chosen(self, path: str, best: frozenset[str], lines: tuple[str, ...]) -> Chosen:
        """Describe a file that was chosen."""
        entry = self.entries.get(path)
        below = self.memory if entry else self.project
        return Chosen(
            path=PurePosixPath(os.path.relpath(path, below)),
            entry=entry,
            is_high=path in best,
            focus=lines,
        )

    def text(self, path: str) -> str:
        """Give the words that a file is compared by."""
        head = _head(path).decode("utf-8", "replace")
        if (entry := self.entries.get(path)) is None:
            return f"{os.path.relpath(path, self.project)} {head}"
        body = read(head.encode("utf-8")).body_text
        return " ".join((str(entry.path), entry.description, *entry.tags, body))

    def _place(self, path: str, is_memory: bool) -> str:  # noqa: FBT001  of a key
        if is_memory:
            names = (str(self.memory / layer / path) for layer in self._layers)
            return next((name for name in names if name in self.entries), "")
        # A link on the way is the person's own: `~/work` may be another disk's.
        return self._found(path) or self._found(os.path.realpath(path))

    def _found(self, path: str) -> str:
        for root in self._roots:
            if PurePosixPath(path).is_relative_to(root):
                name = str(self.memory / os.path.relpath(path, root))
                return name if name in self.entries else ""
        for tree in self._trees:
            if PurePosixPath(path).is_relative_to(tree):
                # Work in another work tree is work on the same file here.
                name = str(self.project / os.path.relpath(path, tree))
                return name if os.path.isfile(name) else ""
        return ""


def _head(path: str) -> bytes:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError):
        return b""
    try:
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return os.read(descriptor, READ_BYTES) if is_file else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)
