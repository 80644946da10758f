import os
import plistlib
import shutil
import subprocess
from pathlib import Path

import pytest

from gitmem.daemon import units

COMMAND = ("/opt/my tools/python", "-P", "-m", "gitmem", "daemon", "run", "--stay")
VARIABLES = {"GITMEM_HOME": '/home/sam/100% "mine" $x\\', "PATH": "/usr/bin"}


def test_a_systemd_unit_names_the_interpreter_and_keeps_every_character():
    text = units.systemd_unit(COMMAND, VARIABLES)

    assert 'ExecStart="/opt/my tools/python" "-P" "-m" "gitmem"' in text
    assert r'Environment="GITMEM_HOME=/home/sam/100%% \"mine\" $x\\"' in text


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path):
    path = tmp_path / "gitmem.service"
    command = (shutil.which("true") or "", *COMMAND[1:])
    path.write_text(units.systemd_unit(command, VARIABLES), "utf-8")

    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", path],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert "gitmem.service" not in done.stderr
    assert done.returncode == 0, done.stderr


def test_a_launchd_agent_is_a_property_list_with_the_command():
    found = plistlib.loads(units.launchd_agent(COMMAND, VARIABLES).encode())

    assert found["ProgramArguments"] == list(COMMAND)
    assert found["EnvironmentVariables"] == VARIABLES
    assert found["KeepAlive"] is True


@pytest.mark.parametrize(
    ("platform", "place"),
    [
        ("linux", ".config/systemd/user/gitmem.service"),
        ("darwin", "Library/LaunchAgents/org.gitmem.daemon.plist"),
    ],
)
def test_each_platform_has_its_place(platform, place):
    unit = units.unit_for(platform, Path("/home/sam"), COMMAND, {})

    assert unit.path == Path("/home/sam") / place


def test_a_daemon_that_the_system_runs_is_said_to_come_back(machine):
    machine.gitmem("daemon", "install")
    machine.start()

    said = machine.gitmem("daemon", "stop").out

    assert "The system starts it again, unless: systemctl --user disable" in said


def test_what_is_installed_is_private_to_write_and_removed_again(machine):
    installed = machine.gitmem("daemon", "install")
    path = next(Path(os.environ["HOME"]).rglob("gitmem.service"), None)
    removed = machine.gitmem("daemon", "uninstall")

    assert "systemctl --user enable --now gitmem.service" in installed.out
    assert path is None or not path.exists()
    assert "Removed" in removed.out
    assert "Nothing was installed" in machine.gitmem("daemon", "uninstall").out
