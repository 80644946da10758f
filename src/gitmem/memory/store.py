"""Read, write, move and delete memories on disk; never commits.

Every change compares what is on disk with what was read, in the same step in which it
replaces it, so that no edit made meanwhile is lost.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import (
    GitmemError,
    InvalidMemory,
    NotFound,
    PathRefused,
    StaleWrite,
    UsageError,
)
from gitmem.files.names import shown
from gitmem.files.tree import Tree
from gitmem.memory import claims, draft, places, rules
from gitmem.memory.draft import Draft
from gitmem.memory.frontmatter.read import read as read_document
from gitmem.memory.hashes import hash_of
from gitmem.memory.layout import Access, Layer, is_memory, is_packet
from gitmem.memory.load import tags_of
from gitmem.memory.rules import Rules

HASH: Final = re.compile(r"[0-9a-f]{12,64}")
# Given in place of a hash by who has seen that there is no such memory.
ABSENT: Final = "absent"


@dataclass(frozen=True, slots=True)
class Proposed:
    """What a write would do: the bytes there are (None: none), and those to come."""

    path: PurePosixPath
    before: bytes | None
    after: bytes
    warnings: tuple[str, ...] = ()

    @property
    def expected_hash(self) -> str:
        """Name what is there, for a write that must replace nothing else."""
        return ABSENT if self.before is None else hash_of(self.before)


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory as it is on disk, and what a person should know about this write."""

    path: PurePosixPath
    data: bytes
    hash: str
    is_changed: bool = False
    warnings: tuple[str, ...] = ()


class Store:
    """The memories of one project and of the shared layer.

    Paths are given as a person or an agent writes them: relative to the repository's
    root, or to the project's layer. Every verb raises PathRefused for other places.
    """

    def __init__(
        self, tree: Tree, access: Access, rules: Rules, now: Callable[[], datetime]
    ) -> None:
        """Remember the tree and the rules; nothing is opened yet."""
        self._tree = tree
        self._access = access
        self._rules = rules
        self._now = now

    def list(self) -> tuple[PurePosixPath, ...]:
        """List the memories of both layers, in order of their paths."""
        roots = [layer.path for layer in self._layers]
        return tuple(
            path
            for path in sorted(self._tree.walk())
            if is_memory(path) and any(path.is_relative_to(root) for root in roots)
        )

    def read(self, path: str) -> Stored:
        """Read one memory. Raises NotFound, with a near spelling if there is one."""
        return _stored(*self._existing(path))

    def write(
        self, path: str, draft: Draft, *, expected_hash: str | None = None
    ) -> Stored:
        """Create or update one memory, and read it back.

        With `expected_hash` only the text of that hash is replaced; without it,
        whatever is there at the time. Raises StaleWrite, InvalidMemory, SecretRefused.
        """
        return self._write(path, draft, None, expected_hash)

    def propose(
        self, path: str, draft: Draft, *, expected_hash: str | None = None
    ) -> Proposed:
        """Say what `write` would do, raise what it would raise, and write nothing."""
        return self._prepared(path, draft, None, expected_hash)

    def write_document(
        self,
        path: str,
        document: bytes,
        fields: Mapping[str, object] | None = None,
        *,
        expected_hash: str | None = None,
    ) -> Stored:
        """Write a whole file, or a text alone, as `write` does.

        `fields` are laid over the document's own. Of an existing memory the fields
        that neither names are kept.
        """
        rules.check_text(PurePosixPath(path), document)
        rules.check_document(PurePosixPath(path), read_document(document))
        if not document.strip():
            raise InvalidMemory(
                f"There is no text to write to {shown(path)}.",
                "Give the memory's text on standard input.",
            )
        given = draft.of_document(document)
        change = replace(given, fields={**given.fields, **(fields or {})})
        return self._write(path, change, document, expected_hash)

    def move(
        self, source: str, target: str, *, expected_hash: str | None = None
    ) -> Stored:
        """Give a memory another path. Raises StaleWrite, having changed nothing."""
        old, data = self._existing(source)
        self._check_hash(old, data, expected_hash)
        place = self._place(target)
        if place.exists:
            raise PathRefused(
                f"{shown(str(place.path))} exists already.",
                "Choose another path, or delete that memory first.",
            )
        warnings = self._accept(place.path, data, is_new=False)
        self._claim(place.path)
        self._tree.replace(place.path, data, expected=None)
        try:
            self._tree.remove(old, expected=data)
        except GitmemError:
            self._tree.remove(place.path, expected=data)
            raise
        return _stored(place.path, data, is_changed=True, warnings=warnings)

    def delete(self, path: str, *, expected_hash: str | None = None) -> Stored:
        """Delete one memory, and give what it held."""
        found, data = self._existing(path)
        self._check_hash(found, data, expected_hash)
        self._tree.remove(found, expected=data)
        return _stored(found, data, is_changed=True)

    def claimed(self) -> Proposed | None:
        """Say what makes the layer this project's alone; None where it is.

        `write` sees to it by itself. Raises PathRefused when the layer has become
        another project's.
        """
        layer, remote = self._access.project, self._access.remote
        if remote is None:
            return None
        try:
            before = self._tree.read(layer.claim)
        except NotFound:
            before = None
        remotes = claims.claimed_remotes(before or b"")
        if remotes and remote not in remotes:
            raise PathRefused(
                f"The layer {shown(layer.name)} now belongs to another project.",
                "Start a new session; it will find the layer that is this project's.",
            )
        if remotes:
            return None
        day = self._now().date().isoformat()
        data = claims.with_claim(before, layer.name, remote, day)
        return Proposed(layer.claim, before, data)

    @property
    def _layers(self) -> tuple[Layer, ...]:
        shared = self._access.shared
        return (
            (self._access.project,)
            if shared is None
            else (self._access.project, shared)
        )

    def _write(
        self,
        text: str,
        change: Draft,
        document: bytes | None,
        expected_hash: str | None,
    ) -> Stored:
        found = self._prepared(text, change, document, expected_hash)
        if found.after == found.before:
            return _stored(found.path, found.after)
        self._claim(found.path)
        self._tree.replace(found.path, found.after, expected=found.before)
        return self._read_back(found.path, found.after, found.warnings)

    def _prepared(
        self,
        text: str,
        change: Draft,
        document: bytes | None,
        expected_hash: str | None,
    ) -> Proposed:
        place = self._place(text)
        path = place.path
        before = self._tree.read(path) if place.exists else None
        self._check_hash(path, before, expected_hash)
        data = self._composed(path, before, change, document)
        if data == before:
            return Proposed(path, before, data)
        had = tags_of(read_document(before).fields) if before is not None else ()
        warnings = self._accept(path, data, is_new=before is None, had=had)
        return Proposed(path, before, data, warnings)

    def _composed(
        self,
        path: PurePosixPath,
        before: bytes | None,
        change: Draft,
        document: bytes | None,
    ) -> bytes:
        day = self._now().date().isoformat()
        try:
            if before is not None:
                return draft.updated(before, change, day)
            if document is not None:
                return draft.created_from(document, change, day)
            return draft.created(change, day)
        except UnicodeError as error:
            raise InvalidMemory(
                f"The text for {shown(str(path))} has what UTF-8 cannot hold.",
                "Write Unicode text only.",
            ) from error

    def _read_back(
        self, path: PurePosixPath, data: bytes, warnings: tuple[str, ...]
    ) -> Stored:
        if self._tree.read(path) != data:
            raise StaleWrite(
                f"{shown(str(path))} was written, and changed again at once.",
                "Read it again to see what it holds now.",
            )
        return _stored(path, data, is_changed=True, warnings=warnings)

    def _accept(
        self, path: PurePosixPath, data: bytes, *, is_new: bool, had: Sequence[str] = ()
    ) -> tuple[str, ...]:
        is_strict = rules.is_strict(path, self._rules)
        others = self._tags_beside(path) if is_strict else ()
        return rules.accept(
            path,
            data,
            self._rules,
            is_new=is_new,
            layer_tags=others,
            had_tags=had,
        )

    def _tags_beside(self, path: PurePosixPath) -> tuple[str, ...]:
        """Collect the tags of the other memories in a layer, the most used first.

        A neighbour that cannot be read says nothing, and keeps nobody from writing.
        """
        found: Counter[str] = Counter()
        for other in self.list():
            is_beside = other.parts[0] == path.parts[0] and other != path
            if is_beside and not is_packet(other):
                with suppress(NotFound, PathRefused):
                    limit = self._rules.max_file_bytes
                    data = self._tree.read(other, limit_bytes=limit)
                    found.update(tags_of(read_document(data).fields))
        return tuple(tag for tag, _ in sorted(found.items(), key=_most_used))

    def _claim(self, path: PurePosixPath) -> None:
        layer = self._access.project
        if path.parts[0] == layer.name and path != layer.claim:
            self._claim_layer()

    def _claim_layer(self) -> None:
        while claim := self.claimed():
            # Whoever was faster may be of this project.
            with suppress(StaleWrite):
                self._tree.replace(claim.path, claim.after, expected=claim.before)
                return

    def _locate(self, text: str) -> PurePosixPath:
        access = self._access
        return places.locate(
            self._tree, text, project=access.project, shared=access.shared
        )

    def _place(self, text: str) -> places.Place:
        return places.for_writing(self._tree, self._locate(text))

    def _existing(self, text: str) -> tuple[PurePosixPath, bytes]:
        place = places.find(self._tree, self._locate(text))
        if place.exists:
            return place.path, self._tree.read(place.path)
        raise NotFound(
            f"{shown(str(place.path))} does not exist in the memory repository.",
            f"There is {shown(str(place.twin))}." if place.twin else "",
        )

    def _check_hash(
        self, path: PurePosixPath, data: bytes | None, expected: str | None
    ) -> None:
        if expected is None or (expected == ABSENT and data is None):
            return
        if expected == ABSENT:
            raise StaleWrite(
                f"{shown(str(path))} exists by now.",
                "Read it, and repeat the change on what it holds.",
            )
        if not HASH.fullmatch(expected):
            raise UsageError(
                "The expected hash is not 12 to 64 hexadecimal digits.",
                "Give the hash that reading the memory returned.",
            )
        if data is None:
            raise StaleWrite(
                f"{shown(str(path))} does not exist any more.",
                "Write it without an expected hash to create it.",
            )
        if not hash_of(data).startswith(expected):
            raise StaleWrite(
                f"{shown(str(path))} changed since it was read.",
                f"Its hash is {hash_of(data)} now. Read it again, and repeat the "
                "change on what it holds.",
            )


def _most_used(counted: tuple[str, int]) -> tuple[int, str]:
    return (-counted[1], counted[0])


def _stored(
    path: PurePosixPath,
    data: bytes,
    *,
    is_changed: bool = False,
    warnings: tuple[str, ...] = (),
) -> Stored:
    return Stored(path, data, hash_of(data), is_changed, warnings)
