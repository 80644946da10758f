"""A disk without room, here or at the remote: it is told, and ends by itself."""

import contextlib
import json
import os
import subprocess

import pytest
from tests.daemon.conftest import eventually

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")


@pytest.fixture
def disk(tmp_path):
    """Mount a small disk of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "none", folder]
    done = subprocess.run(mount, capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "-l", folder], capture_output=True, check=False)


def fill(folder):
    """Leave no byte free."""
    with contextlib.suppress(OSError), (folder / "filler").open("wb", 0) as filler:
        while filler.write(b"x" * 4096):
            pass


def said(machine, **expected):
    """Give what `daemon status` says once it says so."""

    def look():
        found = json.loads(machine.gitmem("daemon", "status", "--json").out)
        is_told = "space" in found["next_step"]
        return found if is_told and expected.items() <= found.items() else None

    return eventually(look)


def test_a_full_disk_is_told_and_the_work_goes_out_when_there_is_room(
    make_machine, disk, remote_log
):
    machine = make_machine(GITMEM_HOME=str(disk / "g"))
    daemon = machine.start(has_watch=False, timing={"scan": 0.3})
    eventually(lambda: machine.job("push").outcome or machine.job("pull").at)
    machine.write("note.md")
    fill(disk)

    found = said(machine, error_class="disk-full", uncommitted=1)
    (disk / "filler").unlink()

    assert found["uncommitted"] == 1
    eventually(lambda: "memory(.): add note.md" in remote_log())
    assert machine.answers() == daemon.pid


def test_a_full_remote_is_told_and_takes_the_work_when_it_has_room(
    make_machine, disk, git
):
    remote = disk / "remote.git"
    git("init", "-q", "--bare", "--template=", "-b", "main", remote, cwd=disk)
    machine = make_machine(remote=str(remote))
    machine.service.sync()
    fill(disk)
    daemon = machine.start()
    machine.write("note.md")

    found = said(machine, error_class="disk-full", unpushed=1)
    (disk / "filler").unlink()

    assert found["oldest_unpushed"]
    eventually(lambda: "note.md" in git("ls-tree", "-r", "main", cwd=remote))
    assert machine.answers() == daemon.pid


def test_a_daemon_begins_where_there_is_no_room(make_machine, disk, remote_log):
    machine = make_machine(GITMEM_HOME=str(disk / "g"))
    machine.write("note.md")
    fill(disk)

    daemon = machine.start()

    assert machine.answers() == daemon.pid
    (disk / "filler").unlink()
    eventually(lambda: "memory(.): add note.md" in remote_log())
