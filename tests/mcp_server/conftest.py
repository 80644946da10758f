"""A machine with a memory, servers over it, and clients with a person behind them."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from gitmem.app import Caller, connect
from gitmem.mcp_server.desk import Desk
from gitmem.mcp_server.server import Server
from gitmem.service.service import Service

CLAUDE = types.Implementation(name="claude-code", version="2")
DEPLOY = {
    "path": "core/deploy.md",
    "description": "how to deploy",
    "tags": ["deploy"],
    "body": "Ship with make ship.\n",
}


def eventually(look: Callable[[], Any], seconds: float = 20.0) -> Any:
    """Look until there is something, and fail the test if there never is."""
    ends = time.monotonic() + seconds
    while not (found := look()):
        if time.monotonic() > ends:
            pytest.fail("it never came to that")
        time.sleep(0.02)
    return found


@dataclass
class Person:
    """Answers every question alike, and remembers it."""

    action: Any = "accept"
    content: dict[str, Any] | None = field(default_factory=lambda: {"write": True})
    questions: list[str] = field(default_factory=list)
    meanwhile: Callable[[], object] = lambda: None

    async def __call__(
        self,
        context: Any,  # noqa: ARG002  the SDK's signature
        params: Any,
    ) -> types.ElicitResult:
        self.questions.append(params.message)
        self.meanwhile()
        content = self.content if self.action == "accept" else None
        return types.ElicitResult(action=self.action, content=content)


@dataclass
class Said:
    """What a tool answered."""

    text: str
    data: Any
    is_error: bool


@dataclass
class Talk:
    """A client that is connected."""

    client: Client

    async def call(self, name: str, /, meta: Any = None, **arguments: Any) -> Said:
        found = await self.client.call_tool(name, arguments, meta=meta)
        text = "\n".join(getattr(each, "text", "") for each in found.content)
        return Said(text, found.structured_content, found.is_error)


Connected = Callable[..., AbstractAsyncContextManager[Talk]]


@dataclass
class Machine:
    """One machine with a memory, as the project `beacon` sees it."""

    folder: Path
    settings: dict[str, str]

    @property
    def service(self) -> Service:
        environment = {**os.environ, **self.settings}
        caller = Caller("cli", "")
        return connect(self.folder, environment=environment, caller=caller)

    @property
    def root(self) -> Path:
        return self.service.rooms.root

    def texts(self) -> dict[str, str]:
        """Read all memories."""
        paths = self.root.glob("*/**/*.md")
        return {str(p.relative_to(self.root)): p.read_text("utf-8") for p in paths}

    def put(self, path: str, text: str) -> Path:
        """Write a file as an editor does."""
        written = self.root / path
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(text, "utf-8")
        return written

    def parameters(self, *arguments: str, **more: str) -> StdioServerParameters:
        """Say how a client starts the server."""
        return StdioServerParameters(
            command=sys.executable,
            args=["-P", "-m", "gitmem", "mcp", *arguments],
            env={**os.environ, **self.settings, **more},
            cwd=self.folder,
        )

    def spawn(self, *arguments: str, **more: str) -> "subprocess.Popen[bytes]":
        """Start the server with pipes of our own."""
        wanted = self.parameters(*arguments, **more)
        return subprocess.Popen(
            [wanted.command, *wanted.args],
            cwd=wanted.cwd,
            env=wanted.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["legacy", "auto"])
def mode(request: pytest.FixtureRequest) -> str:
    """Speak the protocol of the handshake, or the one after it."""
    return str(request.param)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Make a machine with a memory; the test runs on it."""
    folder = tmp_path / "beacon"
    folder.mkdir()
    settings = {
        "HOME": str(tmp_path),
        "GITMEM_HOME": str(tmp_path / "g"),
        "GITMEM_SYNC__MACHINE_ID": "oak",
        "GITMEM_MEMORY_DIR__GLOBAL_MEMORY": "global",
        "GITMEM_DAEMON__AUTOSTART": "false",
    }
    for name, text in settings.items():
        monkeypatch.setenv(name, text)
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)
    monkeypatch.chdir(folder)
    made = Machine(folder, settings)
    made.service.init()
    return made


@pytest.fixture
def logged() -> list[str]:
    """Collect what a server in this process logs."""
    return []


@pytest.fixture
def connected(machine: Machine, mode: str, logged: list[str]) -> Connected:
    """Connect a client to a server in this process; no `person` means no forms."""

    @asynccontextmanager
    async def connecting(
        person: Person | None = None,
        *,
        groups: tuple[str, ...] = ("memory",),
        start: Path | None = None,
        **more: Any,
    ) -> AsyncIterator[Talk]:
        desk = Desk(start or machine.folder, logged.append, has_one_client=True)
        server = Server(desk, groups, logged.append)
        async with Client(
            server,
            mode=mode,
            client_info=CLAUDE,
            elicitation_callback=person,
            **more,
        ) as client:
            yield Talk(client)

    return connecting


@pytest.fixture
def started(machine: Machine, mode: str) -> Connected:
    """Connect a client to a server in a process of its own."""

    @asynccontextmanager
    async def connecting(
        person: Person | None = None, *arguments: str, **more: str
    ) -> AsyncIterator[Talk]:
        async with Client(
            machine.parameters(*arguments, **more),
            mode=mode,
            client_info=CLAUDE,
            elicitation_callback=person,
        ) as client:
            yield Talk(client)

    return connecting


@pytest.fixture
def served(machine: Machine) -> Iterator[Callable[..., "subprocess.Popen[bytes]"]]:
    """Start servers that are gone when the test ends."""
    running: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str, **more: str) -> "subprocess.Popen[bytes]":
        running.append(machine.spawn(*arguments, **more))
        return running[-1]

    yield start
    for each in running:
        each.kill()
        each.wait()
        for stream in (each.stdin, each.stdout, each.stderr):
            with contextlib.suppress(OSError):
                stream.close()  # type: ignore[union-attr]
