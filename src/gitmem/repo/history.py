"""Commits and the changes between them, as small records; pure parsing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice, takewhile
from pathlib import PurePosixPath
from typing import Final

# Text of a commit may hold anything but NUL, so nothing else marks where one begins.
LOG_FORMAT: Final = (
    "%x00%H%x00%P%x00%ct%x00%an%x00%ae%x00%s%x00"
    "%(trailers:key=Gitmem-Machine,valueonly,separator=%x2C)%x00"
    "%(trailers:key=Gitmem-Host,valueonly,separator=%x2C)%x00"
    "%(trailers:key=Gitmem-Session,valueonly,separator=%x2C)%x00"
)
_FIELDS: Final = LOG_FORMAT.count("%x00")  # and an empty one, with which Git ends
# A commit may say any second; Python's years end with 9999, in every time zone.
_LATEST_SECOND: Final = 253_370_764_800


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """What a tree holds at a path. Mode "" means that nothing is there."""

    mode: str = ""
    oid: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One path that differs between two trees."""

    path: PurePosixPath
    old: TreeEntry
    new: TreeEntry


@dataclass(frozen=True, slots=True)
class Commit:
    """One entry of the history, with the machine and session that wrote it.

    `names` are the paths that it changed, as Git writes them.
    """

    oid: str
    parents: tuple[str, ...]
    at: datetime
    author: str
    author_email: str
    subject: str
    machine: str
    host: str
    session: str
    names: tuple[str, ...]

    @property
    def paths(self) -> tuple[PurePosixPath, ...]:
        """Give the paths that it changed."""
        return tuple(map(PurePosixPath, self.names))


@dataclass(frozen=True, slots=True)
class Unmerged:
    """A path that a merge left open: the base's, our and their version."""

    path: PurePosixPath
    base: TreeEntry
    ours: TreeEntry
    theirs: TreeEntry


def parse_changes(output: bytes) -> tuple[Change, ...]:
    """Read the output of `git diff-tree -r -z --raw --no-renames`."""
    fields = _fields(output)
    changes = []
    for meta, path in zip(fields[0::2], fields[1::2], strict=True):
        old_mode, new_mode, old_oid, new_oid, _ = meta.removeprefix(":").split(" ")
        changes.append(
            Change(
                PurePosixPath(path),
                _tree_entry(old_mode, old_oid),
                _tree_entry(new_mode, new_oid),
            )
        )
    return tuple(changes)


def parse_tree(output: bytes) -> dict[PurePosixPath, TreeEntry]:
    """Read the output of `git ls-tree -r -z`."""
    entries = {}
    for line in _fields(output):
        meta, path = line.split("\t", 1)
        mode, _, oid = meta.split(" ")
        entries[PurePosixPath(path)] = TreeEntry(mode, oid)
    return entries


def parse_names(output: bytes) -> frozenset[str]:
    """Read the output of `git ls-tree -r -z --name-only`."""
    return frozenset(_fields(output))


def parse_log(output: bytes) -> tuple[Commit, ...]:
    """Read the output of `git log -z --name-only` in LOG_FORMAT."""
    tokens = iter(output.decode("utf-8", "surrogateescape").split("\0"))
    return tuple(
        _commit([oid, *islice(tokens, _FIELDS - 1)], takewhile(bool, tokens))
        for oid in tokens
        if oid
    )


def moment(seconds: str) -> datetime:
    """Read the time of a commit, which its writer was free to choose."""
    return datetime.fromtimestamp(min(int(seconds), _LATEST_SECOND), UTC)


def parse_unmerged(output: bytes) -> tuple[Unmerged, ...]:
    """Read the output of `git ls-files -u -z`."""
    stages: dict[PurePosixPath, dict[str, TreeEntry]] = {}
    for line in _fields(output):
        meta, path = line.split("\t", 1)
        mode, oid, stage = meta.split(" ")
        stages.setdefault(PurePosixPath(path), {})[stage] = TreeEntry(mode, oid)
    nothing = TreeEntry()
    return tuple(
        Unmerged(
            path,
            found.get("1", nothing),
            found.get("2", nothing),
            found.get("3", nothing),
        )
        for path, found in stages.items()
    )


def _fields(output: bytes) -> list[str]:
    text = output.decode("utf-8", "surrogateescape")
    return [field for field in text.split("\0") if field]


def _tree_entry(mode: str, oid: str) -> TreeEntry:
    return TreeEntry() if mode == "000000" else TreeEntry(mode, oid)


def _commit(fields: Sequence[str], names: Iterable[str]) -> Commit:
    oid, parents, seconds, *texts = fields
    author, email, subject, machine, host, session, *_ = map(_readable, texts)
    # Git puts a line end between what it was asked for and the first name.
    changed = "\0".join(names).removeprefix("\n")
    return Commit(
        oid=oid,
        parents=tuple(parents.split()),
        at=moment(seconds),
        author=author,
        author_email=email,
        subject=subject,
        machine=machine,
        host=host,
        session=session,
        names=tuple(name for name in changed.split("\0") if name),
    )


def _readable(text: str) -> str:
    """Give text that can be stored and printed; only a path has to stay exact."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
