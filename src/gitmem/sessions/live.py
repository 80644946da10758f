"""Which sessions of hosts are at work on this machine, one small file each."""

import contextlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any, Final

from gitmem.errors import GitmemError
from gitmem.files.atomic import private_folder, write
from gitmem.sessions import names
from gitmem.sessions.names import file_name

KEEP_FOR: Final = timedelta(days=30)
UNSEEN_FOR: Final = timedelta(hours=24)
_FORMAT: Final = 1
_LIVE: Final = "live"
_TOLD_PATHS: Final = 100


@dataclass(frozen=True, slots=True)
class Session:
    """A session of a host that has begun and not ended.

    `news` are the files that pulls brought and of which it was not told yet, and
    `transcript` is what its host keeps of it.
    """

    host: str
    id: str
    cwd: str
    started: datetime
    pid: int | None = None
    born: str = ""
    reason: str = ""
    news: tuple[str, ...] = ()
    transcript: str = ""


class Sessions:
    """The sessions at work that are remembered in one folder."""

    def __init__(self, folder: Path) -> None:
        """Remember the folder; it is created by the first write."""
        self.folder = folder

    def register(self, session: Session) -> bool:
        """Remember that a session is at work; say whether it is a new one.

        One that is known already keeps its beginning: hosts announce one twice.
        """
        known = self.find(session.host, session.id)
        if known is not None:
            session = replace(
                session,
                started=known.started,
                news=known.news,
                transcript=session.transcript or known.transcript,
            )
        self._keep(session)
        return known is None

    def find(self, host: str, session_id: str) -> Session | None:
        """Give a session that is at work."""
        return self._load(file_name(host, session_id))

    def live(self) -> tuple[Session, ...]:
        """Give the sessions at work, the oldest first."""
        with contextlib.suppress(OSError):
            names = os.listdir(self.folder / _LIVE)
            found = (self._load(name) for name in names if name.endswith(".json"))
            known = (session for session in found if session is not None)
            return tuple(sorted(known, key=lambda each: (each.started, each.id)))
        return ()

    def forget(self, host: str, session_id: str) -> bool:
        """Remember a session no longer; say whether it was known."""
        try:
            (self.folder / _LIVE / file_name(host, session_id)).unlink()
        except FileNotFoundError:
            return False
        return True

    def seen(self, host: str, session_id: str) -> None:
        """Note that a session gave a sign of life."""
        with contextlib.suppress(OSError):
            os.utime(self.folder / _LIVE / file_name(host, session_id))

    def last_seen(self, session: Session) -> datetime:
        """Say when a session gave its last sign of life."""
        path = self.folder / _LIVE / file_name(session.host, session.id)
        try:
            return datetime.fromtimestamp(path.stat().st_mtime, UTC)
        except FileNotFoundError:
            return session.started

    def bring_news(self, paths: Iterable[PurePosixPath]) -> None:
        """Note, for every session, what a pull has brought."""
        news = tuple(map(str, paths))
        for session in self.live():
            self.add_news(session.host, session.id, news)

    def add_news(self, host: str, session_id: str, news: Iterable[str]) -> None:
        """Note what a session is to be told at its next turn."""
        session = self.find(host, session_id)
        if session is None:
            return
        both = tuple(dict.fromkeys((*session.news, *news)))[:_TOLD_PATHS]
        if both != session.news:
            self._keep(replace(session, news=both))

    def take_news(self, host: str, session_id: str) -> tuple[str, ...]:
        """Give what pulls have brought to a session, once."""
        session = self.find(host, session_id)
        if session is None or not session.news:
            return ()
        self._keep(replace(session, news=()))
        return session.news

    def _keep(self, session: Session) -> None:
        """Keep a session; where that cannot be, it is told things again."""
        data = json.dumps({"format": _FORMAT, **asdict(session)}, default=str)
        with contextlib.suppress(GitmemError, OSError):
            folder = private_folder(self.folder / _LIVE)
            name = file_name(session.host, session.id)
            write(folder / name, data.encode("ascii"), durable=False)

    def _load(self, name: str) -> Session | None:
        """Read what is known of a session; what cannot be understood counts as none."""
        found = names.read(self.folder, name, below=_LIVE)
        try:
            return None if found is None else _session(found)
        except (KeyError, TypeError, ValueError, AttributeError):
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
    found.pop("waits", None)  # an older gitmem kept it
    texts = {name: str(text) for name, text in found.items()}
    return Session(
        started=started.astimezone(UTC),
        pid=pid if isinstance(pid, int) and pid > 0 else None,
        news=news,
        **texts,
    )
