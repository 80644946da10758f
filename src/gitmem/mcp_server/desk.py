"""Do the work of a call: aside, in the client's project, and broken off when asked."""

import os
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import unquote, urlsplit

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp_types import ListRootsResult

from gitmem.app import Caller, connect
from gitmem.mcp_server import clients
from gitmem.mcp_server.confirmation import Confirmations
from gitmem.mcp_server.progress import Meter
from gitmem.mcp_server.written import Written
from gitmem.process import Stopper
from gitmem.project.identity import identify
from gitmem.service.rooms import Watch

if TYPE_CHECKING:
    from gitmem.service.service import Service

_Answer = TypeVar("_Answer")
_SESSION_BYTES: Final = 6


class Desk:
    """What all calls of one server share."""

    def __init__(
        self,
        start: Path,
        log: Callable[[str], None],
        *,
        has_one_client: bool,
        sessions: Mapping[str, str] | None = None,
    ) -> None:
        """Remember the folder that the server was started in.

        `sessions` are the hosts' own that are known, by host, or "" for any.
        """
        self.start = start
        self._sessions = dict(sessions or {})
        self._session = f"mcp-{secrets.token_hex(_SESSION_BYTES)}"
        self.confirmations = Confirmations(lambda: datetime.now(UTC))
        self.written = Written(self.connect, self.session, log)
        self._has_one_client = has_one_client
        self._folder: Path | None = None
        self._at_work: set[Stopper] = set()

    def session(self, host: str) -> str:
        """Name the session in which a host writes: its own, or this server's."""
        anybodys = self._sessions.get("", self._session)
        return self._sessions.get(host, anybodys)

    def connect(self, folder: Path, host: str) -> "Service":
        """Connect for what is done after a call."""
        return connect(folder, caller=Caller(host, self.session(host)))

    async def do(
        self,
        context: Context[Any, Any],
        folder: Path,
        work: Callable[["Service"], _Answer],
    ) -> _Answer:
        """Have the service do something, told of as it goes on.

        When the call is cancelled, whatever program it waits for is ended.
        """
        caller, meter = self._caller(context), Meter()
        async with anyio.create_task_group() as group:
            group.start_soon(meter.report, context)
            outcome = await self._aside(folder, caller, meter.watch, work)
            group.cancel_scope.cancel()
        return outcome()

    async def look(self, folder: Path, work: Callable[["Service"], _Answer]) -> _Answer:
        """Have the service find something, for whoever calls."""
        nobody = Caller(clients.UNKNOWN, self.session(clients.UNKNOWN))
        outcome = await self._aside(folder, nobody, Watch(), work)
        return outcome()

    def abort(self) -> None:
        """End every program that any call waits for."""
        for stopper in tuple(self._at_work):
            stopper.abort()

    def knows_folder(self) -> bool:
        """Say whether the project is known without asking the client.

        A client of its own starts the server where it works; others cannot.
        """
        return self._has_one_client and (
            self._folder is not None or identify(self.start).is_git
        )

    def folder(self, named: ListRootsResult | None) -> Path:
        """Choose the folder whose project is meant: the client's first, or the start.

        The client says it, never a file of the project.
        """
        found = next(filter(None, map(_local, named.roots if named else ())), None)
        if not self._has_one_client:
            return found or self.start
        self._folder = self._folder or found
        return self._folder or self.start

    def _caller(self, context: Context[Any, Any]) -> Caller:
        """Say who calls; a host may tell with each call from which session."""
        host, named = clients.host(context), clients.session(context)
        if named and self._has_one_client and "" not in self._sessions:
            self._sessions[host] = named
        return Caller(host, self.session(host))

    async def _aside(
        self,
        folder: Path,
        caller: Caller,
        watch: Watch,
        work: Callable[["Service"], _Answer],
    ) -> Callable[[], _Answer]:
        stopper = Stopper()

        def called() -> _Answer:
            return work(connect(folder, caller=caller, watch=watch, stopper=stopper))

        self._at_work.add(stopper)
        try:
            return await anyio.to_thread.run_sync(
                partial(_outcome, called), abandon_on_cancel=True
            )
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(stopper.abort)
            raise
        finally:
            self._at_work.discard(stopper)


def _outcome(work: Callable[[], _Answer]) -> Callable[[], _Answer]:
    """Keep what work gives or raises: a task group would wrap what is raised in it."""
    try:
        given = work()
    except Exception as error:  # noqa: BLE001  raised again by whoever asks
        kept = error

        def fail() -> _Answer:
            raise kept

        return fail
    return lambda: given


def _local(root: Any) -> Path | None:  # noqa: ANN401  what the client named
    """Read a root as a folder of this machine, or as none."""
    parts = urlsplit(str(root.uri))
    path = unquote(parts.path)
    is_local = parts.scheme == "file" and parts.netloc in {"", "localhost"}
    if not is_local or "\0" in path or not os.path.isdir(path):
        return None
    return Path(path)
