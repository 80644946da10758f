"""A daemon in a process of its own: how it begins, what it survives, how it leaves."""

import os
import re
import signal
import socket
import subprocess
import time
from pathlib import PurePosixPath

import pytest
from tests.daemon.conftest import PATIENCE, eventually

from gitmem.catalog import rows
from gitmem.daemon.protocol import socket_path
from gitmem.errors import NoDaemon
from gitmem.service.answers import Visit


def descriptors(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def test_of_twenty_started_at_once_one_lives(machine):
    started = [machine.spawn() for _ in range(20)]

    living = eventually(machine.answers)
    losers = [each for each in started if each.pid != living]
    said = {each.communicate(timeout=PATIENCE)[0] for each in losers}

    assert said == {"another lives\n"}
    assert {each.returncode for each in losers} == {0}
    assert len(losers) == 19
    assert machine.answers() == living


def test_what_is_written_goes_out_when_it_is_quiet(machine, remote_log):
    machine.start()
    assert machine.status().watch == "watching"

    machine.write("note.md")

    eventually(lambda: "memory(.): add note.md" in remote_log())


def test_what_the_watch_saw_is_found_before_it_goes_out(make_machine):
    machine = make_machine(GITMEM_SYNC__DEBOUNCE="3600")
    machine.service.index()
    machine.start(timing={"scan": 3600})
    eventually(lambda: machine.job("refresh").outcome == "ok")
    path = PurePosixPath("global/note.md")
    (machine.root / "global").mkdir(exist_ok=True)

    def is_found():
        # Nobody says when it has begun to watch.
        machine.write(str(path))
        with machine.service.rooms.catalog() as catalog:
            return rows.get(catalog, [path])

    assert [row.path for row in eventually(is_found)] == [path]


def test_a_write_that_the_watch_missed_is_found_by_the_scan(machine, remote_log):
    machine.start(has_watch=False, timing={"scan": 0.3})
    assert machine.status().watch == "scanning only"

    machine.write("note.md")

    eventually(lambda: "memory(.): add note.md" in remote_log())


def test_commits_that_a_command_left_unpushed_go_out(machine, remote_log):
    machine.start(has_watch=False, timing={"scan": 0.3})
    machine.write("note.md")
    machine.service.commit()

    eventually(lambda: "memory(.): add note.md" in remote_log())


def test_sigterm_ends_it_with_everything_committed(machine, git):
    daemon = machine.start(has_watch=False)
    eventually(lambda: machine.job("pull").at)
    machine.write("last.md")

    daemon.send_signal(signal.SIGTERM)

    assert daemon.wait(PATIENCE) == 0
    assert git("status", "--porcelain", cwd=machine.root) == ""
    assert not socket_path(machine.state).exists()


def test_sigterm_during_a_hung_fetch_ends_it_in_time(make_machine, git, moody):
    machine = make_machine(remote=moody.url, GITMEM_SYNC__TIMEOUT="600")
    moody.gate.clear()
    asked = moody.asked
    daemon = machine.start(has_watch=False)
    machine.ask("pull")
    eventually(lambda: moody.asked > asked)
    machine.write("last.md")

    daemon.send_signal(signal.SIGTERM)

    assert daemon.wait(PATIENCE) == 0
    assert git("status", "--porcelain", cwd=machine.root) == ""
    assert not _running("git-remote-http", moody.url)


def _running(name: str, url: str) -> list[str]:
    listed = subprocess.run(
        ["ps", "-eo", "args"], capture_output=True, text=True, check=True
    ).stdout
    return [line for line in listed.splitlines() if name in line and url in line]


def test_a_daemon_that_was_killed_leaves_nothing_in_the_way(machine, remote_log):
    first = machine.start()
    first.kill()
    first.wait(PATIENCE)
    assert socket_path(machine.state).exists()
    with pytest.raises(NoDaemon):
        machine.ask("ping")

    machine.start()
    machine.write("note.md")

    eventually(lambda: "memory(.): add note.md" in remote_log())


def test_a_daemon_that_sleeps_delays_nobody_and_wakes(machine, remote_log):
    daemon = machine.start(timing={"wake_after": 0.5})
    os.kill(daemon.pid, signal.SIGSTOP)
    with pytest.raises(NoDaemon, match="timed out"):
        machine.ask("ping", within=0.2)
    machine.write("note.md")
    time.sleep(0.8)  # longer than `wake_after`: this is the sleep that is slept

    os.kill(daemon.pid, signal.SIGCONT)

    eventually(lambda: "the machine slept" in machine.log())
    eventually(lambda: "memory(.): add note.md" in remote_log())


def test_after_a_sleep_what_hung_is_ended_and_a_pull_happens_now(make_machine, moody):
    machine = make_machine(remote=moody.url, GITMEM_SYNC__TIMEOUT="600")
    machine.settings["GITMEM_SYNC__INTERVAL"] = "900"
    daemon = machine.start(has_watch=False, timing={"wake_after": 0.5})
    eventually(lambda: machine.job("pull").at)
    moody.gate.clear()
    asked = moody.asked
    machine.ask("pull")
    hung = eventually(lambda: moody.asked > asked and _children(daemon.pid))
    asked = moody.asked

    os.kill(daemon.pid, signal.SIGSTOP)
    time.sleep(0.8)  # longer than `wake_after`: this is the sleep that is slept
    os.kill(daemon.pid, signal.SIGCONT)

    eventually(lambda: "the machine slept" in machine.log())
    eventually(lambda: not hung & _children(daemon.pid))
    eventually(lambda: moody.asked > asked)
    moody.gate.set()
    eventually(lambda: machine.job("pull").outcome == "ok")


def _children(pid: int) -> set[str]:
    """List what a process has started."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    return set(listed.split())


def test_it_leaves_when_nobody_needs_it(make_machine):
    machine = make_machine(GITMEM_DAEMON__IDLE_EXIT="0.3")
    daemon = machine.spawn()

    assert daemon.wait(PATIENCE) == 0
    assert "nobody needed it" in machine.log()


def test_it_stays_while_a_session_is_at_work(machine):
    machine.start()
    machine.ask("session_start", **_session(machine, pid=os.getpid()))
    machine.configure("[daemon]\nidle_exit = 0.3\n")
    before = machine.job("sessions").at

    # What is written with whole seconds has changed after more than `idle_exit`.
    eventually(lambda: machine.job("sessions").at != before)

    assert [each.id for each in machine.status().sessions] == ["s1"]


def _session(machine, host="pi", session_id="s1", **more):
    own = {k: v for k, v in machine.settings.items() if k.startswith("GITMEM_")}
    return {
        "host": host,
        "id": session_id,
        "cwd": str(machine.folder),
        "variables": own,
        **more,
    }


def test_what_one_session_wrote_is_pushed_under_its_name(machine, git, bare_remote):
    machine.start()
    machine.ask("session_start", **_session(machine))
    machine.write("note.md")

    def message():
        return git("log", "--all", "--format=%B", "--", "note.md", cwd=bare_remote)

    eventually(lambda: "Gitmem-Host: pi\nGitmem-Session: s1" in message())


def test_what_a_command_of_nobodys_wrote_is_committed_under_no_session(machine, git):
    machine.start()
    machine.ask("session_start", **_session(machine))
    machine.service.write("notes/a.md", b"---\ndescription: a\n---\ntext\n")
    machine.write("b.md")
    eventually(lambda: machine.service.status().uncommitted == 0)

    def trailers(path):
        return git("log", "--format=%B", "--", path, cwd=machine.root)

    assert "Gitmem-Host: cli\n" in trailers("beacon/notes/a.md")
    assert "Gitmem-Session" not in trailers("beacon/notes/a.md")
    assert "Gitmem-Session: s1" in trailers("b.md")


def test_what_each_of_two_sessions_wrote_is_committed_under_its_name(machine, git):
    (machine.root / "beacon").mkdir()
    _wrote(machine, "s1")
    _wrote(machine, "s2")
    machine.service.commit()

    shown = git("log", "--format=%B", "--", "beacon/s2.md", cwd=machine.root)

    assert "Gitmem-Session: s2" in shown
    assert "s1" not in shown


def _wrote(machine, name):
    path = machine.root / "beacon" / f"{name}.md"
    path.write_text(f"---\ndescription: {name}\n---\n")
    service = machine.connected("pi", name)
    service.session.start(Visit("pi", name))
    service.session.wrote(Visit("pi", name), [str(path)])


def test_what_a_sessions_own_command_wrote_is_committed_under_its_name(machine, git):
    visit = Visit("pi", "s1", "", os.getppid())
    machine.connected("pi", "s1").session.start(visit)
    machine.service.write("notes/a.md", b"---\ndescription: a\n---\ntext\n")
    machine.service.commit()

    shown = git("log", "--format=%B", "--", "beacon/notes/a.md", cwd=machine.root)

    assert "Gitmem-Host: pi\nGitmem-Session: s1" in shown


def test_a_merge_names_no_session(make_machine, git):
    other = make_machine("elm")
    other.service.sync()
    machine = make_machine()
    other.write("theirs.md")
    other.service.sync()
    machine.write("ours.md")
    machine.connected("pi", "s1").sync()

    shown = git("log", "-1", "--merges", "--format=%B", cwd=machine.root)

    assert "Gitmem-Machine: oak" in shown
    assert "Gitmem-Session" not in shown


def test_a_session_whose_host_died_is_ended_under_its_own_name(machine, git):
    host = subprocess.Popen(["sleep", "60"])
    machine.start(has_watch=False)
    machine.ask("session_start", **_session(machine, pid=host.pid))
    machine.write("orphan.md")

    host.kill()
    host.wait()

    eventually(lambda: not machine.status().sessions)
    eventually(lambda: "Gitmem-Session: s1" in _last_message(git, machine))


def _last_message(git, machine):
    return git("log", "-1", "--format=%B", "--", "orphan.md", cwd=machine.root)


def test_it_refuses_a_state_folder_that_others_could_change(machine):
    machine.state.chmod(0o777)

    daemon = machine.spawn()

    assert "can be changed by other users" in daemon.communicate(timeout=PATIENCE)[1]
    assert daemon.returncode == 1


def test_what_broken_clients_send_is_survived(machine):
    daemon = machine.start(timing={"hung_client": 0.3})
    hung = []
    for data in (b"", b"\x00\xff\n", b"{}\n", b'{"protocol": 9}\n', b"[" * 2_000_000):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(str(socket_path(machine.state)))
        _send(connection, data)
        hung.append(connection)

    time.sleep(0.5)
    for connection in hung:
        connection.close()

    assert machine.answers() == daemon.pid


def _send(connection: socket.socket, data: bytes) -> None:
    connection.settimeout(1)
    try:
        connection.sendall(data)
    except OSError:
        return


def test_a_hundred_requests_leave_no_descriptor_behind(machine):
    daemon = machine.start(has_watch=False)
    for number in range(10):
        machine.ask("session_end", **_session(machine, session_id=str(number)))
    before = descriptors(daemon.pid)

    for number in range(100):
        machine.ask("ping", number=number)
    for number in range(10):
        machine.ask("session_end", **_session(machine, session_id=str(number)))

    assert eventually(lambda: descriptors(daemon.pid) <= before + 1)


def test_one_that_is_to_stay_takes_the_place_of_one_that_is_not(machine):
    first = machine.start()

    second = machine.spawn(stays=True)

    assert first.wait(PATIENCE) == 0
    eventually(lambda: machine.answers() == second.pid)
    assert machine.spawn().communicate(timeout=PATIENCE)[0] == "another lives\n"


def test_the_log_says_when_it_began_and_why_it_left(machine):
    daemon = machine.start()
    machine.ask("stop")
    daemon.wait(PATIENCE)

    lines = [line.split("] ")[1] for line in machine.log().splitlines()]

    assert lines[0] == f"began, for {machine.root}"
    took = r"( \(that took \d\.\d s\))?"
    assert re.fullmatch(rf"left: it was asked to{took}", lines[-1])
