"""`git http-backend` behind a small web server that can be told to misbehave."""

import base64
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

REASONS = {401: "Unauthorized", 403: "Forbidden", 404: "Not Found"}


@dataclass
class Mood:
    """How the server answers; a test changes it while the server runs.

    `status` refuses everything. A pack is sent by half, and the rest is cut off or held
    back; one that is received is not read to its end. `bytes_a_second` makes both
    directions slow.
    """

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    credential: str = ""
    is_silent: bool = False
    cuts: bool = False
    freezes: bool = False
    stops_reading: bool = False
    bytes_a_second: int = 0


class Web(ThreadingHTTPServer):
    """One server for all repositories below a folder."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.mood = Mood()
        self.asked: list[str] = []
        self.closing = threading.Event()
        self.thread = threading.Thread(
            target=self.serve_forever, args=(0.05,), daemon=True
        )
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/remote.git"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed hangs up; that is what is tested."""

    def stop(self) -> None:
        self.closing.set()
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    """Speak CGI with `git http-backend`, in the server's mood."""

    server: Web

    def do_GET(self) -> None:
        self._serve(b"")

    def do_POST(self) -> None:
        self._serve(b"".join(self._paced(self._body())))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Stay silent."""

    def _serve(self, body: bytes) -> None:
        mood = self.server.mood
        self.server.asked.append(self.path)
        if mood.is_silent:
            self.server.closing.wait(60)
        elif mood.status != 200:
            self._refuse(mood.status, mood.headers)
        elif mood.credential and self.headers["Authorization"] != basic(
            mood.credential
        ):
            self._refuse(401, {"WWW-Authenticate": 'Basic realm="memories"'})
        else:
            self._answer(backend(self._variables(), body))

    def _refuse(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status, REASONS.get(status))
        for name, text in headers.items():
            self.send_header(name, text)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _answer(self, said: bytes) -> None:
        head, _, body = said.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().splitlines())
        self.send_response(int(fields.pop("Status", "200").split(" ")[0]))
        for name, text in fields.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        mood = self.server.mood
        is_pack = b"PACK" in body
        if is_pack and (mood.cuts or mood.freezes):
            self.wfile.write(body[: len(body) // 2])
            self.wfile.flush()
            self.server.closing.wait(60 if mood.freezes else 0)
            return
        for part in self._paced(pieces(body)):
            self.wfile.write(part)
            self.wfile.flush()

    def _body(self) -> Iterator[bytes]:
        if self.headers["Transfer-Encoding"] == "chunked":
            while size := int(self.rfile.readline(), 16):
                yield self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return
        left = int(self.headers["Content-Length"] or 0)
        while left > 0:
            part = self.rfile.read(min(left, 4096))
            left -= len(part)
            yield part

    def _paced(self, parts: Iterator[bytes]) -> Iterator[bytes]:
        speed = self.server.mood.bytes_a_second
        for part in parts:
            if self.server.mood.stops_reading and len(part) > 1000:
                self.server.closing.wait(60)
            if speed:
                self.server.closing.wait(len(part) / speed)
            yield part

    def _variables(self) -> dict[str, str]:
        path, _, query = self.path.partition("?")
        return {
            "GIT_PROJECT_ROOT": str(self.server.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers["Content-Type"] or "",
            "HTTP_CONTENT_ENCODING": self.headers["Content-Encoding"] or "",
            "GIT_PROTOCOL": self.headers["Git-Protocol"] or "",
            # http-backend lets only those push who are known.
            "REMOTE_USER": "ann",
            "REMOTE_ADDR": self.client_address[0],
            "PATH": os.environ["PATH"],
            "HOME": str(self.server.folder),
        }


def backend(variables: dict[str, str], body: bytes) -> bytes:
    """Answer one request as a web server's CGI does."""
    done = subprocess.run(
        [program()], env=variables, input=body, capture_output=True, check=False
    )
    return done.stdout


@cache
def program() -> str:
    """Find git-http-backend, which Git brings with it."""
    found = subprocess.run(
        ["git", "--exec-path"], capture_output=True, text=True, check=True
    )
    return str(Path(found.stdout.strip(), "git-http-backend"))


def basic(credential: str) -> str:
    """Spell `user:password` as the header does."""
    return "Basic " + base64.b64encode(credential.encode()).decode()


def pieces(body: bytes, size: int = 4096) -> Iterator[bytes]:
    """Cut a body into pieces."""
    for start in range(0, len(body), size):
        yield body[start : start + size]


WebMaker = Callable[[Path], Web]
