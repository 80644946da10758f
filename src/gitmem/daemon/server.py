"""Answer on the socket: one dispatcher, no logic.

Whatever comes in, half, huge, hung or hostile, costs one connection and no more.
"""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gitmem.daemon import protocol
from gitmem.errors import GitmemError, PathRefused, UsageError
from gitmem.files.atomic import PRIVATE_FILE, disk_errors, own_folder
from gitmem.files.names import shown
from gitmem.secrets import mask


@dataclass(frozen=True, slots=True)
class Handed:
    """An answer that is to arrive, and what notes that it did not.

    Who `confirms` sends a byte when the answer came to its end.
    """

    value: object
    missed: Callable[[], Awaitable[object]]
    confirms: bool = False


_Found = tuple[bytes, Handed | None]
Answerer = Callable[[dict[str, Any]], Awaitable[object]]
CONNECTIONS_AT_MOST: Final = 64


class Server:
    """The socket of one daemon."""

    def __init__(
        self, path: Path, verbs: Mapping[str, Answerer], *, hung_seconds: float
    ) -> None:
        """Remember what there is to ask; `listen` opens the socket."""
        self.path = path
        self._verbs = verbs
        self._hung_seconds = hung_seconds
        self._open = 0
        self._server: asyncio.Server | None = None

    async def listen(self) -> None:
        """Open the socket, in place of one that a dead daemon left.

        Only the holder of the lock may call this.
        """
        own_folder(self.path.parent)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with disk_errors(self.path):
                self.path.unlink(missing_ok=True)
                listener.bind(os.fspath(self.path))
                self.path.chmod(PRIVATE_FILE)
        except OSError as error:
            listener.close()
            raise PathRefused(
                f"{shown(str(self.path))} cannot be made: {error.strerror}.",
                "Look at what lies there, and remove it; gitmem makes its own.",
            ) from error
        self._server = await asyncio.start_unix_server(
            self._serve, sock=listener, limit=protocol.REQUEST_LIMIT_BYTES
        )

    def close(self) -> None:
        """Accept nobody any more; the path is left to who owns it."""
        if self._server is not None:
            self._server.close()

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._open += 1
        try:
            if self._open <= CONNECTIONS_AT_MOST and _is_ours(writer):
                async with asyncio.timeout(self._hung_seconds):
                    line = await _line(reader)
                if line is not None:
                    await self._hand_over(await self._answer(line), reader, writer)
        except (OSError, TimeoutError):
            # It went away, or hangs: it has what it deserves.
            writer.transport.abort()
        finally:
            self._open -= 1
            writer.close()

    async def _hand_over(
        self, found: _Found, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Answer, and have it noted where the answer did not arrive."""
        line, handed = found
        has_arrived = False
        try:
            writer.write(line)
            async with asyncio.timeout(self._hung_seconds):
                await writer.drain()
                confirms = handed is not None and handed.confirms
                has_arrived = not confirms or bool(await reader.read(1))
        finally:
            if handed is not None and not has_arrived:
                await handed.missed()

    async def _answer(self, line: bytes) -> _Found:
        """Do what a line asks for; the boundary of the server."""
        try:
            request = protocol.read_request(line)
            answer = self._verbs.get(request.verb, _unknown)
            found = await answer(request.arguments)
            handed = found if isinstance(found, Handed) else None
            value = found if handed is None else handed.value
            return protocol.answer_line(value), handed
        except protocol.Mismatch as error:
            hint = "Restart it: gitmem daemon stop, then gitmem daemon start."
            return _failed("Mismatch", f"It cannot be asked: {error}.", hint)
        except protocol.Malformed as error:
            return _failed("Malformed", f"It cannot be read: {error}.")
        except GitmemError as error:
            return _failed(type(error).__name__, error.message, error.hint)
        except Exception as error:  # noqa: BLE001  the boundary of the server
            return _failed("Unexpected", f"{type(error).__name__}: {error}")


async def _unknown(_: dict[str, Any]) -> object:
    raise UsageError("The daemon has no such verb.", "Restart it: gitmem daemon stop")


async def _line(reader: asyncio.StreamReader) -> bytes | None:
    """Read one line; None for half a line, and for one that never ends."""
    try:
        return await reader.readuntil(b"\n")
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError:
        return b"[]\n"


def _is_ours(writer: asyncio.StreamWriter) -> bool:
    connection: socket.socket = writer.get_extra_info("socket")
    return protocol.peer_uid(connection) in {None, os.geteuid()}


def _failed(kind: str, message: str, hint: str = "") -> _Found:
    failure = protocol.Failure(kind, mask(message), mask(hint))
    return protocol.failure_line(failure), None
