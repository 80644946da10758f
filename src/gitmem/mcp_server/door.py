"""Run the server until its client leaves or a signal ends it.

Everything heavy is imported here, when a client has really started it.
"""

import gc
import os
import signal
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gitmem.errors import GitmemError
from gitmem.log import record
from gitmem.process import environment
from gitmem.settings.folders import folders

if TYPE_CHECKING:
    from gitmem.mcp_server.desk import Desk
    from gitmem.mcp_server.server import Server

# Hosts that tell the servers that they start in which session.
_TOLD: Final = {"claude-code": "CLAUDE_CODE_SESSION_ID"}
_ENDS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Wish:
    """How the server is wanted: over stdio, or over HTTP at a port."""

    start: Path
    groups: Sequence[str]
    port: int | None = None
    session: str = ""
    shows_token: bool = False


def serve(wish: Wish, say: Say) -> None:
    """Serve until the end; what was written is committed then. Does not return."""
    variables = environment()
    state = folders(variables).state

    def log(text: str) -> None:
        record(state, f"gitmem mcp: {text}", now=datetime.now(UTC))

    from gitmem.mcp_server import logs

    logs.begin(state)
    # What an import makes stays; looking through it for waste costs a tenth of it.
    gc.disable()
    import anyio  # heavy: 50 ms

    from gitmem.mcp_server.desk import Desk
    from gitmem.mcp_server.server import Server

    has_one_client = wish.port is None
    known = _sessions(wish, variables) if has_one_client else {}
    desk = Desk(wish.start, log, has_one_client=has_one_client, sessions=known)
    server = Server(desk, wish.groups, log)
    gc.enable()
    status = 1
    try:
        if wish.port is None:
            anyio.run(_over_stdio, server, desk, log)
        else:
            anyio.run(_over_http, server, desk, wish, state, say)
        status = 0
    except GitmemError:
        raise
    except Exception as error:  # noqa: BLE001  what was written is committed all the same
        log("".join(traceback.format_exception(error)))
    _leave(desk, status)


def _sessions(wish: Wish, variables: Mapping[str, str]) -> dict[str, str]:
    """Name the hosts' own sessions; another host's variable may be inherited."""
    if wish.session:
        return {"": wish.session}
    return {host: variables[name] for host, name in _TOLD.items() if name in variables}


async def _over_stdio(server: "Server", desk: "Desk", log: Say) -> None:
    import anyio  # heavy: 50 ms

    from gitmem.mcp_server import stdio

    async with anyio.create_task_group() as group:
        # A thread waits for the next line, and nothing but a line could wake it.
        group.start_soon(_on_signal, lambda: _leave(desk, 0))
        group.start_soon(desk.written.keep)
        try:
            await stdio.run(server)
        except* OSError as gone:
            log(f"the client went away: {gone.exceptions[0]}")
        group.cancel_scope.cancel()


async def _over_http(
    server: "Server", desk: "Desk", wish: Wish, state: Path, say: Say
) -> None:
    import anyio  # heavy: 50 ms

    from gitmem.mcp_server import web

    key = web.token(state)
    with web.listen(wish.port or 0) as opened:
        chosen = opened.getsockname()[1]
        running = web.Web(server, chosen, key.text)
        say(f"http://{web.HOST}:{chosen}{web.PATH}")
        say(f"The token is in {key.path}")
        if key.is_new and wish.shows_token:
            say(f"token: {key.text}")

        def stop() -> None:
            running.should_exit = True

        async with anyio.create_task_group() as group:
            group.start_soon(_on_signal, stop)
            group.start_soon(desk.written.keep)
            await running.serve(sockets=[opened])
            group.cancel_scope.cancel()


async def _on_signal(act: Callable[[], None]) -> None:
    import anyio  # heavy: 50 ms

    with anyio.open_signal_receiver(*_ENDS) as signals:
        async for _ in signals:
            act()


def _leave(desk: "Desk", status: int) -> None:
    """End what is at work, commit, and go, whatever thread still waits."""
    desk.abort()
    desk.written.leave()
    os._exit(status)
