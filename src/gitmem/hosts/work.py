"""What sessions did with files, read once from their transcripts."""

import hashlib
import os
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from typing import Final

from gitmem.hosts.entry import EDIT, MEMORY_WRITE, Call, Entry, Lines, Session, Touch
from gitmem.hosts.lines import START, Place, opened
from gitmem.hosts.transcripts import File, Transcripts, follow

# Of one transcript: more than anybody's recent work.
MOST_ACCESSES: Final = 2000
MOST_IDS: Final = 200
MOST_PENDING: Final = 50
_CHECKED_BYTES: Final = 256
_LINES_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True)
class Access:
    """A file that a session read or changed, when, and as its how manieth entry.

    `path` is absolute, but for a memory's, which is as it was said.
    """

    at: float
    path: str
    kind: str
    session: str
    ordinal: int
    lines: tuple[Lines, ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """What is known of one transcript, and how far it was read.

    `owner` is None for one that is not the project's. `check` is of the bytes before
    the place, `ids` are the last entries', `pending` are edits without a result yet.
    """

    file: File
    owner: Session | None = None
    place: Place = START
    check: str = ""
    count: int = 0
    last: float = 0.0
    ids: tuple[str, ...] = ()
    pending: Mapping[str, str] = field(default_factory=dict)
    accesses: tuple[Access, ...] = ()

    def ordinal(self, entry: str) -> int | None:
        """Say as how manieth an entry came; None for one that is not known."""
        if entry not in self.ids:
            return None
        return self.count - len(self.ids) + self.ids.index(entry)


@dataclass(frozen=True, slots=True)
class Scan:
    """How a scan is done: how far back, until when, and who watches.

    `goes_on` is asked now and then; what it cuts off is read at the next scan.
    """

    since: datetime
    goes_on: Callable[[], bool] = lambda: True
    progress: Callable[[int, int], None] = lambda _done, _total: None


def scan(
    transcripts: Transcripts, known: Mapping[str, Read], how: Scan
) -> dict[str, Read]:
    """Read what is new in a project's transcripts, the last changed first."""
    files = transcripts.files()
    todo = [file for file in files if _is_due(file, known.get(file.path), how.since)]
    found = {file.path: known[file.path] for file in files if file.path in known}
    total = sum(_unread(file, known.get(file.path)) for file in todo)
    done = 0
    for file in todo:
        if not how.goes_on():
            break
        before = done

        def watch(read: int, base: int = before) -> None:
            how.progress(min(base + read, total), total)

        found[file.path] = _read(
            transcripts, file, known.get(file.path), how.goes_on, watch
        )
        done += _unread(file, known.get(file.path))
        how.progress(done, total)
    return found


def accesses(found: Mapping[str, Read]) -> tuple[Access, ...]:
    """Give all accesses in their order; a fork holds its parent's once more."""
    every = chain.from_iterable(each.accesses for each in found.values())
    once = {(each.at, each.path, each.kind, each.lines): each for each in every}
    return tuple(sorted(once.values(), key=lambda each: (each.at, each.ordinal)))


def _is_due(file: File, known: Read | None, since: datetime) -> bool:
    if known is None:
        return file.changed_ns >= since.timestamp() * 1e9
    is_cut = known.owner is not None and known.place.offset < known.file.size
    return file != known.file or (is_cut and not _is_torn(known))


def _is_torn(known: Read) -> bool:
    """Say whether only the end of the last line is missing."""
    with opened(known.file.path) as file:
        if file is None:
            return True
        file.seek(known.place.offset)
        size = known.file.size - known.place.offset
        return size < _CHECKED_BYTES and b"\n" not in file.read(size)


def _unread(file: File, known: Read | None) -> int:
    return max(0, file.size - (known.place.offset if known else 0))


def _read(
    transcripts: Transcripts,
    file: File,
    known: Read | None,
    goes_on: Callable[[], bool],
    watch: Callable[[int], None],
) -> Read:
    before = known if known and _has_grown(file, known) else Read(file)
    owner = before.owner or transcripts.opened(file)
    if owner is None:
        return Read(file)
    home = str(transcripts.where.home)
    gathered = _Gathered(replace(before, file=file, owner=owner), owner, home)
    for number, followed in enumerate(follow(owner, before.place), start=1):
        gathered.take(followed.entry, followed.behind)
        if number % _LINES_AT_ONCE == 0:
            watch(gathered.place.offset - before.place.offset)
            if not goes_on():
                break
    return gathered.read()


def _has_grown(file: File, known: Read) -> bool:
    is_same = file.inode == known.file.inode and file.size >= known.place.offset
    return is_same and known.check == _check(file.path, known.place.offset)


def _check(path: str, offset: int) -> str:
    """Name what stands before a place, to tell a grown file from another one."""
    start = max(0, offset - _CHECKED_BYTES)
    with opened(path) as file:
        if file is None:
            return ""
        try:
            data = os.pread(file.fileno(), offset - start, start)
        except OSError:
            return ""
    return hashlib.blake2b(data, digest_size=8).hexdigest()


class _Gathered:
    """What the lines of a transcript come to, one after the other."""

    def __init__(self, before: Read, owner: Session, home: str) -> None:
        self._before = before
        self._owner = owner
        self._home = home
        self._ids = deque(before.ids, MOST_IDS)
        self._accesses = deque(before.accesses, MOST_ACCESSES)
        self._pending = dict(before.pending)
        self._count = before.count
        self._last = before.last
        self.place = before.place

    def take(self, entry: Entry | None, behind: Place) -> None:
        self.place = behind
        if entry is None:
            return
        at = entry.at.timestamp()
        self._last = max(self._last, at)
        for call in entry.calls:
            if access := self._access(call, at):
                self._accesses.append(access)
        self._ids.append(entry.id)
        self._count += 1

    def read(self) -> Read:
        return replace(
            self._before,
            place=self.place,
            check=_check(self._before.file.path, self.place.offset),
            count=self._count,
            last=self._last,
            ids=tuple(self._ids),
            pending=dict(list(self._pending.items())[-MOST_PENDING:]),
            accesses=tuple(self._accesses),
        )

    def _access(self, call: Call, at: float) -> Access | None:
        touch = call.touch
        if touch is None:
            return None
        if not touch.path:
            # A result tells the lines of an edit that is counted already.
            self._changed(call.id, touch)
            return None
        path = touch.path if touch.kind == MEMORY_WRITE else self._whole(touch.path)
        if touch.kind == EDIT and not touch.lines and call.id:
            self._pending[call.id] = path
        return Access(at, path, touch.kind, self._owner.id, self._count, touch.lines)

    def _whole(self, path: str) -> str:
        if path.startswith("~/"):
            path = os.path.join(self._home, path[2:])
        return os.path.normpath(os.path.join(self._owner.cwd, path))

    def _changed(self, call: str, touch: Touch) -> None:
        path = self._pending.pop(call, "")
        if not path or not touch.lines:
            return
        for index in range(len(self._accesses) - 1, -1, -1):
            each = self._accesses[index]
            if (each.path, each.kind, each.lines) == (path, EDIT, ()):
                self._accesses[index] = replace(each, lines=touch.lines)
                return
