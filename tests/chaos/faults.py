"""Do harm at one of the file operations of a cycle, by number.

Replaces functions of `os`, as gitmem calls them, in the process that calls `install`.
"""

import contextlib
import errno
import io
import json
import os
import resource
import signal
import stat
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gitmem.files import tree
from gitmem.repo.command import Command

REAL_OPEN, REAL_WRITE, REAL_KILL = os.open, os.write, os.kill
REAL_IO_OPEN = io.open
BY_NAME = (
    "open",
    "rename",
    "replace",
    "link",
    "unlink",
    "mkdir",
    "rmdir",
    "statvfs",
    "truncate",
)
BY_DESCRIPTOR = ("read", "write", "fsync", "fchmod", "ftruncate")
# Most disks that are full still let go of files and read them.
TAKES_ROOM = frozenset(
    {"create", "rename", "replace", "link", "mkdir", "write", "fsync"}
)
CHANGES = TAKES_ROOM | {"unlink", "rmdir", "fchmod", "ftruncate", "truncate"}


@dataclass
class Faults:
    """What is to happen at which operation, and what has been seen so far."""

    at: int
    what: str
    agent: "Agent | None" = None
    span: int = 0
    seen: list[str] = field(default_factory=list)

    def around(self, label: str, real: Callable[..., Any], *args, **kwargs) -> Any:
        if threading.current_thread() is not threading.main_thread():
            return real(*args, **kwargs)
        self.seen.append(label)
        number = len(self.seen)
        if self.agent and number == self.at + self.span:
            self.agent.let_go()
        if number == self.at:
            self._strike(label)
        elif self.what == "full" and 0 < self.at < number and label in TAKES_ROOM:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        try:
            return real(*args, **kwargs)
        finally:
            if number == self.at and self.what == "kill-after":
                die()

    def _strike(self, label: str) -> None:
        if self.what == "kill":
            die()
        elif self.agent and self.what == "agent":
            self.agent.act()
        elif self.what == "limit":
            resource.setrlimit(resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY))
        elif self.what in {"ENOSPC", "EIO"} and not label.startswith("git"):
            number = getattr(errno, self.what)
            raise OSError(number, os.strerror(number))


def die() -> None:
    REAL_KILL(os.getpid(), signal.SIGKILL)


def install(faults: Faults) -> None:
    """Put the faults round every file operation, and every start of Git."""
    for name in BY_NAME:
        setattr(os, name, _named(faults, name, getattr(os, name)))
    for name in BY_DESCRIPTOR:
        setattr(os, name, _described(faults, name, getattr(os, name)))
    io.open = _named(faults, "io.open", io.open)
    tree._swap = _swap(faults, tree._swap)
    Command.run = _run(faults, Command.run)  # type: ignore[method-assign]


def _named(faults: Faults, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def call(path, *args, **kwargs):
        if isinstance(path, int) or os.fspath(path).startswith(("/proc", "/dev")):
            return real(path, *args, **kwargs)
        return faults.around(_label(name, args), real, path, *args, **kwargs)

    return call


def _label(name: str, args: tuple[Any, ...]) -> str:
    """Tell an opening that makes a file from one that only reads."""
    if name == "open" and args and args[0] & os.O_CREAT:
        return "create"
    if name == "io.open" and args and set(args[0]) & set("wax+"):
        return "create"
    return name


def _described(faults: Faults, name: str, real: Callable[..., Any]):
    def call(descriptor, *args, **kwargs):
        if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            return faults.around(name, real, descriptor, *args, **kwargs)
        return real(descriptor, *args, **kwargs)

    return call


def _swap(faults: Faults, real: Callable[..., bool]) -> Callable[..., bool]:
    def call(folder: int, first: str, second: str) -> bool:
        return bool(faults.around("rename", real, folder, first, second))

    return call


def _run(faults: Faults, real: Callable[..., Any]) -> Callable[..., Any]:
    def call(self, *arguments: str, **kwargs):
        label = f"git {arguments[0]}"
        return faults.around(label, real, self, *arguments, **kwargs)

    return call


@dataclass
class Agent:
    """Edits files in the middle of a cycle, with untouched functions of `os`."""

    root: Path
    deeds: list[list[str]]
    done: list[str] = field(default_factory=list)
    held: list[tuple[int, str]] = field(default_factory=list)
    rename: Callable[..., None] = os.rename

    def act(self) -> None:
        for deed, name, text in self.deeds:
            with contextlib.suppress(OSError):
                getattr(self, f"_{deed}")(self.root / name, text)
                self.done.append(text)

    def let_go(self) -> None:
        """Write what was begun at `hold`, and close the file."""
        for descriptor, text in self.held:
            REAL_WRITE(descriptor, text.encode())
            os.close(descriptor)
        self.held.clear()

    def _append(self, path: Path, text: str) -> None:
        self._hold(path, text)
        self.let_go()

    def _hold(self, path: Path, text: str) -> None:
        self.held.append((REAL_OPEN(path, os.O_WRONLY | os.O_APPEND), text))

    def _replace(self, path: Path, text: str) -> None:
        with REAL_IO_OPEN(path, "rb") as found:
            whole = found.read() + text.encode()
        beside = path.with_name(f"{path.name}~")
        descriptor = REAL_OPEN(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        REAL_WRITE(descriptor, whole)
        os.close(descriptor)
        self.rename(beside, path)


def note(path: str, **facts: Any) -> None:
    """Write down how a cycle ended, past all faults."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    descriptor = REAL_OPEN(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    REAL_WRITE(descriptor, json.dumps(facts).encode())
