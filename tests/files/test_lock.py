"""One process at a time."""

import signal
import subprocess
import sys
import threading
import time

import pytest

from gitmem.errors import Busy
from gitmem.files.lock import locked

HOLD = """\
import sys, time, pathlib
from gitmem.files.lock import locked
with locked(pathlib.Path(sys.argv[1]), timeout_seconds=5):
    print("held", flush=True)
    time.sleep(60)
"""
ADD = """\
import sys, pathlib
from gitmem.files.lock import locked
count = pathlib.Path(sys.argv[1])
for _ in range(20):
    with locked(count.with_suffix(".lock"), timeout_seconds=30):
        count.write_text(str(int(count.read_text()) + 1))
"""


@pytest.fixture
def holder(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, tmp_path / "lock"], stdout=subprocess.PIPE
    )
    with process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def test_a_lock_that_another_process_holds_is_reported_busy(tmp_path, holder):
    with (
        pytest.raises(Busy) as caught,
        locked(tmp_path / "lock", timeout_seconds=0.1),
    ):
        pass

    assert caught.value.hint


def test_a_holder_that_is_killed_leaves_no_lock(tmp_path, holder):
    holder.send_signal(signal.SIGKILL)

    with locked(tmp_path / "lock", timeout_seconds=5):
        assert holder.wait(5) == -signal.SIGKILL


def test_a_lock_that_is_freed_in_time_is_taken(tmp_path, holder):
    threading.Timer(0.1, holder.kill).start()
    began = time.monotonic()

    with locked(tmp_path / "lock", timeout_seconds=5):
        assert time.monotonic() - began < 20


def test_a_lock_is_free_after_an_error(tmp_path):
    with (
        pytest.raises(KeyError),
        locked(tmp_path / "lock", timeout_seconds=0),
    ):
        raise KeyError

    with locked(tmp_path / "lock", timeout_seconds=0):
        pass


def test_processes_that_take_turns_lose_no_step(tmp_path):
    (tmp_path / "count.txt").write_text("0")
    command = [sys.executable, "-c", ADD, tmp_path / "count.txt"]

    workers = [subprocess.Popen(command) for _ in range(4)]

    assert [worker.wait(60) for worker in workers] == [0, 0, 0, 0]
    assert (tmp_path / "count.txt").read_text() == "80"
