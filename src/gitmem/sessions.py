"""What this machine remembers of a host's sessions, one small file each."""

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any, Final

from gitmem.errors import NotFound, PathRefused
from gitmem.files.atomic import private_folder, write
from gitmem.files.tree import Tree

LIMIT_BYTES: Final = 1024 * 1024
KEEP_FOR: Final = timedelta(days=30)
UNSEEN_FOR: Final = timedelta(hours=24)
_FORMAT: Final = 1
_LIVE: Final = "live"
_TOLD_PATHS: Final = 100


@dataclass(frozen=True, slots=True)
class Session:
    """A session of a host that has begun and not ended.

    `waits` while a pull that it began with has not landed; `news` are the files that
    the pull brought after the session was told its start text.
    """

    host: str
    id: str
    cwd: str
    started: datetime
    pid: int | None = None
    born: str = ""
    reason: str = ""
    waits: bool = False
    news: tuple[str, ...] = ()


class Sessions:
    """The sessions remembered in one folder; losing it costs a rendering."""

    def __init__(self, folder: Path) -> None:
        """Remember the folder; it is created by the first write."""
        self.folder = folder

    def snapshot(self, host: str, session_id: str) -> str | None:
        """Give the start text that this session was told, if it was told one.

        A file that cannot be understood counts as none.
        """
        try:
            data = Tree(self.folder).read(
                PurePosixPath(_file_name(host, session_id)), limit_bytes=LIMIT_BYTES
            )
            state = json.loads(data)
        except (NotFound, PathRefused, OSError, ValueError, RecursionError):
            return None
        if not isinstance(state, dict) or state.get("format") != _FORMAT:
            return None
        text = state.get("start_text")
        return text if isinstance(text, str) else None

    def remember_start(self, host: str, session_id: str, text: str) -> None:
        """Keep the start text of a session, in place of an earlier one."""
        state = {"format": _FORMAT, "start_text": text}
        path = private_folder(self.folder) / _file_name(host, session_id)
        write(path, json.dumps(state).encode("ascii"))

    def register(self, session: Session) -> bool:
        """Remember that a session is at work; say whether it is a new one.

        One that is known already keeps its beginning: hosts announce one twice.
        """
        known = self.find(session.host, session.id)
        if known is not None:
            session = replace(session, started=known.started, news=known.news)
        self._keep(session)
        return known is None

    def find(self, host: str, session_id: str) -> Session | None:
        """Give a session that is at work."""
        return self._load(_file_name(host, session_id))

    def live(self) -> tuple[Session, ...]:
        """Give the sessions at work, the oldest first."""
        with contextlib.suppress(FileNotFoundError):
            names = os.listdir(self.folder / _LIVE)
            found = (self._load(name) for name in names if name.endswith(".json"))
            known = (session for session in found if session is not None)
            return tuple(sorted(known, key=lambda each: (each.started, each.id)))
        return ()

    def forget(self, host: str, session_id: str) -> bool:
        """Remember a session no longer; say whether it was known."""
        try:
            (self.folder / _LIVE / _file_name(host, session_id)).unlink()
        except FileNotFoundError:
            return False
        return True

    def seen(self, host: str, session_id: str) -> None:
        """Note that a session gave a sign of life."""
        with contextlib.suppress(FileNotFoundError):
            os.utime(self.folder / _LIVE / _file_name(host, session_id))

    def last_seen(self, session: Session) -> datetime:
        """Say when a session gave its last sign of life."""
        path = self.folder / _LIVE / _file_name(session.host, session.id)
        try:
            return datetime.fromtimestamp(path.stat().st_mtime, UTC)
        except FileNotFoundError:
            return session.started

    def await_news(self, host: str, session_id: str, *, waits: bool) -> None:
        """Note that a session waits for a pull, or that it landed in time."""
        session = self.find(host, session_id)
        if session is not None:
            self._keep(replace(session, waits=waits, news=()))

    def bring_news(self, paths: Iterable[PurePosixPath]) -> None:
        """Note, for every session that waits, what a pull has brought."""
        news = tuple(map(str, paths))[:_TOLD_PATHS]
        for session in self.live():
            if session.waits:
                self._keep(replace(session, waits=False, news=news))

    def take_news(self, host: str, session_id: str) -> tuple[str, ...]:
        """Give what a late pull has brought to a session, once."""
        session = self.find(host, session_id)
        if session is None or not session.news:
            return ()
        self._keep(replace(session, news=()))
        return session.news

    def _keep(self, session: Session) -> None:
        folder = private_folder(self.folder / _LIVE)
        data = json.dumps({"format": _FORMAT, **asdict(session)}, default=str)
        write(folder / _file_name(session.host, session.id), data.encode("ascii"))

    def _load(self, name: str) -> Session | None:
        """Read what is known of a session; what cannot be understood counts as none."""
        try:
            path = PurePosixPath(_LIVE) / name
            found = json.loads(Tree(self.folder).read(path, limit_bytes=LIMIT_BYTES))
            return _session(found)
        except (NotFound, PathRefused, OSError, ValueError, RecursionError):
            return None
        except (KeyError, TypeError, AttributeError):
            return None

    def prune(self, now: datetime) -> None:
        """Forget sessions that were not written for `KEEP_FOR`."""
        with contextlib.suppress(FileNotFoundError):
            for path in self.folder.iterdir():
                with contextlib.suppress(OSError):
                    written = datetime.fromtimestamp(path.lstat().st_mtime, UTC)
                    if now - written > KEEP_FOR:
                        path.unlink()


def _session(found: dict[str, Any]) -> Session:
    if found.pop("format") != _FORMAT:
        raise ValueError("it was written by another gitmem")
    started = datetime.fromisoformat(found.pop("started"))
    pid = found.pop("pid")
    news = tuple(map(str, found.pop("news")))
    waits = bool(found.pop("waits"))
    texts = {name: str(text) for name, text in found.items()}
    return Session(
        started=started.astimezone(UTC),
        pid=pid if isinstance(pid, int) and pid > 0 else None,
        news=news,
        waits=waits,
        **texts,
    )


def _file_name(host: str, session_id: str) -> str:
    """Name a file after an id that may hold anything, even half a character."""
    key = json.dumps([host, session_id]).encode("ascii")
    return f"{hashlib.sha256(key).hexdigest()}.json"
