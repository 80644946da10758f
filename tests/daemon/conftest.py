"""Machines with a memory, daemons in processes of their own, remotes with moods."""

import base64
import contextlib
import io
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest

from gitmem.app import Caller, connect
from gitmem.cli.main import run
from gitmem.daemon import client, guard
from gitmem.daemon.protocol import socket_path
from gitmem.daemon.status import DaemonStatus, JobStatus, read
from gitmem.errors import NoDaemon, PathRefused
from gitmem.service.service import Service

LIVE = """\
import json, sys
from pathlib import Path
from gitmem.daemon.lifecycle import Wish, run
from gitmem.daemon.timing import Timing
wish = json.loads(sys.argv[1])
timing = Timing(**wish.pop("timing"))
other = run(Wish(Path.cwd(), timing=timing, **wish))
print("lived" if other is None else "another lives", flush=True)
"""
SHORT = {
    "tick": 0.1,
    "scan": 30.0,
    "sessions": 0.3,
    "ladder": [0.1],
    "ladder_end": 0.2,
    # A busy machine takes its time; only what is asked for waits here.
    "stop": 60.0,
    "hung_client": 60.0,
}
PATIENCE = 240.0


def eventually(look: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Look until there is something, and fail the test if there never is."""
    ends = time.monotonic() + seconds
    while not (found := look()):
        if time.monotonic() > ends:
            pytest.fail("it never came to that")
        time.sleep(0.02)
    return found


class Said(NamedTuple):
    """What a command printed, and how it ended."""

    status: int
    out: str
    err: str


@dataclass
class Machine:
    """One machine: its settings, its memory, and the daemons started on it."""

    folder: Path
    settings: dict[str, str]
    daemons: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, **self.settings}

    @property
    def service(self) -> Service:
        return self.connected("cli", "")

    @property
    def root(self) -> Path:
        return self.service.rooms.root

    @property
    def state(self) -> Path:
        return self.service.rooms.state

    def connected(self, host: str, session: str) -> Service:
        return connect(
            self.folder, environment=self.environment, caller=Caller(host, session)
        )

    def write(self, name: str, text: str = "text\n") -> None:
        (self.root / name).write_text(text, "utf-8")

    def configure(self, text: str) -> Path:
        """Write the person's settings file."""
        path = Path(self.settings["GITMEM_HOME"], "config", "config.toml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def spawn(self, *, timing: Any = None, **wish: Any) -> subprocess.Popen[str]:
        """Start a daemon, and wait for nothing."""
        chosen = {"timing": {**SHORT, **(timing or {})}, **wish}
        daemon = subprocess.Popen(
            [sys.executable, "-P", "-c", LIVE, json.dumps(chosen)],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.daemons.append(daemon)
        return daemon

    def start(self, **wish: Any) -> subprocess.Popen[str]:
        """Start a daemon, and wait until it answers."""
        daemon = self.spawn(**wish)
        eventually(lambda: self.answers() == daemon.pid or daemon.poll() is not None)
        if daemon.poll() is not None:
            pytest.fail(f"it ended: {daemon.communicate()}")
        return daemon

    def ask(self, verb: str, *, within: float = PATIENCE, **arguments: Any) -> Any:
        return client.call(
            socket_path(self.state), verb, arguments, timeout_seconds=within
        )

    def answers(self) -> int:
        with contextlib.suppress(NoDaemon):
            return int(self.ask("ping", within=30)["pid"])
        return 0

    def status(self) -> DaemonStatus:
        return read(self.ask("status"))

    def job(self, name: str) -> JobStatus:
        return next(each for each in self.status().jobs if each.name == name)

    def log(self) -> str:
        with contextlib.suppress(FileNotFoundError):
            return (self.state / "daemon.log").read_text("utf-8")
        return ""

    def gitmem(self, *arguments: str) -> Said:
        """Run the command line here; starting Python for each would take long."""
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.dict(os.environ, self.settings),
            contextlib.chdir(self.folder),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            status = run(list(arguments))
        return Said(status, out.getvalue(), err.getvalue())

    def enter(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Run the test itself on this machine."""
        for name, text in self.settings.items():
            monkeypatch.setenv(name, text)
        monkeypatch.chdir(self.folder)

    def close(self) -> None:
        with contextlib.suppress(NoDaemon, PathRefused):
            self.ask("stop")
            eventually(lambda: guard.holder(self.state) is None)
            socket_path(self.state).unlink(missing_ok=True)
        for daemon in self.daemons:
            daemon.kill()
            daemon.communicate()
        self.daemons.clear()


MachineMaker = Callable[..., Machine]


@pytest.fixture
def make_machine(tmp_path: Path, bare_remote: Path) -> Iterator[MachineMaker]:
    """Make machines by name that share the bare remote, or another address."""
    made: list[Machine] = []

    def make(name: str = "oak", *, remote: str | None = "", **more: str) -> Machine:
        folder = tmp_path / name / "beacon"
        folder.mkdir(parents=True)
        settings = {
            "HOME": str(tmp_path / name),
            "GITMEM_HOME": str(tmp_path / name / "g"),
            "GITMEM_SYNC__MACHINE_ID": name,
            "GITMEM_SYNC__DEBOUNCE": "0.1",
            "GITMEM_SYNC__INTERVAL": "1",
            "GITMEM_DAEMON__AUTOSTART": "false",
            **more,
        }
        machine = Machine(folder, settings)
        made.append(machine)
        machine.service.init(str(bare_remote) if remote == "" else remote)
        return machine

    yield make
    for machine in made:
        machine.close()


@pytest.fixture
def machine(make_machine: MachineMaker, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Make a machine with a memory that has the bare remote; the test runs on it."""
    made = make_machine()
    made.enter(monkeypatch)
    return made


@pytest.fixture
def remote_log(git, bare_remote: Path) -> Callable[[], list[str]]:
    """Read the subjects that the remote has."""
    return lambda: git("log", "--all", "--format=%s", cwd=bare_remote).splitlines()


class Moody(ThreadingHTTPServer):
    """A Git server over HTTP: it refuses, or makes wait, as it is told."""

    daemon_threads = True

    def __init__(self, repository: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Backend)
        self.repository = repository
        self.status = 0
        self.said = b""
        self.password = ""
        self.asked = 0
        self.gate = threading.Event()
        self.gate.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/{self.repository.name}"

    def handle_error(self, *_: Any) -> None:
        """Say nothing of clients that went away."""


class _Backend(BaseHTTPRequestHandler):
    server: Moody

    def log_message(self, *_: Any) -> None:
        """Keep the test's output clean."""

    def do_GET(self) -> None:
        self._serve(b"")

    def do_POST(self) -> None:
        self._serve(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def _serve(self, body: bytes) -> None:
        self.server.asked += 1
        self.server.gate.wait()
        if self.server.status:
            self._refuse(self.server.status)
            return
        if self.server.password and not self._knows(self.server.password):
            self._refuse(401)
            return
        path, _, query = self.path.partition("?")
        done = subprocess.run(
            ["git", "http-backend"],
            input=body,
            capture_output=True,
            check=False,
            env={
                **os.environ,
                "GIT_PROJECT_ROOT": str(self.server.repository.parent),
                "GIT_HTTP_EXPORT_ALL": "1",
                "REMOTE_USER": "sam",
                "REQUEST_METHOD": self.command,
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "CONTENT_TYPE": self.headers.get("Content-Type") or "",
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding") or "",
            },
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        self.send_response(200)
        for line in head.decode().splitlines():
            name, _, text = line.partition(": ")
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _knows(self, password: str) -> bool:
        known = base64.b64encode(f"sam:{password}".encode()).decode()
        return self.headers.get("Authorization") == f"Basic {known}"

    def _refuse(self, status: int) -> None:
        """Refuse, in words that Git shows because they are plain text."""
        self.send_response(status)
        self.send_header("WWW-Authenticate", 'Basic realm="memories"')
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(self.server.said)))
        self.end_headers()
        self.wfile.write(self.server.said)


@pytest.fixture
def moody(bare_remote: Path) -> Iterator[Moody]:
    """Serve the bare remote over HTTP."""
    with Moody(bare_remote) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,)).start()
        yield server
        server.gate.set()
        server.shutdown()
