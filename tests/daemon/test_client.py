"""A client gets an answer, or NoDaemon within its time."""

import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.daemon.conftest import eventually

from gitmem.daemon import client, protocol
from gitmem.errors import NoDaemon

STRANGER = """\
import os, socket, sys, time
os.setuid(65534)
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
listener.listen()
time.sleep(30)
"""


@pytest.fixture
def path(tmp_path_factory):
    """Name a socket whose path is short."""
    return Path("/tmp") / f"gitmem-test-{os.getpid()}-{time.monotonic_ns()}.sock"


@pytest.fixture
def serving(path: Path):
    """Answer one connection with given bytes, after a while."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()

    def serve(answer: bytes, *, stays: float = 0) -> Path:
        def once() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                _send(connection, answer)
                time.sleep(stays)

        threading.Thread(target=once, daemon=True).start()
        return path

    yield serve
    listener.close()
    path.unlink()


def _send(connection: socket.socket, answer: bytes) -> None:
    try:
        connection.sendall(answer)
    except OSError:
        return


def test_an_answer_is_given_back(serving):
    path = serving(protocol.answer_line({"pid": 7}))

    assert client.call(path, "ping", {}, timeout_seconds=2) == {"pid": 7}


@pytest.mark.parametrize(
    ("answer", "stays"),
    [
        (b"", 0),
        (b'{"ok": ', 0),
        (b'{"ok": ', 1),
        (b"\xff\xfe\n", 0),
        (b"7\n", 0),
        (b"x" * (protocol.ANSWER_LIMIT_BYTES + 1), 0),
        (protocol.failure_line(protocol.Failure("Mismatch", "newer")), 0),
    ],
    ids=["closed", "half", "hung", "bytes", "number", "huge", "refused"],
)
def test_a_broken_answer_is_no_daemon(answer, stays, serving):
    path = serving(answer, stays=stays)
    began = time.monotonic()

    with pytest.raises(NoDaemon):
        client.call(path, "ping", {}, timeout_seconds=0.4)

    assert time.monotonic() - began < 1


def test_no_socket_and_a_dead_one_are_no_daemon_at_once(path):
    with pytest.raises(NoDaemon):
        client.call(path, "ping", {}, timeout_seconds=5)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    with pytest.raises(NoDaemon):
        client.call(path, "ping", {}, timeout_seconds=5)
    path.unlink()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_a_socket_of_another_user_is_not_told_anything(path):
    stranger = subprocess.Popen([sys.executable, "-c", STRANGER, path])
    try:
        eventually(lambda: path.exists() and path.stat().st_mode & 0o777 == 0o777)
        time.sleep(0.05)
        with pytest.raises(NoDaemon, match="another user"):
            client.call(path, "ping", {}, timeout_seconds=2)
    finally:
        stranger.kill()
        stranger.wait()
        path.unlink()


def test_the_client_imports_nothing_heavy():
    script = "import sys, gitmem.daemon.client; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert not {"asyncio", "click", "git", "pydantic", "subprocess"} & set(
        done.stdout.split()
    )
