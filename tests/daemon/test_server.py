"""Whatever comes in costs one connection, and the next one is answered."""

import asyncio
import json
import os
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gitmem.daemon import protocol
from gitmem.daemon.server import CONNECTIONS_AT_MOST, Server
from gitmem.errors import Offline, PathRefused

STRANGER = """\
import os, socket, sys
os.setuid(65534)
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(sys.argv[1])
    connection.sendall(b'{"protocol": 1, "verb": "echo", "arguments": {}}\\n')
    print(connection.recv(100))
"""


@pytest.fixture
def folder():
    """Make a folder whose sockets have short paths."""
    made = Path("/tmp") / f"gitmem-test-{os.getpid()}-{time.monotonic_ns()}"
    made.mkdir(mode=0o700)
    yield made
    for each in made.iterdir():
        each.unlink()
    made.rmdir()


async def _echo(arguments):
    return arguments


async def _offline(_):
    raise Offline("no answer from https://sam:secretsecret@example.org", "wait")


async def _bug(_):
    raise KeyError("surprise")


VERBS = {"echo": _echo, "offline": _offline, "bug": _bug}


def talk(folder, *messages, end=True):
    """Send each message on a connection of its own, and give what came back."""

    async def all_of_them():
        server = Server(folder / "s", VERBS, hung_seconds=0.2)
        await server.listen()
        answers = [await _exchange(server.path, each, end=end) for each in messages]
        server.close()
        return answers

    return asyncio.run(all_of_them())


async def _exchange(path, message, *, end):
    reader, writer = await asyncio.open_unix_connection(path)
    try:
        writer.write(message)
        await writer.drain()
        if end:
            writer.write_eof()
        answer = await asyncio.wait_for(reader.read(), 3)
    except OSError:
        answer = b""
    writer.close()
    return json.loads(answer) if answer else None


ECHO = protocol.request_line("echo", {"x": 1})


def test_a_request_is_answered_and_the_socket_is_private(folder):
    assert talk(folder, ECHO) == [{"ok": {"x": 1}}]
    found = (folder / "s").stat().st_mode
    assert (stat.S_ISSOCK(found), stat.S_IMODE(found)) == (True, 0o600)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        (b"\x00\xff\n", "Malformed"),
        (b"null\n", "Malformed"),
        (b'{"protocol": 99, "verb": "echo"}\n', "Mismatch"),
        (protocol.request_line("nonsense", {}), "UsageError"),
        (protocol.request_line("bug", {}), "Unexpected"),
        (b"x" * (protocol.REQUEST_LIMIT_BYTES + 9), "Malformed"),
    ],
    ids=["garbage", "null", "newer", "unknown", "bug", "huge"],
)
def test_a_bad_request_is_refused_and_the_next_is_answered(message, kind, folder):
    refused, answered = talk(folder, message, ECHO, end=False)

    assert refused is None or refused["error"]["kind"] == kind
    assert answered == {"ok": {"x": 1}}


@pytest.mark.parametrize("end", [True, False], ids=["half", "hung"])
def test_half_a_message_gets_no_answer_and_the_next_is_answered(end, folder):
    assert talk(folder, ECHO[:-5], ECHO, end=end) == [None, {"ok": {"x": 1}}]


def test_an_error_of_a_verb_is_told_without_its_secret(folder):
    (told,) = talk(folder, protocol.request_line("offline", {}))

    assert (told["error"]["kind"], told["error"]["hint"]) == ("Offline", "wait")
    assert "secretsecret" not in told["error"]["message"]


def test_too_many_connections_are_turned_away_and_later_ones_answered(folder):
    async def crowd():
        server = Server(folder / "s", VERBS, hung_seconds=0.3)
        await server.listen()
        silent = [
            await asyncio.open_unix_connection(server.path)
            for _ in range(CONNECTIONS_AT_MOST)
        ]
        turned_away = await _exchange(server.path, ECHO, end=True)
        await asyncio.sleep(0.5)
        answered = await _exchange(server.path, ECHO, end=True)
        for _, writer in silent:
            writer.close()
        server.close()
        return turned_away, answered

    assert asyncio.run(crowd()) == (None, {"ok": {"x": 1}})


def test_a_socket_that_a_dead_daemon_left_is_replaced(folder):
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(folder / "s"))

    assert talk(folder, ECHO) == [{"ok": {"x": 1}}]


def test_a_folder_that_others_could_change_is_refused(folder):
    folder.chmod(0o777)

    with pytest.raises(PathRefused):
        talk(folder, ECHO)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_another_user_who_can_reach_the_socket_is_told_nothing(folder):
    async def visited():
        server = Server(folder / "s", VERBS, hung_seconds=1)
        await server.listen()
        folder.chmod(0o755)
        server.path.chmod(0o777)
        stranger = await asyncio.create_subprocess_exec(
            sys.executable, "-c", STRANGER, server.path, stdout=subprocess.PIPE
        )
        said, _ = await stranger.communicate()
        server.close()
        return said

    assert asyncio.run(visited()) in {b"b''\n", b""}
