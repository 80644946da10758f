"""The lines of one project's tape: this machine's are appended, all are read.

Each machine writes files of its own, so that no two ever write one. What
pi-memory-md wrote is read beside them, and deleted from.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import NotFound, PathRefused, StaleWrite, UsageError
from gitmem.files.append import append
from gitmem.files.atomic import private_folder
from gitmem.files.tail import tail
from gitmem.files.tree import Tree
from gitmem.project.names import folded
from gitmem.tape.once import once
from gitmem.tape.record import LINE_LIMIT_BYTES, Draft, Record, made, read, written

SUFFIX: Final = ".jsonl"
ARCHIVE: Final = "archive"
LOCK_SECONDS: Final = 10.0
# Files of at most so many bytes, however large a file may be that is committed.
SEGMENT_BYTES: Final = 900_000
_TICK: Final = timedelta(microseconds=1)
# A clock that was set back by more is believed.
_SLIP: Final = timedelta(seconds=2)
_ATTEMPTS: Final = 5


@dataclass(frozen=True, slots=True)
class Place:
    """Where a project's tape lies: below the root of `tree`, one folder a project.

    `machine` is whose files are appended to; a file that would grow beyond
    `limit_bytes` is followed by another one.
    """

    tree: Tree
    home: PurePosixPath
    project: str
    machine: str
    limit_bytes: int = SEGMENT_BYTES


@dataclass(frozen=True, slots=True)
class Grown:
    """A file of the tape, and what it holds before (None: it is new) and after."""

    path: PurePosixPath
    before: bytes | None
    after: bytes


class Journal:
    """One project's tape on disk."""

    def __init__(self, place: Place) -> None:
        """Remember the place; nothing is read yet."""
        self._place = place
        self._tree = place.tree

    def append(self, drafts: Iterable[Draft], now: datetime) -> tuple[Record, ...]:
        """Write lines that stand together, and last, at the end of this machine's.

        What is there already, by the key of its draft, is not written again.
        """
        wanted = tuple(drafts)
        sizes = [len(_line(made(each, now, self._place.machine))) for each in wanted]
        private_folder(self._tree.root)
        records: list[Record] = []
        for start, end in _spans(sizes, self._limit):
            part, size = wanted[start:end], sum(sizes[start:end])
            while (done := self._appended(part, size, now)) is None:
                pass
            records += done
        return tuple(records)

    def _appended(
        self, drafts: tuple[Draft, ...], size: int, now: datetime
    ) -> list[Record] | None:
        """Append to the file that has room; None where others filled it meanwhile."""
        machine, path = self._place.machine, self._own(size)
        records: list[Record] = []

        def compose(tail: bytes) -> bytes:
            if not self._has_room(path, size):
                return b""
            at = _after(tail, now)
            records[:] = [
                made(draft, at + number * _TICK, machine)
                for number, draft in enumerate(drafts)
            ]
            new = (each for each in records if not _stands(tail, each.id))
            return b"".join(map(written, new))

        append(self._tree, path, compose, timeout_seconds=LOCK_SECONDS)
        return records or None

    def unknown(self, records: Iterable[Record]) -> tuple[Record, ...]:
        """Give those lines of which none here has the id, each once."""
        known = {each.id for each in self.records()}
        new = {each.id: each for each in records if each.id not in known}
        return tuple(new.values())

    def adopted(self, records: Iterable[Record]) -> Iterator[Grown]:
        """Say what takes in lines that were written elsewhere, as they are."""
        lines = (line for line in map(written, records) if read(line) is not None)
        own = self._own_files()
        number = len(own) + 1
        for data in _parts(lines, self._limit):
            if number == len(own) + 1 and own and self._has_room(own[-1], len(data)):
                before = self._tree.read(own[-1])
                end = b"" if before.endswith(b"\n") or not before else b"\n"
                yield Grown(own[-1], before, before + end + data)
                own = ()
            else:
                yield Grown(self._segment(number), None, data)
                number += 1

    def records(self) -> tuple[Record, ...]:
        """Give the lines of all machines in one order, each once."""
        return once(
            (_machine(path), record)
            for path in self._files()
            for record in self._read(path)
        )

    def recent(self, limit_bytes: int) -> tuple[Record, ...]:
        """Give what the ends of the files say: this machine's, then the newest ones.

        Of each file as much is read as of any other, and so many bytes of all.
        """
        files = self._sizes()
        share = max(limit_bytes // max(1, len(files)), LINE_LIMIT_BYTES)
        found: list[tuple[str, Record]] = []
        left = limit_bytes
        for path in files:
            with contextlib.suppress(NotFound, PathRefused, OSError):
                data = tail(self._tree, path, min(share, left))
                left -= len(data)
                lines = map(read, data.split(b"\n"))
                found += ((_machine(path), each) for each in lines if each is not None)
            if left <= 0:
                break
        return once(found)

    def size(self) -> int:
        """Say how many bytes all files have together."""
        return sum(self._sizes().values())

    def _sizes(self) -> dict[PurePosixPath, int]:
        """Give the size of each file, this machine's first, then the newest."""
        found: list[tuple[bool, int, PurePosixPath, int]] = []
        for path in self._files():
            with contextlib.suppress(NotFound, PathRefused, OSError):
                it, is_own = (
                    self._tree.stat(path),
                    _machine(path) == self._place.machine,
                )
                found.append((is_own, it.st_mtime_ns, path, it.st_size))
        return {path: size for _, _, path, size in sorted(found, reverse=True)}

    def drop(self, records: Iterable[Record], *, has_own: bool = False) -> None:
        """Take lines out of the files that pi-memory-md keeps, and of our own if asked.

        The lines of other machines are theirs: those are only said to be deleted. What
        only has the id of a line stays.
        """
        lines = frozenset(map(written, records))
        own = self._own_files() if has_own else ()
        for path in (*self._foreign_files(), *own):
            for _ in range(_ATTEMPTS):
                with contextlib.suppress(StaleWrite):
                    self._rewrite(path, lines)
                    break

    def keep_aside(self, name: str, records: Iterable[Record]) -> PurePosixPath:
        """Write lines into files of their own that are read no more; say where."""
        folder = self._folder() / ARCHIVE / name
        for number, data in enumerate(_parts(map(written, records), self._limit), 1):
            path = folder / f"{number}{SUFFIX}"
            self._tree.replace(path, data, expected=None)
        return folder

    def _rewrite(self, path: PurePosixPath, gone: frozenset[bytes]) -> None:
        before = self._tree.find(path)
        if before is None:
            return
        lines = before.splitlines(keepends=True)
        kept = [
            line
            for line in lines
            if (it := read(line)) is None or written(it) not in gone
        ]
        if not kept:
            self._tree.remove(path, expected=before)
        elif len(kept) < len(lines):
            self._tree.replace(path, b"".join(kept), expected=before)

    def _read(self, path: PurePosixPath) -> Iterator[Record]:
        try:
            data = self._tree.read(path)
        except (NotFound, PathRefused, OSError):
            return
        for line in data.split(b"\n"):
            record = read(line)
            if record is not None:
                yield record

    def _own(self, size: int) -> PurePosixPath:
        """Name the file that this machine appends so many bytes to."""
        files = self._own_files()
        if files and self._has_room(files[-1], size):
            return files[-1]
        return self._segment(len(files) + 1)

    def _has_room(self, path: PurePosixPath, size: int) -> bool:
        """Say whether a file stays small enough; what is empty takes anything."""
        there = self._tree.stat(path).st_size
        return not there or there + size < self._limit

    @property
    def _limit(self) -> int:
        return min(self._place.limit_bytes, SEGMENT_BYTES)

    def _own_files(self) -> tuple[PurePosixPath, ...]:
        found: list[PurePosixPath] = []
        while self._tree.exists(path := self._segment(len(found) + 1)):
            found.append(path)
        return tuple(found)

    def _segment(self, number: int) -> PurePosixPath:
        # No machine's name has a plus sign.
        more = f"+{number}" if number > 1 else ""
        return self._folder() / f"{self._place.machine}{more}{SUFFIX}"

    def _files(self) -> Iterator[PurePosixPath]:
        for home in self._homes():
            folder = home / self._place.project
            names = sorted(each for each in self._names(folder) if _is_lines(each))
            yield from (folder / name for name in names)
        yield from self._foreign_files()

    def _foreign_files(self) -> Iterator[PurePosixPath]:
        name = f"{self._place.project}__anchors{SUFFIX}"
        for home in self._homes():
            yield from (home / each for each in self._names(home) if each == name)

    def _folder(self) -> PurePosixPath:
        """Name the folder that is written to: what is there, however it is spelled."""
        homes = self._homes()
        home = self._place.home
        return (home if home in homes or not homes else homes[0]) / self._place.project

    def _homes(self) -> tuple[PurePosixPath, ...]:
        """Name the folders of all tapes: pi-memory-md's is TAPE, and may be ours."""
        home = self._place.home
        if not home.name:
            return (home,)
        same = sorted(
            each
            for each in self._names(home.parent)
            if folded(each) == folded(home.name)
        )
        return tuple(home.parent / each for each in same)

    def _names(self, folder: PurePosixPath) -> list[str]:
        try:
            with self._tree.parent(folder / "any") as opened:
                return os.listdir(opened)
        except (NotFound, PathRefused, OSError):
            return []


def _machine(path: PurePosixPath) -> str:
    """Name the machine whose file it is, by the file's name."""
    return path.name.removesuffix(SUFFIX).partition("+")[0]


def _is_lines(name: str) -> bool:
    return name.endswith(SUFFIX) and not name.startswith(".")


def _parts(lines: Iterable[bytes], limit_bytes: int) -> Iterator[bytes]:
    """Join lines into parts that are no larger than a file may be."""
    every = tuple(lines)
    for start, end in _spans(list(map(len, every)), limit_bytes):
        yield b"".join(every[start:end])


def _spans(sizes: Sequence[int], limit: int) -> Iterator[tuple[int, int]]:
    """Split what has sizes into parts below a limit, one at least in each."""
    start = total = 0
    for at, size in enumerate(sizes):
        if at > start and total + size >= limit:
            yield start, at
            start, total = at, 0
        total += size
    if start < len(sizes):
        yield start, len(sizes)


def _line(record: Record) -> bytes:
    """Write a record as a line that every reader takes, or refuse it."""
    line = written(record)
    if read(line) is None:
        raise UsageError(
            f"An entry of the tape of {len(line):,} bytes would never be read again.",
            "Say it shorter; what is longer belongs into a memory.",
        )
    return line


def _stands(tail: bytes, record_id: str) -> bool:
    """Say whether a file's end has a whole line with an id."""
    named = (each for each in tail.splitlines() if record_id.encode() in each)
    return any(it is not None and it.id == record_id for it in map(read, named))


def _after(tail: bytes, now: datetime) -> datetime:
    """Give a moment of its own to what comes behind a file's last line."""
    last = next(filter(None, map(read, reversed(tail.splitlines()))), None)
    is_close = last is not None and now <= last.at < now + _SLIP
    return last.at + _TICK if last is not None and is_close else now
