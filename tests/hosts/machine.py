"""A machine with a home of its own, a project, a memory, and hosts that run on it."""

import contextlib
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final

import pytest
from tests.hosts.model import Model

import gitmem
from gitmem.app import connect
from gitmem.daemon import door
from gitmem.errors import GitmemError
from gitmem.service.service import Service

PROJECT = "https://git.example.org/team/beacon.git"
SOURCE = Path(gitmem.__file__).parents[1]
RUN_SECONDS = 90
# As a hook names what tells it the way to the daemon: 16 hexadecimal digits.
POINTER = 16
# A moment of each host at which nothing is told.
QUIET: Final = {"pi": "session_before_compact", "opencode": "session.compacted"}


def eventually(look: Callable[[], Any], seconds: float = 15.0) -> Any:
    """Look until there is something, and fail the test if there never is."""
    ends = time.monotonic() + seconds
    while not (found := look()):
        if time.monotonic() > ends:
            pytest.fail("it never came to that")
        time.sleep(0.05)
    return found


@dataclass
class Machine:
    """Nothing of the person's own reaches what runs here; `more` is set on top."""

    name: str
    home: Path
    model: Model
    more: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Lay out the home and a checkout of the project."""
        self.project = self.home / "work" / "beacon"
        self.temporary = self.home / "tmp"
        for folder in (self.project, self.temporary):
            folder.mkdir(parents=True, mode=0o700)
        self.git("init", "--quiet", "--initial-branch=main", cwd=self.project)
        self.git("remote", "add", "origin", PROJECT, cwd=self.project)

    @property
    def environment(self) -> dict[str, str]:
        """Hold what a login would hold, and settings that make things happen soon."""
        programs = [shutil.which("node"), shutil.which("git")]
        folders = {str(Path(each).parent): None for each in programs if each}
        proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY"), self.model.url)
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join([*folders, "/usr/local/bin", "/usr/bin", "/bin"]),
            "TMPDIR": str(self.temporary),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "TZ": "UTC",
            "GIT_CONFIG_NOSYSTEM": "1",
            "NO_PROXY": "127.0.0.1,localhost",
            "GITMEM_MEMORY_DIR__GLOBAL_MEMORY": "global",
            "GITMEM_SYNC__MACHINE_ID": self.name,
            "GITMEM_SYNC__DEBOUNCE": "0.2",
            **proxies,
            **_path_of_gitmem(),
            **self.more,
        }

    @property
    def service(self) -> Service:
        return connect(self.project, environment=self.environment)

    @property
    def memory(self) -> Path:
        return self.service.rooms.root

    @property
    def state(self) -> Path:
        return self.service.rooms.state

    def run(
        self, *command: str, stdin: str = "", **more: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a program in the project, and wait for its end."""
        return subprocess.run(
            command,
            cwd=self.project,
            env={**self.environment, **more},
            input=stdin,
            capture_output=True,
            text=True,
            timeout=RUN_SECONDS,
            check=False,
        )

    def gitmem(self, *arguments: str) -> str:
        """Run the command line, which must succeed, and give what it printed."""
        done = self.run(sys.executable, "-P", "-m", "gitmem", *arguments)
        if done.returncode:
            pytest.fail(f"gitmem {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done.stdout

    def await_daemon(self, host: str) -> None:
        """Have a daemon at work, and known to the hooks of a host."""
        start = [sys.executable, "-P", "-m", "gitmem", "daemon", "start"]
        hook = [sys.executable, "-I", "-S", str(SOURCE / "gitmem/hook/client.py")]
        pointers = self.service.rooms.loaded.folders.state / "hooks"

        def is_known() -> bool:
            # On a busy machine it may take more than one try.
            if self.run(*start).returncode:
                return False
            self.run(*hook, host, QUIET.get(host, "PreCompact"))
            return any(len(each.name) == POINTER for each in pointers.glob("*"))

        eventually(is_known, RUN_SECONDS)
        # What took too long until here is no trouble of the test's.
        (pointers / "trouble").unlink(missing_ok=True)

    def git(self, *arguments: str, cwd: Path) -> str:
        command = ["git", "-c", "user.name=Sam", "-c", "user.email=sam@example.org"]
        done = self.run(*command, "-C", str(cwd), *arguments)
        if done.returncode:
            pytest.fail(f"git {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def remember(self, path: str, text: str, description: str, *tags: str) -> None:
        """Write a memory, and send it to the others."""
        fields = {"description": description, "tags": list(tags)}
        self.service.write(path, text.encode(), fields)
        self.service.sync()

    def close(self) -> None:
        """End the daemon, and leave nothing that would start another."""
        with contextlib.suppress(GitmemError):
            door.stop(self.service)


def _path_of_gitmem() -> dict[str, str]:
    """Say where gitmem is, unless this Python has it installed."""
    try:
        distribution("gitmem")
    except PackageNotFoundError:
        return {"PYTHONPATH": str(SOURCE)}
    return {}


class Lines:
    """A program that talks in lines of JSON, on both sides."""

    def __init__(self, machine: Machine, command: list[str], **more: str) -> None:
        """Start it in the machine's project."""
        self.seen: list[dict[str, Any]] = []
        self._lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.process = subprocess.Popen(
            command,
            cwd=machine.project,
            env={**machine.environment, **more},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def tell(self, **message: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def until(self, **wanted: Any) -> dict[str, Any]:
        """Read until a line says all of this."""
        while True:
            found = self._lines.get(timeout=RUN_SECONDS)
            if found is None:
                pytest.fail(f"it left before it said {wanted}; it said {self.seen}")
            self.seen.append(found)
            if wanted.items() <= found.items():
                return found

    def leave(self) -> int:
        """End it as a person would, by saying no more."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(RUN_SECONDS)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with contextlib.suppress(ValueError):
                self._lines.put(json.loads(line))
        self._lines.put(None)


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a host's settings, and the folders above."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n", "utf-8")
