"""Find the transcripts of a project, and read their entries; nothing is written."""

import importlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Protocol, cast

from gitmem.hosts.entry import Entry, Session
from gitmem.hosts.lines import START, Line, Place, lines, opened
from gitmem.hosts.place import Where

# The last entry is nearly always in the first of these.
TAILS_BYTES: Final = (64 * 1024, 1024 * 1024)
MOST_SESSIONS: Final = 5000
_READERS: Final = {
    "claude-code": "gitmem.hosts.claude_code.transcript",
    "pi": "gitmem.hosts.pi.transcript",
    "codex": "gitmem.hosts.codex.rollout",
}


class Reader(Protocol):
    """What the `transcript` module of a host is to the outside."""

    def roots(self, where: Where) -> tuple[Path, ...]:
        """Name the folders that the host keeps its sessions in."""

    def root_of(self, transcript: Path) -> Path:
        """Name the root that a session's file lies in."""

    def files(self, root: Path, folder: str) -> Iterable[Path]:
        """Find the sessions that may have been begun in a folder or below it."""

    def header(self, path: str) -> Session | None:
        """Read whose session a file is."""

    def is_silent(self, line: bytes) -> bool:
        """Say at a glance that a line holds no entry."""

    def parse(
        self, line: Mapping[str, Any], session: str, position: int
    ) -> Entry | None:
        """Read an entry of the host's."""


@dataclass(frozen=True, slots=True)
class File:
    """A transcript as it lies on disk now."""

    host: str
    path: str
    size: int
    inode: int
    changed_ns: int


@dataclass(frozen=True, slots=True)
class Followed:
    """What a line of a transcript says, if anything, and the place behind it."""

    entry: Entry | None
    behind: Place


@dataclass(frozen=True)
class Transcripts:
    """The sessions of one project, as the hosts of this machine keep them.

    `folders` are the project's work trees, `owns` says of another folder whether it is
    the project's. `known` are roots beside the usual ones, by host.
    """

    where: Where
    folders: tuple[Path, ...]
    owns: Callable[[str], bool]
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def files(self) -> tuple[File, ...]:
        """Find what may be the project's transcripts, the last changed first."""
        found = {file.path: file for file in self._files()}
        newest = sorted(found.values(), key=lambda each: (-each.changed_ns, each.path))
        return tuple(newest[:MOST_SESSIONS])

    def sessions(self) -> tuple[Session, ...]:
        """Give the project's sessions, the last changed first."""
        found = (self.opened(file) for file in self.files())
        return tuple(each for each in found if each is not None and not each.is_part)

    def session(self, host: str, session_id: str) -> Session | None:
        """Find a session of the project by its id."""
        for file in self.files():
            if file.host == host and session_id and session_id in file.path:
                session = self.opened(file)
                if session is not None and session.id == session_id:
                    return None if session.is_part else session
        every = (each for each in self.sessions() if each.host == host)
        return next((each for each in every if each.id == session_id), None)

    def opened(self, file: File) -> Session | None:
        """Read whose session a file is; None where it is not the project's."""
        session = _reader(file.host).header(file.path)
        return session if session and self.owns(session.cwd) else None

    def entries(self, session: Session) -> Iterator[Entry]:
        """Read the entries of a session in the order of its file."""
        for followed in follow(session):
            if followed.entry is not None:
                yield followed.entry

    def last_entry(self, host: str, session_id: str, path: str = "") -> Entry | None:
        """Read the last entry of a session; only the end of its file is read."""
        if not path:
            session = self.session(host, session_id)
            path = session.path if session else ""
        return last_entry(host, session_id, path) if path else None

    def _files(self) -> Iterator[File]:
        for host in _READERS:
            reader = _reader(host)
            roots = (*reader.roots(self.where), *map(Path, self.known.get(host, ())))
            for root in dict.fromkeys(roots):
                for path in self._paths(reader, root):
                    if file := _file(host, path):
                        yield file

    def _paths(self, reader: Reader, root: Path) -> Iterable[Path]:
        found: dict[Path, None] = {}
        for folder in self.folders:
            with suppress(OSError):
                found |= dict.fromkeys(reader.files(root, str(folder)))
        return found


def root_of(host: str, path: str) -> str:
    """Name the root that a session's file lies in; empty where nobody reads it."""
    if host not in _READERS or not path.startswith("/"):
        return ""
    return str(_reader(host).root_of(Path(path)))


def follow(session: Session, since: Place = START) -> Iterator[Followed]:
    """Read what came into a transcript since a place in it."""
    reader = _reader(session.host)
    for line in lines(session.path, since):
        yield Followed(_parsed(reader, session.id, line), line.behind)


def last_entry(host: str, session_id: str, path: str) -> Entry | None:
    """Read the last entry in the end of a transcript.

    Its position is not known, and given as 0.
    """
    if host not in _READERS:
        return None
    reader = _reader(host)
    for size in TAILS_BYTES:
        for data in reversed(_tail(path, size).split(b"\n")):
            line = Line(data, START, START)
            entry = _parsed(reader, session_id, line)
            if entry is not None and entry.id:
                return entry
    return None


def _reader(host: str) -> Reader:
    return cast("Reader", importlib.import_module(_READERS[host]))


def _parsed(reader: Reader, session: str, line: Line) -> Entry | None:
    if reader.is_silent(line.data):
        return None
    found = line.read()
    entry = reader.parse(found, session, line.place.position) if found else None
    if entry is None or _is_text(entry.text):
        return entry
    # Half of a character, as JSON may hold it, can be written nowhere.
    return replace(entry, text=entry.text.encode("utf-8", "replace").decode("utf-8"))


def _is_text(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _tail(path: str, size_bytes: int) -> bytes:
    with opened(path) as file:
        if file is None:
            return b""
        with suppress(OSError):
            end = file.seek(0, os.SEEK_END)
            file.seek(max(0, end - size_bytes))
            return file.read(size_bytes)
    return b""


def _file(host: str, path: Path) -> File | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return File(host, str(path), found.st_size, found.st_ino, found.st_mtime_ns)
