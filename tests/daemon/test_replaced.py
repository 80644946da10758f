"""A daemon under which something is replaced: it leaves, and nothing is lost."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.daemon.conftest import PATIENCE, Machine, eventually

import gitmem
from gitmem.daemon.guard import LOCK_NAME
from gitmem.daemon.protocol import socket_path

PACKAGE = Path(gitmem.__file__).parent
VERSION = f'__version__ = "{gitmem.__version__}"'


@pytest.fixture
def installed(tmp_path: Path, machine: Machine) -> Path:
    """Install gitmem where only this machine finds it, as a copy."""
    site = tmp_path / "site"
    lay(site / "gitmem", VERSION)
    others = filter(None, [os.environ.get("PYTHONPATH")])
    machine.settings["PYTHONPATH"] = os.pathsep.join([str(site), *others])
    machine.settings["PYTHONDONTWRITEBYTECODE"] = "1"
    return site / "gitmem"


def lay(package: Path, version: str) -> None:
    """Copy gitmem's files, its version last, as an installer may do."""
    leave_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, package, ignore=leave_out, dirs_exist_ok=True)
    first = package / "__init__.py"
    first.write_text(first.read_text("utf-8").replace(VERSION, version), "utf-8")


def type_(machine: Machine, *arguments: str) -> int:
    """Type a command that this machine's own gitmem carries out."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gitmem", *arguments],
        cwd=machine.folder,
        env=machine.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.returncode


def ended(daemon: subprocess.Popen[str]) -> tuple[int | None, str]:
    daemon.wait(PATIENCE)
    return daemon.returncode, daemon.communicate()[1]


def is_committed(machine: Machine, git, name: str) -> bool:
    return name in git("ls-tree", "-r", "--name-only", "HEAD", cwd=machine.root)


def test_a_new_version_makes_it_leave_and_the_next_session_starts_that(
    machine, installed, git, remote_log
):
    daemon = machine.start(has_watch=False)
    assert machine.status().version == gitmem.__version__
    machine.write("note.md")

    shutil.rmtree(installed)
    lay(installed, '__version__ = "9.0.0"')

    assert ended(daemon) == (0, "")
    assert "gitmem was replaced by another version" in machine.log()
    assert is_committed(machine, git, "note.md")
    machine.settings["GITMEM_DAEMON__AUTOSTART"] = "true"
    machine.settings["GITMEM_SYNC__FETCH_TTL"] = "0"
    assert type_(machine, "session", "start", "--host", "pi", "--id", "s1") == 0
    eventually(machine.answers)
    assert machine.status().version == "9.0.0"
    eventually(lambda: "memory(.): add note.md" in remote_log())


def test_a_removed_gitmem_makes_it_leave_with_everything_committed(
    machine, installed, git
):
    daemon = machine.start(has_watch=False)
    machine.write("note.md")

    shutil.rmtree(installed)

    assert ended(daemon) == (0, "")
    assert is_committed(machine, git, "note.md")


def test_a_push_that_is_at_work_is_done_before_it_leaves_for_a_new_version(
    machine, installed, moody, remote_log
):
    machine.gitmem("remote", moody.url)
    machine.settings["GITMEM_SYNC__TIMEOUT"] = "120"
    daemon = machine.start(has_watch=False)
    eventually(lambda: machine.job("pull").at)
    machine.write("note.md")
    moody.gate.clear()
    asked = moody.asked
    machine.ask("push")
    eventually(lambda: moody.asked > asked)

    lay(installed, '__version__ = "9.0.0"')
    with pytest.raises(subprocess.TimeoutExpired):
        daemon.wait(1)
    moody.gate.set()

    assert ended(daemon) == (0, "")
    assert "memory(.): add note.md" in remote_log()


@pytest.mark.parametrize("taken", ["socket", "lock"])
def test_a_socket_or_lock_that_is_deleted_makes_it_leave(taken, machine, git):
    daemon = machine.start(has_watch=False)
    places = {"lock": machine.state / LOCK_NAME, "socket": socket_path(machine.state)}
    machine.write("note.md")

    places[taken].unlink()

    assert ended(daemon) == (0, "")
    assert is_committed(machine, git, "note.md")
    second = machine.start()
    assert machine.answers() == second.pid


def test_a_socket_of_somebody_else_in_its_place_makes_it_leave(machine, git):
    daemon = machine.start(has_watch=False)
    path = socket_path(machine.state)
    machine.write("note.md")

    with socket.socket(socket.AF_UNIX) as other:
        other.bind(f"{path}.new")
        Path(f"{path}.new").rename(path)
        assert ended(daemon) == (0, "")

    assert path.exists()
    assert is_committed(machine, git, "note.md")
    second = machine.start()
    assert machine.answers() == second.pid


def test_a_state_folder_that_is_removed_makes_it_leave(machine, git):
    daemon = machine.start(has_watch=False)
    state = machine.state
    machine.write("note.md")

    shutil.rmtree(state)

    assert ended(daemon) == (0, "")
    assert is_committed(machine, git, "note.md")
    second = machine.start()
    assert machine.answers() == second.pid


def test_a_repository_that_is_moved_away_makes_it_leave_and_stays_away(machine):
    daemon = machine.start()
    root, state = machine.root, machine.state
    away = root.with_name("away")
    machine.write("note.md")

    root.rename(away)

    assert ended(daemon) == (0, "")
    assert not root.exists()
    assert (away / "note.md").read_text("utf-8") == "text\n"
    assert "its repository is gone" in (state / "daemon.log").read_text("utf-8")


def test_settings_that_name_another_repository_make_it_leave(make_machine, git):
    machine = make_machine(remote=None)
    root, state = machine.root, machine.state
    daemon = machine.start(has_watch=False)
    machine.write("note.md")

    machine.configure('[memory_dir]\nlocal_path = "/elsewhere"\n')

    assert ended(daemon) == (0, "")
    said = (state / "daemon.log").read_text("utf-8")
    assert "the settings name another repository" in said
    assert "note.md" in git("ls-tree", "--name-only", "HEAD", cwd=root)


def test_settings_that_cannot_be_read_do_not_end_it(make_machine, git):
    machine = make_machine(remote=None)
    daemon = machine.start(has_watch=False)
    state = machine.state

    config = machine.configure("[memory_dir\n")
    eventually(lambda: "settings" in (state / "daemon.log").read_text("utf-8"))
    config.unlink()
    socket_path(state).unlink()

    assert ended(daemon) == (0, "")
