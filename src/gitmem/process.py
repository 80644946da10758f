"""Run a program with a deadline, and leave nothing of it behind.

The only user of `subprocess`, and with `settings.load` the only reader of the
environment.
"""

import contextlib
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, NoReturn

from gitmem import lookup
from gitmem.errors import DeadlineExceeded, NotFound, Stopped, ToolMissing

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


class Stopper:
    """Ends running programs from another thread: those on the network, or all.

    It is handed down as a value to whatever starts programs that may have to go.
    """

    def __init__(self) -> None:
        """Begin with no program at work and every one allowed."""
        self._lock = threading.Lock()
        self._working: dict[Child, bool] = {}
        self._ended: set[Child] = set()
        self._may_network = True
        self._may_work = True

    def interrupt(self) -> None:
        """End what waits for the network now; what starts later may go on."""
        self._end(self._chosen(only_network=True))

    def leave_network(self) -> None:
        """End what waits for the network, and whatever will want to."""
        self._may_network = False
        self.interrupt()

    def abort(self) -> None:
        """End every program, and whatever starts from here on."""
        self._may_network = self._may_work = False
        self._end(self._chosen(only_network=False))

    def begin(self, child: Child, *, is_network: bool) -> None:
        """Take a started program into account, and end it if it comes too late."""
        with self._lock:
            self._working[child] = is_network
            is_allowed = self._may_network if is_network else self._may_work
        if not is_allowed:
            self._end([child])

    def end(self, child: Child) -> bool:
        """Forget a program, and say whether it was ended here."""
        with self._lock:
            self._working.pop(child, None)
            was_ended = child in self._ended
            self._ended.discard(child)
        return was_ended

    def _chosen(self, *, only_network: bool) -> list[Child]:
        with self._lock:
            working = self._working.items()
            return [each for each, is_net in working if is_net or not only_network]

    def _end(self, children: list[Child]) -> None:
        with self._lock:
            self._ended.update(child for child in children if child in self._working)
        for child in children:
            kill_group(child)


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


def finish(  # noqa: PLR0913  one child, all that its end may depend on
    child: Child,
    *,
    timeout_seconds: float,
    stdin: bytes = b"",
    output_limit_bytes: int | None = None,
    on_stderr: Callable[[bytes], None] | None = None,
    silence_seconds: float | None = None,
    stopper: Stopper | None = None,
) -> Finished:
    """Feed a started child, collect what it writes, and wait for its end.

    The child must lead its own session (`start_new_session=True`): at the deadline,
    at the output limit, or when the caller is interrupted, the whole group is killed.
    With `on_stderr` every progress report renews the time, so that only silence kills;
    after the first one a silence may last `silence_seconds`.
    Raises Stopped when the stopper that the child was begun with has ended it.
    """
    talk = _Talk(child, timeout_seconds, output_limit_bytes, on_stderr)
    talk.silence_seconds = silence_seconds or timeout_seconds
    pumps = [
        threading.Thread(target=_drain, args=(child.stdout, talk.hear), daemon=True),
        threading.Thread(target=_drain, args=(child.stderr, talk.note), daemon=True),
    ]
    if len(stdin) <= select.PIPE_BUF:
        # A pipe that is still empty takes so much at once.
        _feed(child.stdin, stdin)
    else:
        feeder = threading.Thread(target=_feed, args=(child.stdin, stdin), daemon=True)
        pumps.append(feeder)
    for pump in pumps:
        pump.start()
    try:
        talk.wait(pumps)
    except BaseException:
        kill_group(child)
        raise
    finally:
        was_stopped = stopper is not None and stopper.end(child)
        for stream in (child.stdout, child.stderr):
            _close(stream)
    if was_stopped:
        raise Stopped("A program was ended before it was done.", "Run it again.")
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


def start_detached(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    output: Path,
) -> int:
    """Start a program that outlives this one, and give its process id.

    What it says is appended to `output`.
    """
    said = _opened(output)
    try:
        child = subprocess.Popen(
            [str(part) for part in command],
            cwd=cwd,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    finally:
        os.close(said)
    # Nobody waits for it: without this, Python complains that nobody did.
    child.returncode = 0
    return child.pid


def _opened(output: Path) -> int:
    """Open a log; what lies in its place must not keep a program from starting."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        return os.open(output, flags | os.O_CLOEXEC, 0o600)
    except OSError:
        return os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)


def become(command: Sequence[str | Path]) -> NoReturn:
    """Go on as another program, with the same streams and environment."""
    os.execv(command[0], [str(part) for part in command])  # noqa: S606  no shell


def environment(*, without_prefix: str = "") -> dict[str, str]:
    """Copy this process's environment, less the names with a prefix."""
    return {
        name: search_path(value) if name == "PATH" else value
        for name, value in os.environ.items()
        if not without_prefix or not name.startswith(without_prefix)
    }


def search_path(text: str) -> str:
    """Leave out of PATH what means the current folder, which may be anybody's."""
    return lookup.trusted(text)


def narrow_search(*roots: Path) -> None:
    """Run no program out of these folders from here on, nor let a child do so."""
    path = os.environ.get("PATH", os.defpath)
    os.environ["PATH"] = lookup.trusted(path, roots=roots)


def missing(name: str, hint: str) -> ToolMissing:
    """Say that a program is not installed where it may be run."""
    where = "Nothing is run from the current folder, its project or the memory."
    return ToolMissing(f"{name} is not installed.", f"{hint} {where}")


def forget_variables(prefix: str, *, keep: frozenset[str]) -> None:
    """Remove variables from this process, so that no child can inherit them.

    What PATH says of the current folder goes with them.
    """
    narrow_search()
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
        self.silence_seconds = timeout_seconds
        self._renew(timeout_seconds)

    def hear(self, chunk: bytes) -> None:
        self.output.extend(chunk)
        if self.limit is not None and len(self.output) >= self.limit:
            self.is_full = True
            kill_group(self.child)

    def note(self, chunk: bytes) -> None:
        self.errors.extend(chunk)
        if self.on_stderr is not None:
            self._renew(self.silence_seconds)
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

    def _renew(self, seconds: float) -> None:
        self.ends = time.monotonic() + seconds

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
