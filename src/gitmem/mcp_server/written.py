"""See that what was written is committed: after a quiet time, and at the end."""

import os
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import anyio
import anyio.to_thread

from gitmem.daemon import door
from gitmem.errors import GitmemError
from gitmem.service.answers import Visit

if TYPE_CHECKING:
    from gitmem.service.service import Service

# Before a daemon would commit it under its own name.
QUIET_SECONDS: Final = 3.0

Connect = Callable[[Path, str], "Service"]
Log = Callable[[str], None]


class Written:
    """What the clients of this server wrote, until it is committed."""

    def __init__(
        self, connect: Connect, session: Callable[[str], str], log: Log
    ) -> None:
        """Remember how to reach the service; nothing was written yet.

        `session` names the session in which a host writes.
        """
        self._connect = connect
        self._session = session
        self._log = log
        self._begun: set[str] = set()
        self._hosts: dict[str, Path] = {}
        self._latest: tuple[Path, str] | None = None
        self._news = anyio.Event()

    def announce(self, service: "Service", host: str) -> None:
        """Make the session known before its first write, in case it dies.

        Whoever finds that its process is gone commits what it left, in its name. One
        that its host has made known is begun and ended by that.
        """
        if host in self._hosts or not service.rooms.loaded.settings.enabled:
            return
        with suppress(GitmemError):
            session = self._session(host)
            if service.rooms.sessions().find(host, session) is None:
                service.session.start(self._visit(host))
                self._begun.add(host)

    def note(self, folder: Path, host: str) -> None:
        """Note that something was written."""
        self._hosts[host] = folder
        self._latest = folder, host
        self._news.set()

    async def keep(self) -> None:
        """Commit what was written whenever it was quiet for a while."""
        while True:
            await self._news.wait()
            while self._news.is_set():
                self._news = anyio.Event()
                await anyio.sleep(QUIET_SECONDS)
            await anyio.to_thread.run_sync(self._commit, abandon_on_cancel=True)

    def leave(self) -> None:
        """Commit what is there, and end the sessions that this server has begun."""
        for host, folder in tuple(self._hosts.items()):
            self._try(self._end, folder, host)

    def _end(self, folder: Path, host: str) -> None:
        service = self._connect(folder, host)
        if host in self._begun:
            door.session_end(service, self._visit(host))
        elif service.rooms.loaded.settings.enabled:
            service.commit()

    def _commit(self) -> None:
        if self._latest is not None:
            self._try(self._commit_at, *self._latest)

    def _commit_at(self, folder: Path, host: str) -> None:
        service = self._connect(folder, host)
        if service.rooms.loaded.settings.enabled:
            service.commit()

    def _try(self, act: Callable[[Path, str], None], folder: Path, host: str) -> None:
        """Write down what keeps a commit: what was written waits on the disk."""
        try:
            act(folder, host)
        except Exception as error:  # noqa: BLE001  the server must go on, or leave
            self._log("".join(traceback.format_exception(error)))

    def _visit(self, host: str) -> Visit:
        return Visit(host, self._session(host), "mcp", os.getpid())
