import json
import socket
from pathlib import Path

import pytest

from gitmem.daemon import protocol
from gitmem.daemon.protocol import Failure, Malformed, Mismatch, Request


def test_a_request_arrives_as_it_was_sent():
    line = protocol.request_line("session_start", {"id": "é\n\ud800", "pid": 7})

    assert line.count(b"\n") == 1
    assert protocol.read_request(line) == Request(
        "session_start", {"id": "é\n\ud800", "pid": 7}
    )


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\xff\n",
        b"[]\n",
        b"7\n",
        b"[" * 100_000,
        b'{"protocol": 1}\n',
        b'{"protocol": 1, "verb": 7}\n',
        b'{"protocol": 1, "verb": "ping", "arguments": []}\n',
    ],
    ids=["empty", "bytes", "list", "number", "deep", "no-verb", "verb", "arguments"],
)
def test_what_is_no_request_is_malformed(line):
    with pytest.raises((Malformed, Mismatch)):
        protocol.read_request(line)


def test_another_version_is_told_from_garbage():
    with pytest.raises(Mismatch):
        protocol.read_request(b'{"protocol": 2, "verb": "ping"}\n')


def test_an_answer_and_a_failure_arrive_as_they_were_sent():
    failure = Failure("Offline", "no net", "later")

    assert protocol.read_answer(protocol.answer_line({"a": [1]})) == {"a": [1]}
    assert protocol.read_answer(protocol.failure_line(failure)) == failure


@pytest.mark.parametrize("line", [b"{}", b'{"error": 7}', b"x"])
def test_what_is_no_answer_is_malformed(line):
    with pytest.raises(Malformed):
        protocol.read_answer(line)


def test_a_socket_lies_in_the_state_folder_when_the_kernel_can_hold_its_path():
    assert protocol.socket_path(Path("/s")) == Path("/s/daemon.sock")


def test_a_long_path_moves_to_a_short_folder_that_is_the_same_each_time():
    deep = Path("/") / ("long" * 40)
    found = protocol.socket_path(deep)

    assert found == protocol.socket_path(deep)
    assert found != protocol.socket_path(deep / "x")
    assert len(str(found)) < protocol.PATH_LIMIT_BYTES


def test_the_peer_of_a_socket_pair_is_this_user():
    import os

    one, other = socket.socketpair(socket.AF_UNIX)
    with one, other:
        assert protocol.peer_uid(one) == os.geteuid()


def test_a_line_is_ascii_whatever_it_says():
    assert json.loads(protocol.answer_line("设备")) == {"ok": "设备"}
    assert protocol.answer_line("设备").isascii()
