"""What the memory repository holds already: which names, and which imports."""

from collections.abc import Iterable
from pathlib import PurePosixPath

from gitmem.errors import NotFound, PathRefused
from gitmem.files.tree import Tree
from gitmem.memory.frontmatter.read import read as read_document
from gitmem.memory.frontmatter.split import HEAD_LIMIT_BYTES
from gitmem.memory.layout import is_memory, is_packet
from gitmem.memory.load import tags_of
from gitmem.memory.origins import TRACES, Origin, origins
from gitmem.memory.tags import canonical
from gitmem.project.names import folded


class Known:
    """Names that are taken, however spelled, and entries that are here, wherever."""

    def __init__(self) -> None:
        """Know of nothing."""
        self._names: dict[str, PurePosixPath] = {}
        self._old: set[PurePosixPath] = set()
        self._entries: dict[tuple[str, ...], list[PurePosixPath]] = {}
        self._contents: dict[tuple[str, ...], list[PurePosixPath]] = {}
        self._tags: dict[str, dict[str, str]] = {}

    def same(self, origin: Origin) -> tuple[PurePosixPath, ...]:
        """Name the memories that say they were made of an entry as it is now."""
        return tuple(self._contents.get(origin.content, ()))

    def changed(self, origin: Origin) -> tuple[PurePosixPath, ...]:
        """Name the memories that say they were made of an entry, whatever it said."""
        return tuple(self._entries.get(origin.entry, ()))

    def at(self, path: PurePosixPath) -> PurePosixPath | None:
        """Say what stands at a path, or where some disks take it for the same."""
        return self._names.get(folded(str(path)))

    def is_old(self, path: PurePosixPath) -> bool:
        """Say whether a path was there before."""
        return path in self._old

    def own(self, path: PurePosixPath) -> PurePosixPath | None:
        """Say which file that was there before stands at a path."""
        there = self.at(path)
        return there if there in self._old else None

    def spelled(self, path: PurePosixPath) -> PurePosixPath:
        """Spell the folders of a path as those that are there."""
        folder = PurePosixPath()
        for part in path.parent.parts:
            folder = self.at(folder / part) or folder / part
        return folder / path.name

    def free(self, path: PurePosixPath) -> PurePosixPath:
        """Give a path that nothing stands at: a number goes to the end of the name."""
        number = 2
        while self.at(other := path.with_stem(f"{path.stem}-{number}")):
            number += 1
        return other

    def tags(self, layer: str) -> tuple[str, ...]:
        """Give the tags of a layer's memories."""
        return tuple(self._tags.get(layer, {}).values())

    def add(
        self, path: PurePosixPath, tags: Iterable[str], came: Iterable[Origin]
    ) -> None:
        """Take a memory in, with its tags and the entries that are in it."""
        self._names[folded(str(path))] = path
        for folder in path.parents[:-1]:
            self._names.setdefault(folded(str(folder)), folder)
        layer = self._tags.setdefault(path.parts[0], {})
        for tag in () if is_packet(path) else tags:
            layer.setdefault(canonical(tag), tag)
        for origin in came:
            self._entries.setdefault(origin.entry, []).append(path)
            self._contents.setdefault(origin.content, []).append(path)

    def add_old(
        self, path: PurePosixPath, tags: Iterable[str], came: Iterable[Origin]
    ) -> None:
        """Take in what was there before."""
        self.add(path, tags, came)
        self._old.add(path)


def look(tree: Tree, *, with_tags: bool) -> Known:
    """Look at every file of the memory; few need to be read as a memory is."""
    known = Known()
    for path in sorted(tree.walk()):
        data = _head(tree, path) if is_memory(path) else b""
        is_told = with_tags or any(trace in data for trace in TRACES)
        fields = read_document(data).fields if is_told else {}
        known.add_old(path, tags_of(fields), origins(fields))
    return known


def _head(tree: Tree, path: PurePosixPath) -> bytes:
    try:
        return tree.read(path, limit_bytes=HEAD_LIMIT_BYTES)
    except (NotFound, PathRefused, OSError):
        return b""
