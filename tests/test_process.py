"""A program runs within its time, and leaves nothing of itself behind."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gitmem.errors import DeadlineExceeded, NotFound, Stopped, ToolMissing
from gitmem.process import (
    PIPE,
    Finished,
    Stopper,
    environment,
    finish,
    forget_variables,
    run,
)

# Each writes its own pid to a file named in argv, then stays.
STUBBORN = """\
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open(sys.argv[1], "w").write(str(os.getpid()))
time.sleep(60)
"""
PARENT = """\
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", sys.argv[2], sys.argv[1]])
while not open(sys.argv[1], "a+").tell():
    time.sleep(0.01)
print("ready", flush=True)
time.sleep(float(sys.argv[3]))
"""


def python(script, *arguments, cwd, timeout_seconds=30.0, **more):
    return run(
        [sys.executable, "-c", script, *map(str, arguments)],
        cwd=cwd,
        environment=environment(),
        timeout_seconds=timeout_seconds,
        **more,
    )


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()
    except FileNotFoundError:
        return False
    return state[0] != "Z"


def wait_until_gone(pid):
    ends = time.monotonic() + 5
    while is_running(pid) and time.monotonic() < ends:
        time.sleep(0.01)
    return not is_running(pid)


def test_status_and_both_outputs_come_back_as_bytes(tmp_path):
    script = "import os; os.write(1, b'\\xff\\0'); os.write(2, b'e'); os._exit(3)"

    assert python(script, cwd=tmp_path) == Finished(3, b"\xff\x00", b"e")


def test_what_is_fed_arrives_whole(tmp_path):
    data = os.urandom(1_000_000)
    script = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"

    assert python(script, cwd=tmp_path, stdin=data) == Finished(0, data, b"")


def test_a_program_that_does_not_read_what_it_is_fed_still_ends(tmp_path):
    done = python("print('done')", cwd=tmp_path, stdin=b"x" * 1_000_000)

    assert done == Finished(0, b"done\n", b"")


def test_a_program_without_input_sees_its_end(tmp_path):
    assert python("input()", cwd=tmp_path).stderr.endswith(
        b"EOFError: EOF when reading a line\n"
    )


def test_a_program_runs_in_the_folder_and_environment_given(tmp_path):
    done = run(
        [sys.executable, "-c", "import os; print(os.getcwd(), os.environ.get('A'))"],
        cwd=tmp_path,
        environment={"A": "1"},
        timeout_seconds=30,
    )

    assert done.stdout.decode() == f"{tmp_path.resolve()} 1\n"


def test_a_program_that_is_not_installed_is_named(tmp_path):
    with pytest.raises(ToolMissing) as caught:
        run(["gitmem-no-such"], cwd=tmp_path, environment={}, timeout_seconds=1)

    assert caught.value.message == "gitmem-no-such is not installed."


def test_a_folder_that_is_gone_is_not_taken_for_a_missing_program(tmp_path):
    with pytest.raises(NotFound):
        python("", cwd=tmp_path / "absent")


def test_a_program_that_takes_too_long_is_ended(tmp_path):
    began = time.monotonic()

    with pytest.raises(DeadlineExceeded) as caught:
        python("import time; time.sleep(60)", cwd=tmp_path, timeout_seconds=0.3)

    assert "did not finish within 0.3 s" in caught.value.message
    assert time.monotonic() - began < 5


def test_the_deadline_ends_grandchildren_that_ignore_a_polite_request(tmp_path):
    note = tmp_path / "pid"

    with pytest.raises(DeadlineExceeded):
        python(PARENT, note, STUBBORN, 60, cwd=tmp_path, timeout_seconds=1.5)

    assert wait_until_gone(int(note.read_text("utf-8")))


def test_a_grandchild_that_holds_the_output_open_is_ended_at_the_deadline(tmp_path):
    note = tmp_path / "pid"
    began = time.monotonic()

    done = python(PARENT, note, STUBBORN, 0, cwd=tmp_path, timeout_seconds=1.5)

    assert done == Finished(0, b"ready\n", b"")
    assert wait_until_gone(int(note.read_text("utf-8")))
    assert time.monotonic() - began < 8


def test_a_deadline_holds_while_the_program_does_not_read(tmp_path):
    with pytest.raises(DeadlineExceeded):
        python(
            "import time; time.sleep(60)",
            cwd=tmp_path,
            timeout_seconds=0.3,
            stdin=b"x" * 1_000_000,
        )


def test_output_past_the_limit_ends_the_program(tmp_path):
    script = "import os\nwhile True: os.write(1, b'x' * 65536)"

    done = python(script, cwd=tmp_path, output_limit_bytes=100_000)

    assert done == Finished(0, b"x" * 100_000, b"")


def test_output_below_the_limit_is_whole(tmp_path):
    done = python("print('x' * 10)", cwd=tmp_path, output_limit_bytes=100)

    assert done == Finished(0, b"x" * 10 + b"\n", b"")


def test_no_thread_and_no_descriptor_is_left(tmp_path):
    python("", cwd=tmp_path)
    before = (threading.active_count(), len(os.listdir("/proc/self/fd")))

    with pytest.raises(DeadlineExceeded):
        python("import time; time.sleep(60)", cwd=tmp_path, timeout_seconds=0.2)
    python("", cwd=tmp_path)

    assert (threading.active_count(), len(os.listdir("/proc/self/fd"))) == before


def test_the_environment_is_copied_without_a_prefix(monkeypatch):
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("LANG", "C")
    copied = environment(without_prefix="GIT_")

    assert "GIT_DIR" not in copied
    assert copied["LANG"] == "C"
    assert os.environ["GIT_DIR"] == "/elsewhere"


def test_forgotten_variables_are_gone_for_later_children(monkeypatch):
    monkeypatch.setenv("GITMEMTEST_A", "1")
    monkeypatch.setenv("GITMEMTEST_B", "2")

    forget_variables("GITMEMTEST_", keep=frozenset(["GITMEMTEST_B"]))

    assert "GITMEMTEST_A" not in environment()
    assert environment()["GITMEMTEST_B"] == "2"


SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]


def started(stopper, *, is_network):
    child = subprocess.Popen(
        SLEEP, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
    )
    stopper.begin(child, is_network=is_network)
    return child


def test_an_interrupted_program_on_the_network_ends_and_others_go_on():
    stopper = Stopper()
    fetch, commit = (started(stopper, is_network=each) for each in (True, False))

    threading.Timer(0.05, stopper.interrupt).start()
    with pytest.raises(Stopped):
        finish(fetch, timeout_seconds=30, stopper=stopper)

    assert commit.poll() is None
    stopper.abort()
    with pytest.raises(Stopped):
        finish(commit, timeout_seconds=30, stopper=stopper)


def test_a_program_that_begins_after_the_network_was_left_is_ended():
    stopper = Stopper()
    stopper.leave_network()

    with pytest.raises(Stopped):
        finish(started(stopper, is_network=True), timeout_seconds=9, stopper=stopper)
