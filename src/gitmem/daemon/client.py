"""Ask the daemon; whoever gets no answer does the work without it.

Imports the standard library only, and gives up at its deadline whatever the other side
does.
"""

import os
import socket
import time
from pathlib import Path
from typing import Any, Final

from gitmem.daemon import protocol
from gitmem.errors import NoDaemon

_HINT: Final = "Everything works without it; start one with `gitmem daemon start`."
_CHUNK_BYTES: Final = 65536


def call(
    path: Path, verb: str, arguments: dict[str, Any], *, timeout_seconds: float
) -> Any:  # noqa: ANN401  what the verb answers
    """Ask one thing of the daemon behind a socket.

    Raises NoDaemon when there is none, when it is not ours, and when its answer is
    late, broken or a refusal.
    """
    ends = time.monotonic() + timeout_seconds
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(timeout_seconds)
            connection.connect(os.fspath(path))
            if protocol.peer_uid(connection) not in {None, os.geteuid()}:
                raise _none("the socket belongs to another user")
            connection.sendall(protocol.request_line(verb, arguments))
            answer = protocol.read_answer(_line(connection, ends))
    except (FileNotFoundError, ConnectionRefusedError) as error:
        raise NoDaemon("None runs.", _HINT) from error
    except (OSError, ValueError, protocol.Malformed) as error:
        raise _none(str(error)) from error
    if isinstance(answer, protocol.Failure):
        raise NoDaemon(answer.message, answer.hint or _HINT)
    return answer


def _line(connection: socket.socket, ends: float) -> bytes:
    """Read up to the end of the line, within one deadline for all of it."""
    data = bytearray()
    while not data.endswith(b"\n"):
        left = ends - time.monotonic()
        if left <= 0:
            raise TimeoutError("the answer is late")
        connection.settimeout(left)
        chunk = connection.recv(_CHUNK_BYTES)
        data += chunk
        if not chunk or len(data) > protocol.ANSWER_LIMIT_BYTES:
            raise protocol.Malformed("the answer is broken")
    return bytes(data)


def _none(why: str) -> NoDaemon:
    return NoDaemon(f"No daemon of this repository answers: {why}.", _HINT)
