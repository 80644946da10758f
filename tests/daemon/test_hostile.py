"""Whoever is at the other end, and whatever lies in its way: others are served."""

import contextlib
import os
import socket
import stat
import threading
from pathlib import Path

import pytest
from tests.daemon.conftest import Machine, eventually

from gitmem.daemon import protocol
from gitmem.daemon.door import session_end, session_start
from gitmem.daemon.guard import LOCK_NAME
from gitmem.daemon.protocol import socket_path
from gitmem.errors import NoDaemon
from gitmem.files.atomic import private_folder
from gitmem.service.answers import Visit

MEBIBYTE = b"x" * 2**20
STATUS = protocol.request_line("status", {})


def reach(machine: Machine) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(str(socket_path(machine.state)))
    return connection


def pour(connection: socket.socket, pieces: int) -> int:
    """Send a piece again and again; say how many were taken."""
    taken = 0
    with contextlib.suppress(OSError):
        for _ in range(pieces):
            connection.sendall(MEBIBYTE)
            taken += 1
    return taken


def resident(pid: int) -> int:
    """Say how many MiB of memory a process has in use."""
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 2**20


def test_a_client_that_sends_a_gigabyte_is_cut_off(machine):
    daemon = machine.start(has_watch=False)
    before = resident(daemon.pid)

    with reach(machine) as connection:
        taken = pour(connection, 1024)

    assert taken < 100
    assert resident(daemon.pid) < before + 50
    assert machine.answers() == daemon.pid


def test_a_client_that_sends_for_ever_keeps_nobody_else_waiting(machine):
    daemon = machine.start(has_watch=False)
    ends = threading.Event()

    def flood() -> None:
        while not ends.is_set():
            with reach(machine) as connection:
                pour(connection, 1024)

    thread = threading.Thread(target=flood)
    thread.start()
    answers = [machine.answers() for _ in range(5)]
    ends.set()
    thread.join()

    assert answers == [daemon.pid] * 5


@pytest.mark.parametrize(
    "data",
    [b"", STATUS[:-1], STATUS * 3, b"\xff\xfe\n", b'{"protocol": 9}\n', b"\0" * 99],
    ids=["nothing", "half", "thrice", "no-text", "newer", "nul"],
)
def test_a_client_that_neither_reads_nor_leaves_is_left_alone(data, machine):
    daemon = machine.start(has_watch=False)

    with reach(machine) as connection:
        connection.sendall(data)
        assert machine.answers() == daemon.pid


def test_two_hundred_connections_at_once_keep_no_session_from_its_work(machine, git):
    daemon = machine.start(has_watch=False)
    with contextlib.ExitStack() as crowd:
        for _ in range(200):
            crowd.enter_context(reach(machine))
        machine.write("note.md")

        visit = Visit("pi", "s1")
        told = session_start(machine.connected("pi", "s1"), visit)
        session_end(machine.connected("pi", "s1"), visit)

    assert told.is_new
    assert git("status", "--porcelain", cwd=machine.root) == ""
    assert eventually(machine.answers) == daemon.pid


ODD = {
    "huge-pid": {"pid": 10**30},
    "negative-pid": {"pid": -1},
    "no-pid": {"pid": 0},
    "pid-of-another-kind": {"pid": {"a": 1}},
    "nul-in-cwd": {"cwd": "/a\0b"},
    "cwd-of-another-kind": {"cwd": [1]},
    "long-cwd": {"cwd": "/x" * 100_000},
    "half-a-character": {"id": "\ud800", "host": "\udfff"},
    "path-as-id": {"id": "../../../etc/passwd"},
    "variables-of-another-kind": {"variables": ["GITMEM_HOME"]},
    "odd-variables": {"variables": {"GITMEM_SYNC__TIMEOUT": {"a": [1]}}},
    "nul-in-variables": {"variables": {"GITMEM_HOME": "/a\0b"}},
    "another-home": {"variables": {"GITMEM_HOME": "/dev/null/home"}},
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_odd_arguments_are_refused_or_taken_and_the_daemon_goes_on(odd, machine):
    daemon = machine.start(has_watch=False, timing={"sessions": 0.1})
    own = {k: v for k, v in machine.settings.items() if k.startswith("GITMEM_")}
    usual = {"host": "pi", "id": "s1", "cwd": str(machine.folder), "variables": own}

    for verb in ("session_start", "session_end", "session_start", "nonsense"):
        with contextlib.suppress(NoDaemon):
            machine.ask(verb, **{**usual, **odd})

    assert machine.answers() == daemon.pid
    before = machine.job("sessions").at
    eventually(lambda: machine.job("sessions").at != before)
    assert machine.job("sessions").outcome == "ok"


def test_a_link_in_the_place_of_the_socket_is_replaced_and_not_followed(machine):
    victim = machine.folder / "victim"
    victim.write_text("text", "utf-8")
    socket_path(machine.state).symlink_to(victim)

    machine.start(has_watch=False)

    assert stat.S_ISSOCK(socket_path(machine.state).lstat().st_mode)
    assert victim.read_text("utf-8") == "text"


@pytest.mark.parametrize(
    "place", [lambda state: state / LOCK_NAME, socket_path], ids=["lock", "socket"]
)
def test_a_folder_in_the_place_of_its_own_file_is_refused_with_a_reason(place, machine):
    planted = place(machine.state)
    (private_folder(planted.parent) / planted.name).mkdir()

    said = machine.gitmem("daemon", "run")

    planted.rmdir()
    assert said.status == 1
    assert f"{planted} cannot be" in said.err
    assert "remove it" in said.err


def plant_link(path: Path) -> None:
    path.symlink_to(path.with_name("victim"))


@pytest.mark.parametrize("plant", [os.mkfifo, os.mkdir, plant_link])
def test_what_lies_in_the_place_of_the_log_holds_nobody_up(plant, machine, remote_log):
    plant(machine.state / "daemon.log")

    started = machine.gitmem("daemon", "start")
    machine.write("note.md")

    assert started.out.startswith("Started: process ")
    eventually(lambda: "memory(.): add note.md" in remote_log())
    assert machine.gitmem("daemon", "logs").status == 0
    assert machine.gitmem("daemon", "stop").status == 0
    assert not (machine.state / "victim").exists()
