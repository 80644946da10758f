"""The doctor looks at the daemon, and each finding has its mend."""

import os
import signal

import pytest
from tests.daemon.conftest import eventually

from gitmem import __version__
from gitmem.daemon import checkup, units
from gitmem.service.answers import Diagnosis, Verdict


def found(machine):
    return list(checkup.examine(machine.service))


def worry(message, mend):
    return Diagnosis("daemon", Verdict.WORRY, message, mend)


@pytest.mark.parametrize(
    ("autostart", "then"),
    [("true", "the next session starts one"), ("false", "all works without it")],
    ids=["started by itself", "started by hand"],
)
def test_no_daemon_is_fine(make_machine, autostart, then):
    machine = make_machine(GITMEM_DAEMON__AUTOSTART=autostart)

    assert found(machine) == [Diagnosis("daemon", Verdict.FINE, f"none runs; {then}")]


def test_without_a_repository_there_is_nothing_to_look_at(machine):
    (machine.root / ".git").rename(machine.root / "gone")

    assert found(machine) == []


def test_a_daemon_that_answers_is_fine_until_the_version_is_another(
    machine, monkeypatch
):
    pid = machine.start().pid
    eventually(lambda: machine.job("pull").at)

    assert found(machine) == [
        Diagnosis("daemon", Verdict.FINE, f"process {pid}, gitmem {__version__}")
    ]

    monkeypatch.setattr("gitmem.daemon.checkup.__version__", "9.9")

    assert found(machine)[0] == worry(
        f"Process {pid} is gitmem {__version__}, and this is 9.9.",
        "Stop it; the next session starts this one: gitmem daemon stop",
    )


def test_a_daemon_that_hangs_is_broken_and_can_be_stopped(machine, monkeypatch):
    monkeypatch.setattr("gitmem.daemon.door.ANSWER_SECONDS", 0.2)
    pid = machine.start().pid
    os.kill(pid, signal.SIGSTOP)

    said = machine.gitmem("doctor")

    assert said.status == 1
    assert f"broken  daemon: Process {pid} is to be it, and does not answer" in said.out
    assert "-> Stop it; the next session starts another: gitmem daemon stop" in said.out
    assert machine.gitmem("daemon", "stop").status == 0


def test_a_job_that_failed_is_told_with_its_next_step(machine, bare_remote):
    machine.start()
    bare_remote.rename(bare_remote.with_name("away.git"))
    eventually(lambda: machine.job("pull").outcome == "failed")
    pull = machine.job("pull")

    assert worry(
        f"Its last pull failed ({pull.error_class}): {pull.message}", pull.hint
    ) in found(machine)


def test_a_unit_whose_daemon_is_dead_is_told(machine):
    unit = units.install(machine.service.rooms)

    assert found(machine)[0] == worry(
        f"The system is to run it by {unit.path}, and none runs.", unit.next_step
    )


def test_a_unit_of_another_gitmem_is_told(machine):
    unit = units.install(machine.service.rooms)
    unit.path.write_text("ExecStart=/gone/python -P -m gitmem daemon run\n", "utf-8")

    assert found(machine)[0] == worry(
        f"{unit.path} starts a gitmem that is not this one.",
        "Write it anew: gitmem daemon install",
    )


def test_a_state_folder_that_others_can_read_is_told(machine):
    machine.state.chmod(0o755)

    assert found(machine)[0] == worry(
        f"Other users can look into {machine.state}, where its socket is.",
        f"chmod 700 '{machine.state}'",
    )


def test_a_state_folder_that_others_can_write_is_broken(machine):
    state = machine.state
    state.chmod(0o777)

    (broken,) = found(machine)

    assert broken == Diagnosis(
        "daemon",
        Verdict.BROKEN,
        f"{state} can be changed by other users.",
        f"Look at what lies there, then: chmod -R go-w {state}",
    )
