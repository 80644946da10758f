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

from gitmem.errors import DeadlineExceeded, ToolMissing

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

    Raises ToolMissing when it is not installed and DeadlineExceeded when it was
    killed, with its whole process group, after `timeout_seconds`.
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
    except FileNotFoundError as error:
        message = f"{Path(command[0]).name} is not installed."
        raise ToolMissing(message, "Install it, or put it on PATH.") from error
    return finish(
        child,
        timeout_seconds=timeout_seconds,
        stdin=stdin,
        output_limit_bytes=output_limit_bytes,
    )


def finish(
    child: subprocess.Popen[bytes],
    *,
    timeout_seconds: float,
    stdin: bytes = b"",
    output_limit_bytes: int | None = None,
    on_stderr: Callable[[bytes], None] | None = None,
) -> Finished:
    """Feed a started child, collect what it writes, and wait for its end.

    The child must lead its own session (`start_new_session=True`): at the deadline,
    at the output limit, or when the caller is interrupted, the whole group is killed.
    """
    output, errors = bytearray(), bytearray()
    full = threading.Event()

    def collect(chunk: bytes) -> None:
        output.extend(chunk)
        if output_limit_bytes is not None and len(output) >= output_limit_bytes:
            full.set()
            kill_group(child)

    def complain(chunk: bytes) -> None:
        errors.extend(chunk)
        if on_stderr is not None:
            on_stderr(chunk)

    pumps = [
        threading.Thread(target=_feed, args=(child.stdin, stdin), daemon=True),
        threading.Thread(target=_drain, args=(child.stdout, collect), daemon=True),
        threading.Thread(target=_drain, args=(child.stderr, complain), daemon=True),
    ]
    for pump in pumps:
        pump.start()
    try:
        _wait(child, pumps, timeout_seconds)
    except BaseException:
        kill_group(child)
        raise
    finally:
        for stream in (child.stdout, child.stderr):
            _close(stream)
    limited = bytes(output[:output_limit_bytes]) if full.is_set() else bytes(output)
    return Finished(0 if full.is_set() else child.returncode, limited, bytes(errors))


def kill_group(child: subprocess.Popen[bytes]) -> None:
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
        name: value
        for name, value in os.environ.items()
        if not without_prefix or not name.startswith(without_prefix)
    }


def forget_variables(prefix: str, *, keep: frozenset[str]) -> None:
    """Remove variables from this process, so that no child can inherit them."""
    for name in [name for name in os.environ if name.startswith(prefix)]:
        if name not in keep:
            del os.environ[name]


def _wait(
    child: subprocess.Popen[bytes],
    pumps: Sequence[threading.Thread],
    timeout_seconds: float,
) -> None:
    ends = time.monotonic() + timeout_seconds
    try:
        child.wait(timeout_seconds)
    except subprocess.TimeoutExpired as error:
        kill_group(child)
        name = Path(str(child.args[0] if isinstance(child.args, list) else child.args))
        message = f"{name.name} did not finish within {timeout_seconds:g} s."
        raise DeadlineExceeded(message) from error
    for pump in pumps:
        pump.join(max(0.0, ends - time.monotonic()) + GRACE_SECONDS)
    if any(pump.is_alive() for pump in pumps):
        kill_group(child)


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
