"""A person with a home, a memory and a project, and remotes forged byte by byte."""

import json
import os
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from gitmem.app import connect
from gitmem.service.service import Service

SOURCE = Path(__file__).resolve().parents[2] / "src"
HOOK = SOURCE / "gitmem" / "hook"
# The hook with all the time in the world: a busy machine must not fail a test.
PATIENT = """\
import sys
sys.path.append(sys.argv.pop(1))
import light
light.LIMITS, light.OTHER_SECONDS, light.PULSE_SECONDS = {}, 60.0, 20.0
light.main()
"""
FILE, LINK, GITLINK, FOLDER = b"100644", b"120000", b"160000", b"40000"
WHO = b"Eve <eve@example.invalid>"
GOOD = (
    b"---\ndescription: how to deploy\ntags: [deploy]\n---\n\n# Deploy\n\nwith care\n"
)

Forged = tuple[bytes, bytes]
Server = Callable[[Callable[..., BaseHTTPRequestHandler]], str]


@dataclass(frozen=True)
class Said:
    """What a command printed, and how it ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def all(self) -> str:
        return self.out + self.err


@dataclass
class Person:
    """One person on one machine: `person("sync")` runs the real program."""

    home: Path
    project: Path
    variables: dict[str, str] = field(default_factory=dict)
    command: tuple[str, ...] = (sys.executable, "-P", "-m", "gitmem")

    @property
    def base(self) -> Path:
        return self.home / "gitmem"

    @property
    def memory(self) -> Path:
        return self.base / "data" / "memory"

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "HOME": str(self.home),
            "GITMEM_HOME": str(self.base),
            "GITMEM_SYNC__MACHINE_ID": "oak",
            "GITMEM_DAEMON__AUTOSTART": "false",
            "PYTHONPATH": str(SOURCE),
            "PYTHONDONTWRITEBYTECODE": "1",
            **self.variables,
        }

    def __call__(
        self, *arguments: str, stdin: bytes = b"", wrapped_in: tuple[str, ...] = ()
    ) -> Said:
        done = subprocess.run(
            [*wrapped_in, *self.command, *arguments],
            cwd=self.project,
            env=self.environment,
            input=stdin,
            capture_output=True,
            timeout=120,
            check=False,
        )
        return Said(
            done.returncode,
            done.stdout.decode("utf-8", "backslashreplace"),
            done.stderr.decode("utf-8", "backslashreplace"),
        )

    def service(self) -> Service:
        """Give the verbs, in this process."""
        return connect(self.project, environment=self.environment)

    def settings(self, text: str) -> None:
        path = self.base / "config" / "config.toml"
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.write_text(text, encoding="utf-8")


PersonMaker = Callable[..., Person]
Door = Callable[[Person], str]


def by_cli(person: Person) -> str:
    """Write and exchange as a person or a skill does; give what was said."""
    written = person("write", "core/by-cli.md", "--description", "d", stdin=b"text\n")
    return written.all + person("search", "--rg", "text").all + person("sync").all


def by_hook(person: Person) -> str:
    """Live through a session of Claude Code without a daemon."""
    written = _edited(person, "by-hook")
    moments: dict[str, dict[str, Any]] = {
        "SessionStart": {"source": "startup"},
        "UserPromptSubmit": {"prompt": "how do we deploy"},
        "PostToolUse": {
            "tool_name": "Write",
            "tool_input": {"file_path": str(written)},
        },
        "SessionEnd": {"reason": "other"},
    }
    return "".join(_hooked(person, *moment) for moment in moments.items())


def by_hook_and_daemon(person: Person) -> str:
    """Live through a session of Claude Code beside a daemon, and stop that."""
    begun = person("daemon", "start").all
    return begun + by_hook(person) + person("daemon", "stop").all


def _edited(person: Person, name: str) -> Path:
    """Write a memory as an agent's own tools do."""
    path = person.memory / "beacon" / "core" / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(GOOD)
    return path


def _hooked(person: Person, event: str, more: dict[str, Any]) -> str:
    said = {"session_id": "s1", "cwd": str(person.project), **more}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PATIENT, str(HOOK), "claude-code", event],
        cwd=person.project,
        env=person.environment,
        input=json.dumps(said).encode(),
        capture_output=True,
        timeout=120,
        check=True,
    )
    return (done.stdout + done.stderr).decode()


def by_mcp(person: Person) -> str:
    """Write, search and exchange as a client of the MCP server."""
    calls = (
        ("memory_write", {"path": "core/new.md", "description": "d", "body": "b"}),
        ("memory_search", {"query": "deploy"}),
        ("memory_sync", {"action": "pull"}),
        ("memory_sync", {"action": "push"}),
    )
    _edited(person, "by-mcp")
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    server = subprocess.Popen(
        [*person.command, "mcp"],
        cwd=person.project,
        env=person.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    heard = _asked(server, {"id": 0, "method": "initialize", "params": hello})
    _sent(server, {"method": "notifications/initialized"})
    for number, (name, arguments) in enumerate(calls, start=1):
        call = {"name": name, "arguments": arguments}
        heard += _asked(server, {"id": number, "method": "tools/call", "params": call})
    rest, complaints = server.communicate(timeout=60)
    return heard + (rest + complaints).decode()


def _sent(server: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    assert server.stdin
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    server.stdin.flush()


def _asked(server: subprocess.Popen[bytes], message: dict[str, Any]) -> str:
    _sent(server, message)
    assert server.stdout
    heard = ""
    while f'"id":{message["id"]}' not in heard.replace('": ', '":'):
        line = server.stdout.readline().decode()
        assert line, "the server went away"
        heard = f"{heard}{line}"
    return heard


def by_daemon(person: Person) -> str:
    """Have a daemon do it all, and stop it again."""
    person.variables = {**person.variables, "GITMEM_DAEMON__AUTOSTART": "true"}
    said = [
        person("daemon", "start"),
        person("session", "start", "--host", "pi", "--id", "s1"),
        person("write", "core/by-daemon.md", "--description", "d", stdin=b"text\n"),
        person("session", "end", "--host", "pi", "--id", "s1"),
        person("sync"),
        person("daemon", "status"),
        person("daemon", "stop"),
        person("daemon", "logs"),
    ]
    return "".join(each.all for each in said)


DOORS: dict[str, Door] = {
    "cli": by_cli,
    "hook": by_hook,
    "hook and daemon": by_hook_and_daemon,
    "mcp": by_mcp,
    "daemon": by_daemon,
}


@pytest.fixture(params=DOORS)
def door(request: pytest.FixtureRequest) -> Door:
    """Give each door in turn."""
    return DOORS[request.param]


@pytest.fixture
def make_person(tmp_path: Path, empty_home: Path) -> PersonMaker:
    """Make people by name, each with a home and a project called beacon."""

    def make(name: str = "ann", **more: Any) -> Person:
        home = empty_home / name
        project = tmp_path / name / "beacon"
        home.mkdir()
        project.mkdir(parents=True)
        return Person(home, project, **more)

    return make


@pytest.fixture
def person(make_person: PersonMaker) -> Person:
    return make_person()


@dataclass(frozen=True)
class Forge:
    """A bare repository whose objects no Git has looked at."""

    path: Path

    def blob(self, data: bytes) -> bytes:
        return self.store(b"blob", data)

    def store(self, kind: bytes, data: bytes) -> bytes:
        """Write a loose object, whatever it holds, and name it."""
        whole = b"%b %d\0%b" % (kind, len(data), data)
        oid = sha1(whole, usedforsecurity=False).hexdigest()
        path = self.path / "objects" / oid[:2] / oid[2:]
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(zlib.compress(whole, 1))
        return bytes.fromhex(oid)

    def tree(self, files: Mapping[bytes, Forged]) -> bytes:
        """Write the trees for files by path; every component is taken literally."""
        entries: dict[bytes, Forged] = {}
        folders: dict[bytes, dict[bytes, Forged]] = {}
        for path, (mode, data) in files.items():
            head, slash, rest = path.partition(b"/")
            if slash:
                folders.setdefault(head, {})[rest] = (mode, data)
            else:
                oid = data if mode == GITLINK else self.blob(data)
                entries[head] = (mode, oid)
        for name, inner in folders.items():
            entries[name] = (FOLDER, self.tree(inner))
        lines = sorted(
            (name + (b"/" if mode == FOLDER else b""), b"%b %b\0%b" % (mode, name, oid))
            for name, (mode, oid) in entries.items()
        )
        return self.store(b"tree", b"".join(line for _, line in lines))

    def commit(
        self,
        files: Mapping[bytes, Forged],
        *,
        message: bytes = b"memory(beacon): update\n",
        who: bytes = WHO,
        seconds: int = 1_700_000_000,
        branch: str = "main",
        parents: Sequence[str] | None = None,
    ) -> str:
        """Commit a whole tree on a branch."""
        ref = self.path / "refs" / "heads" / branch
        above = [ref.read_text("ascii").strip()] if ref.exists() else []
        chosen = above if parents is None else parents
        lines = "".join(f"parent {oid}\n" for oid in chosen)
        text = b"tree %b\n%bauthor %b %d +0000\ncommitter %b %d +0000\n\n%b" % (
            self.tree(files).hex().encode(),
            lines.encode(),
            who,
            seconds,
            who,
            seconds,
            message,
        )
        oid = self.store(b"commit", text).hex()
        ref.parent.mkdir(parents=True, exist_ok=True)
        ref.write_text(f"{oid}\n", encoding="ascii")
        return oid


@pytest.fixture
def serve() -> Iterator[Server]:
    """Answer on a port of this machine: `serve(handler)` gives the address."""
    running: list[ThreadingHTTPServer] = []

    def start(handler: Callable[..., BaseHTTPRequestHandler]) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        running.append(server)
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server in running:
        server.shutdown()
        server.server_close()


@pytest.fixture
def forge(bare_remote: Path) -> Forge:
    """Give the bare repository of an attacker."""
    return Forge(bare_remote)


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """Name a file that no attack may ever make."""
    return tmp_path / "marker"


@pytest.fixture
def trap(tmp_path: Path, marker: Path) -> Path:
    """Make a program that leaves the marker."""
    path = tmp_path / "trap.sh"
    path.write_text(f"#!/bin/sh\ntouch {marker}\nexit 0\n", encoding="utf-8")
    path.chmod(0o755)
    return path
