"""Serve over HTTP: on this machine only, to whoever knows the token."""

import contextlib
import hmac
import json
import os
import re
import secrets
import socket
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from gitmem.errors import UsageError
from gitmem.files.atomic import private_folder, write

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

HOST: Final = "127.0.0.1"
PATH: Final = "/mcp"
TOKEN_FILE: Final = "mcp-token"  # noqa: S105  the name of a file
TOKEN_BYTES: Final = 32
# Of 32 bytes, as they are written.
TOKEN_CHARACTERS: Final = 43
TOKEN_LIMIT_BYTES: Final = 1_000
# More than a memory may have, in JSON.
BODY_LIMIT_BYTES: Final = 4 << 20
# Streams of clients that wait for news never end by themselves.
LEAVE_SECONDS: Final = 1
_NAMES: Final = (HOST, "localhost")


@dataclass(frozen=True, slots=True)
class Token:
    """What a client has to show, where it is kept, and whether it was just made."""

    text: str
    path: Path
    is_new: bool


def token(state: Path) -> Token:
    """Give the token of this machine, made once; a new one when its file is deleted."""
    path = state / TOKEN_FILE
    with contextlib.suppress(FileNotFoundError):
        return Token(_kept(path), path, is_new=False)
    private_folder(state)
    made = secrets.token_urlsafe(TOKEN_BYTES)
    write(path, f"{made}\n".encode("ascii"))
    return Token(made, path, is_new=True)


def _kept(path: Path) -> str:
    """Read a token that only this person can know; raises UsageError for another."""
    try:
        with open(path, "rb", opener=_unfollowed) as opened:
            found = os.fstat(opened.fileno())
            text = opened.read(TOKEN_LIMIT_BYTES).decode("ascii", "replace").strip()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _refused(path, f"cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
        raise _refused(path, "is not a file of yours")
    if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise _refused(path, "may be read or written by others")
    if len(text) < TOKEN_CHARACTERS or not re.fullmatch(r"[\w-]+", text, re.ASCII):
        raise _refused(path, "holds no token, or a short one")
    return text


def _unfollowed(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)


def _refused(path: Path, why: str) -> UsageError:
    return UsageError(
        f"The token file {path} {why}.", "Delete it; a new token is made then."
    )


def listen(port: int) -> socket.socket:
    """Take a port of the loopback interface, any that is free for 0."""
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((HOST, port))
        # Whoever is told the address may come before the server is ready.
        opened.listen()
    except (OSError, OverflowError) as error:
        opened.close()
        raise UsageError(
            f"Port {port} cannot be used: {error}.", "Choose another port, or 0."
        ) from error
    return opened


class Web(uvicorn.Server):
    """A web server that leaves signals to whoever runs it."""

    def __init__(self, server: "MCPServer[Any]", port: int, secret: str) -> None:
        """Wrap the server's own application into a gate."""
        app = server.streamable_http_app(
            streamable_http_path=PATH,
            max_request_body_size=BODY_LIMIT_BYTES,
            transport_security=TransportSecuritySettings(
                allowed_hosts=[f"{name}:{port}" for name in _NAMES],
                allowed_origins=[f"http://{name}:{port}" for name in _NAMES],
            ),
        )
        super().__init__(
            uvicorn.Config(
                Gate(app, secret),
                log_config=None,
                access_log=False,
                server_header=False,
                ws="none",
                timeout_graceful_shutdown=LEAVE_SECONDS,
            )
        )

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


class Gate:
    """Lets a request through that shows the token."""

    def __init__(self, app: Callable[..., Any], secret: str) -> None:
        """Remember what is behind the gate."""
        self._app = app
        self._wanted = f"Bearer {secret}".encode("ascii")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401
        """Pass a request on, or refuse it before a byte of it is looked at."""
        if scope["type"] == "lifespan" or self._is_allowed(scope):
            await self._app(scope, receive, send)
            return
        body = json.dumps({"error": "the token is missing or wrong"}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"www-authenticate", b"Bearer"),
        ]
        start = {"type": "http.response.start", "status": 401, "headers": headers}
        await send(start)
        await send({"type": "http.response.body", "body": body})

    def _is_allowed(self, scope: Any) -> bool:  # noqa: ANN401  as ASGI has it
        shown = [text for name, text in scope["headers"] if name == b"authorization"]
        return len(shown) == 1 and hmac.compare_digest(shown[0], self._wanted)
