"""Run a program with a deadline, and leave nothing of it behind.

The only user of `subprocess`, and with `settings.load` the only reader of the
environment.
"""

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from gitmem.errors import DeadlineExceeded, NotFound, ToolMissing

Child = subprocess.Popen[bytes]
PIPE: Final = subprocess.PIPE
GRACE_SECONDS: Final = 0.5
CHUNK_BYTES: Final = 65536


@dataclass(frozen=True)
class Finished:
    """A program that ended: its exit status and all it wrote."""

    status: int
    stdout: bytes
    stderr: bytes


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    timeout_seconds: float,
    stdin: bytes = b"",
    output_limit_bytes: int | None = None,
) -> Finished:
    """Run `command` to its end.

    Raises ToolMissing when it is not installed, NotFound when `cwd` is no folder, and
    DeadlineExceeded when it was killed, with its process group, at the time limit.
    """
    try:
        child = subprocess.Popen(
            [str(part) for part in command],
            cwd=cwd,
            env=dict(environment),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            start_new_session=True,
        )
    except (FileNotFoundError, NotADirectoryError) as error:
        if not cwd.is_dir():
            raise NotFound(f"{cwd} is not a folder.", "Check its name.") from error
        message = f"{Path(command[0]).name} is not installed."
        raise ToolMissing(message, "Install it, or put it on PATH.") from error
    return finish(
        child,
        timeout_seconds=timeout_seconds,
        stdin=stdin,
        output_limit_bytes=output_limit_bytes,
    )


def finish(
    child: Child,
    *,
    timeout_seconds: float,
    stdin: bytes = b"",
    output_limit_bytes: int | None = None,
    on_stderr: Callable[[bytes], None] | None = None,
) -> Finished:
    """Feed a started child, collect what it writes, and wait for its end.

    The child must lead its own session (`start_new_session=True`): at the deadline,
    at the output limit, or when the caller is interrupted, the whole group is killed.
    With `on_stderr` every progress report renews the time, so that only silence kills.
    """
    talk = _Talk(child, timeout_seconds, output_limit_bytes, on_stderr)
    pumps = [
        threading.Thread(target=_feed, args=(child.stdin, stdin), daemon=True),
        threading.Thread(target=_drain, args=(child.stdout, talk.hear), daemon=True),
        threading.Thread(target=_drain, args=(child.stderr, talk.note), daemon=True),
    ]
    for pump in pumps:
        pump.start()
    try:
        talk.wait(pumps)
    except BaseException:
        kill_group(child)
        raise
    finally:
        for stream in (child.stdout, child.stderr):
            _close(stream)
    return talk.finished()


def kill_group(child: Child) -> None:
    """End the child and everything it started.

    SIGTERM first: git removes its lock files on it. A helper such as
    git-remote-http outlives its parent unless the whole group is signalled.
    """
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(GRACE_SECONDS)


def environment(*, without_prefix: str = "") -> dict[str, str]:
    """Copy this process's environment, less the names with a prefix."""
    return {
        name: search_path(value) if name == "PATH" else value
        for name, value in os.environ.items()
        if not without_prefix or not name.startswith(without_prefix)
    }


def search_path(text: str) -> str:
    """Leave out of PATH what means the current folder, which may be anybody's."""
    return os.pathsep.join(p for p in text.split(os.pathsep) if os.path.isabs(p))


def forget_variables(prefix: str, *, keep: frozenset[str]) -> None:
    """Remove variables from this process, so that no child can inherit them.

    What PATH says of the current folder goes with them.
    """
    if "PATH" in os.environ:
        os.environ["PATH"] = search_path(os.environ["PATH"])
    for name in [name for name in os.environ if name.startswith(prefix)]:
        if name not in keep:
            del os.environ[name]


class _Talk:
    """What a running child has said so far, and how long it may still take."""

    def __init__(
        self,
        child: Child,
        timeout_seconds: float,
        output_limit_bytes: int | None,
        on_stderr: Callable[[bytes], None] | None,
    ) -> None:
        self.child = child
        self.timeout_seconds = timeout_seconds
        self.limit = output_limit_bytes
        self.on_stderr = on_stderr
        self.output, self.errors = bytearray(), bytearray()
        self.is_full = False
        self._renew()

    def hear(self, chunk: bytes) -> None:
        self.output.extend(chunk)
        if self.limit is not None and len(self.output) >= self.limit:
            self.is_full = True
            kill_group(self.child)

    def note(self, chunk: bytes) -> None:
        self.errors.extend(chunk)
        if self.on_stderr is not None:
            self._renew()
            self.on_stderr(chunk)

    def wait(self, pumps: Sequence[threading.Thread]) -> None:
        # Popen.wait with a timeout polls, and adds up to 50 ms to each process.
        end = threading.Thread(target=self.child.wait, daemon=True)
        end.start()
        while end.is_alive():
            left = self.ends - time.monotonic()
            if left <= 0:
                raise DeadlineExceeded(
                    f"{self._name()} did not finish within {self.timeout_seconds:g} s.",
                    "Try again; if it happens often, raise the time limit.",
                )
            end.join(left)
        for pump in pumps:
            pump.join(max(GRACE_SECONDS, self.ends - time.monotonic()))
        if any(pump.is_alive() for pump in pumps):
            # A grandchild holds the streams open.
            kill_group(self.child)

    def finished(self) -> Finished:
        if self.is_full:
            return Finished(0, bytes(self.output[: self.limit]), bytes(self.errors))
        return Finished(self.child.returncode, bytes(self.output), bytes(self.errors))

    def _renew(self) -> None:
        self.ends = time.monotonic() + self.timeout_seconds

    def _name(self) -> str:
        arguments = self.child.args
        first = arguments[0] if isinstance(arguments, list) else arguments
        return Path(str(first)).name


def _feed(stream: IO[bytes] | None, data: bytes) -> None:
    if stream is None:
        return
    with contextlib.suppress(BrokenPipeError, ValueError):
        stream.write(data)
    _close(stream)


def _drain(stream: IO[bytes] | None, sink: Callable[[bytes], None]) -> None:
    if stream is None:
        return
    with contextlib.suppress(ValueError, OSError):
        while chunk := os.read(stream.fileno(), CHUNK_BYTES):
            sink(chunk)


def _close(stream: IO[bytes] | None) -> None:
    if stream is not None:
        with contextlib.suppress(BrokenPipeError, ValueError):
            stream.close()
