"""Hand a host's event to gitmem and its answer to the host, whatever happens.

Run by `client`, with the host and the event as arguments and the host's JSON on
standard input.
Imports only what costs nothing beside the start of the interpreter itself, and so says
a few things again that others say too; tests hold both against each other.
"""

import _signal  # type: ignore[import-not-found]  # signal brings enum along: 2 ms
import _socket
import posix
import sys
import time
from _json import encode_basestring_ascii, scanstring

# Seconds by which an event is over; the others are over after one.
LIMITS = {
    "SessionStart": 3.0,
    "session_start": 3.0,
    "session.start": 3.0,
    "SessionEnd": 10.0,
    "session_shutdown": 10.0,
    "session.deleted": 10.0,
}
OTHER_SECONDS = 1.0
# Of the limit: for what comes before and after the clock that is kept here.
MARGIN = 0.1
# A daemon that is stopped does not say that it is there.
PULSE_SECONDS = 0.25
# What is left of the limit is for the work without a daemon.
SHARE = 0.6
# A prompt of 10 MB, and what else a host sends with it.
PAYLOAD_LIMIT_BYTES = 16 << 20
ANSWER_LIMIT_BYTES = 1 << 20
POINTER_LIMIT_BYTES = 1 << 16
TROUBLE_LIMIT_BYTES = 16 * 1024
MAGIC = b"gitmem hook 1"
DEFAULTS = {"linux": b"/.local/state", "darwin": b"/Library/Application Support"}
PREFIX = b"GITMEM_"
SHAPING = (
    b"HOME",
    b"XDG_CONFIG_HOME",
    b"XDG_DATA_HOME",
    b"XDG_STATE_HOME",
    b"XDG_CACHE_HOME",
)
_PING = b'{"protocol": 1, "verb": "ping"}\n'
_PONG = b'{"ok": {'
_ANSWER = '{"ok": {"stdout": '
_ARRIVED = b"\n"
_CHUNK_BYTES = 1 << 16
# A socket takes so much before anybody reads.
_AT_ONCE_BYTES = 1 << 13
_LOOK_EVERY_SECONDS = 0.005
# More than any system counts processes with.
PID_DIGITS = 10
# The kind of file, and what others may do with it.
_SHAPE, _PRIVATE = 0o170077, 0o100000


def main() -> None:
    """Be the hook of one event; never returns."""
    try:
        _fill_descriptors()
        host, event = sys.argv[1:]
        _run(host, event, posix.environ)
    except BaseException as error:  # noqa: BLE001  whatever it is, the turn goes on
        _give_up(error)
    posix._exit(0)


def _give_up(error: BaseException) -> None:
    try:
        what = f"{type(error).__name__}: {error}"
        note(posix.environ, f"{' '.join(sys.argv[1:])}: {what}")
    except BaseException:  # noqa: BLE001, S110  not even that can be said
        pass


def _run(host: str, event: str, environ: "dict[bytes, bytes]") -> None:
    limit = LIMITS.get(event, OTHER_SECONDS) - MARGIN
    began = time.monotonic()

    def late(*_: object) -> None:
        note(environ, f"{host} {event}: not done within {limit + MARGIN:g} s")
        posix._exit(0)

    # Wakes whatever waits, and whatever it waits for.
    _signal.signal(_signal.SIGALRM, late)
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [_signal.SIGALRM])
    _signal.setitimer(_signal.ITIMER_REAL, limit)
    request = request_line(host, event, _payload(environ, host, event), environ)
    answer = _ask_daemon(pointed(environ), request, began + limit * SHARE)
    if answer is None:
        answer = _ask_child(request, began + limit)
    if answer is None:
        note(environ, f"{host} {event}: nothing answered")
        return
    stdout, connection = answer
    _print(stdout.encode("utf-8", "replace"))
    try:
        # Whoever answered counts as told only what was printed whole.
        connection.sendall(_ARRIVED)
    except OSError:
        pass


def request_line(
    host: str, event: str, payload: bytes, environ: "dict[bytes, bytes]"
) -> bytes:
    """Begin to write what is asked, in one line of JSON; `_answer_of` ends it."""
    quoted = encode_basestring_ascii
    own = ", ".join(
        f"{quoted(_text(name))}: {quoted(_text(value))}"
        for name, value in environ.items()
        if name.startswith(PREFIX)
    )
    try:
        cwd = posix.getcwdb()
    except OSError:
        cwd = b""
    pid = environ.get(b"CLAUDE_PID", b"") if host == "claude-code" else b""
    is_number = pid.isdigit() and len(pid) <= PID_DIGITS
    number = int(pid) if is_number else posix.getppid()
    return (
        '{"protocol": 1, "verb": "hook", "arguments": {'
        f'"host": {quoted(host)}, "event": {quoted(event)}, '
        f'"payload": {quoted(_text(payload))}, "cwd": {quoted(_text(cwd))}, '
        f'"pid": {number}, "variables": {{{own}}}, '
        f'"confirms": true, "request": "{posix.getpid()}-{time.time_ns()}"'
    ).encode("ascii")


def state_folder(environ: "dict[bytes, bytes]", platform: str = sys.platform) -> bytes:
    """Name gitmem's state folder as its settings do; empty where only they know."""
    home = environ.get(b"HOME", b"")
    moved = environ.get(b"GITMEM_HOME", b"")
    if moved == b"~" or moved.startswith(b"~/"):
        moved = home.rstrip(b"/") + moved[1:] if home.startswith(b"/") else b""
    if moved or environ.get(b"GITMEM_HOME"):
        return moved.rstrip(b"/") + b"/state" if moved.startswith(b"/") else b""
    below = DEFAULTS.get(platform)
    if not below or not home.startswith(b"/") or b"ANDROID_DATA" in environ:
        return b""
    base = environ.get(b"XDG_STATE_HOME", b"")
    if not base.startswith(b"/"):
        base = home.rstrip(b"/") + below
    return base.rstrip(b"/") + b"/gitmem"


def shaping(environ: "dict[bytes, bytes]") -> bytes:
    """Gather every variable on which it depends which daemon is asked."""
    names = [name for name in environ if name in SHAPING or name.startswith(PREFIX)]
    return b"".join(b"%s=%s\0" % (name, environ[name]) for name in sorted(names))


def pointer_name(variables: bytes) -> str:
    """Name the pointer that holds for these variables (FNV-1a of 64 bits).

    It need not be hard to forge: the pointer repeats the variables.
    """
    total = 0xCBF29CE484222325
    for byte in variables:
        total = (total ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{total:016x}"


def note(environ: "dict[bytes, bytes]", what: str) -> None:
    """Keep for the log, and for the next status line, that a hook gave nothing."""
    state = state_folder(environ)
    if not state:
        return
    shown = "".join(c if c.isprintable() else "?" for c in what)[:160]
    now = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())
    _append(state + b"/gitmem.log", f"{now} [{posix.getpid()}] hook {shown}\n", 1 << 24)
    try:
        posix.mkdir(state + b"/hooks", 0o700)
    except OSError:
        pass
    _append(state + b"/hooks/trouble", f"{shown}\n", TROUBLE_LIMIT_BYTES)


def _append(path: bytes, text: str, limit_bytes: int) -> None:
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT
    flags |= posix.O_NOFOLLOW | posix.O_CLOEXEC | posix.O_NONBLOCK
    try:
        descriptor = posix.open(path, flags, 0o600)
        if posix.fstat(descriptor).st_size < limit_bytes:
            posix.write(descriptor, text.encode("utf-8", "backslashreplace"))
        posix.close(descriptor)
    except OSError:
        pass


def _fill_descriptors() -> None:
    """Put nothing in the place of a closed stream, before a socket takes its number."""
    for descriptor in (0, 1, 2):
        try:
            posix.fstat(descriptor)
        except OSError:
            posix.open("/dev/null", posix.O_RDWR)


def _payload(environ: "dict[bytes, bytes]", host: str, event: str) -> bytes:
    """Read what the host says, all of it: a host may not like a broken pipe."""
    chunks, size = [], 0
    while chunk := _read():
        size += len(chunk)
        if size <= PAYLOAD_LIMIT_BYTES:
            chunks.append(chunk)
    if size > PAYLOAD_LIMIT_BYTES:
        note(environ, f"{host} {event}: the host sent {size >> 20} MiB at once")
        return b""
    return b"".join(chunks)


def pointed(environ: "dict[bytes, bytes]") -> bytes:
    """Read where the daemon's socket is, if nobody else can have written that."""
    state, variables = state_folder(environ), shaping(environ)
    if not state:
        return b""
    path = b"%s/hooks/%s" % (state, pointer_name(variables).encode())
    flags = posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_CLOEXEC | posix.O_NONBLOCK
    try:
        descriptor = posix.open(path, flags)
        found = posix.fstat(descriptor)
        is_ours = found.st_uid == posix.geteuid() and found.st_mode & _SHAPE == _PRIVATE
        data = posix.read(descriptor, POINTER_LIMIT_BYTES) if is_ours else b""
        posix.close(descriptor)
    except OSError:
        return b""
    magic, _, rest = data.partition(b"\n")
    socket, _, holds_for = rest.partition(b"\n")
    return socket if magic == MAGIC and holds_for == variables else b""


def _read() -> bytes:
    """Read a piece, also of a pipe that a host shares and that does not wait."""
    while True:
        try:
            return posix.read(0, _CHUNK_BYTES)
        except BlockingIOError:
            time.sleep(_LOOK_EVERY_SECONDS)


def _ask_daemon(
    path: bytes, request: bytes, ends: float
) -> "tuple[str, _socket.socket] | None":
    """Ask the daemon behind a socket; None when none answers in time.

    What it takes at once, it is asked before it has said that it is there.
    """
    beats = time.monotonic() + PULSE_SECONDS
    try:
        pulse = _connected(path)
        _send(pulse, _PING, beats)
        is_short = len(request) <= _AT_ONCE_BYTES
        asked = _asked(_connected(path), request, 1, ends) if is_short else None
        if not _line(pulse, beats).startswith(_PONG):
            return None
        return _answer_of(asked or _asked(_connected(path), request, 1, ends), ends)
    except (OSError, ValueError):
        return None


def _connected(path: bytes) -> _socket.socket:
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.settimeout(PULSE_SECONDS)
    connection.connect(path)
    who = getattr(_socket, "SO_PEERCRED", None)
    if who is not None:
        # pid, uid, gid
        found = connection.getsockopt(_socket.SOL_SOCKET, who, 12)
        if int.from_bytes(found[4:8], sys.byteorder) != posix.geteuid():
            raise OSError("the socket belongs to another user")
    return connection


def _ask_child(request: bytes, ends: float) -> "tuple[str, _socket.socket] | None":
    """Have a whole gitmem do it that outlives this process if it has to."""
    ours, theirs = _socket.socketpair()
    if posix.fork() == 0:
        _become_child(theirs.fileno())
    theirs.close()
    try:
        return _answer_of(_asked(ours, request, 2, ends), ends)
    except (OSError, ValueError):
        return None


def _become_child(descriptor: int) -> None:
    """Turn into the process that answers on its standard input."""
    try:
        posix.setsid()
        posix.dup2(descriptor, 0)
        posix.dup2(descriptor, 1)
        posix.dup2(posix.open("/dev/null", posix.O_WRONLY), 2)
        script = __file__.rpartition("/")[0] + "/fallback.py"
        command = [sys.executable, "-I", "-X", "utf8", script]
        posix.execve(sys.executable, command, posix.environ)
    finally:
        posix._exit(1)


def _asked(
    connection: _socket.socket, request: bytes, attempt: int, ends: float
) -> _socket.socket:
    """Ask what to print.

    Of two attempts at one request, the later one is believed: see `gitmem.sessions`.
    """
    # One clock for all processes of a machine since it was started.
    end = b', "ends": %.3f, "attempt": %d}}\n' % (ends, attempt)
    _send(connection, request + end, ends)
    return connection


def _answer_of(connection: _socket.socket, ends: float) -> "tuple[str, _socket.socket]":
    """Read what to print; raises OSError or ValueError without an answer."""
    text = _line(connection, ends).decode("utf-8")
    if not text.startswith(_ANSWER + '"'):
        raise ValueError("the answer is none")
    return scanstring(text, len(_ANSWER) + 1)[0], connection


def _send(connection: _socket.socket, line: bytes, ends: float) -> None:
    connection.settimeout(max(ends - time.monotonic(), 0.001))
    connection.sendall(line)


def _line(connection: _socket.socket, ends: float) -> bytes:
    """Read one line, within one deadline for all of it."""
    data = b""
    while not data.endswith(b"\n"):
        connection.settimeout(max(ends - time.monotonic(), 0.001))
        chunk = connection.recv(_CHUNK_BYTES)
        data += chunk
        if not chunk or len(data) > ANSWER_LIMIT_BYTES:
            raise OSError("the answer is broken")
    return data


def _print(data: bytes) -> None:
    while data:
        try:
            data = data[posix.write(1, data) :]
        except BlockingIOError:
            time.sleep(_LOOK_EVERY_SECONDS)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


if __name__ == "__main__":
    main()
