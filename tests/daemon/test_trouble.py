"""Trouble with the remote: it is told with its class, and ends by itself."""

import json
import time

import pytest
from tests.daemon.conftest import eventually

from gitmem.errors import NoDaemon

REFUSE = '#!/bin/sh\necho "GH006: Protected branch update failed" >&2\nexit 1\n'


@pytest.fixture
def hook(bare_remote):
    """Let the remote refuse every push until the hook is removed."""
    path = bare_remote / "hooks" / "pre-receive"
    path.parent.mkdir(exist_ok=True)
    path.write_text(REFUSE)
    path.chmod(0o755)
    return path


def told(machine, error_class):
    """Give what `daemon status` says once it knows of this trouble."""

    def look():
        found = json.loads(machine.gitmem("daemon", "status", "--json").out)
        return found if found["error_class"] == error_class else None

    return eventually(look, 15)


def test_a_protected_branch_is_told_and_the_work_goes_out_when_it_is_not(
    machine, hook, remote_log
):
    machine.start(timing={"ladder_end": 0.3})
    machine.write("note.md")

    found = told(machine, "protected")
    hook.unlink()

    assert found["unpushed"] >= 1
    assert found["oldest_unpushed"]
    assert found["next_step"]
    eventually(lambda: "memory(.): add note.md" in remote_log())
    eventually(lambda: "push: works again" in machine.log())


def test_an_expired_token_is_told_and_not_tried_hotly(make_machine, moody, remote_log):
    machine = make_machine(remote=moody.url)
    moody.status = 401
    machine.start(timing={"ladder_end": 60.0})
    machine.write("note.md")
    found = told(machine, "auth")
    asked = moody.asked
    machine.write("other.md")
    time.sleep(1)

    assert found["unpushed"] >= 1
    assert "credentials" in found["next_step"]
    assert moody.asked - asked <= 2


def test_a_remote_that_is_away_gets_the_work_when_it_is_back(
    machine, bare_remote, remote_log
):
    away = bare_remote.rename(bare_remote.with_name("away.git"))
    machine.start()
    machine.write("note.md")

    found = told(machine, "offline")
    text = machine.gitmem("daemon", "status").out
    away.rename(bare_remote)

    assert found["unpushed"] >= 1
    assert "why:          offline: " in text
    assert "next step:    " in text
    eventually(lambda: "memory(.): add note.md" in remote_log())


@pytest.fixture
def rewound(machine, bare_remote, git):
    """Take away from the remote what this machine pushed."""
    machine.write("a.md")
    machine.service.sync()
    git("update-ref", "refs/heads/main", "main~1", cwd=bare_remote)
    machine.write("b.md")
    return machine


def test_a_rewound_remote_is_called_diverged_by_the_daemon(rewound):
    rewound.start()

    found = told(rewound, "diverged")
    text = rewound.gitmem("daemon", "status").out

    assert "--accept" in found["next_step"]
    assert "why:          diverged: The remote's history was rewritten" in text
    assert "rejected" not in text


def test_a_decision_that_waits_is_complained_of_without_a_daemon_too(rewound):
    rewound.gitmem("sync")

    said = rewound.gitmem("daemon", "status")
    sync = rewound.gitmem("sync", "status")

    assert "why:          diverged: The remote's history was rewritten" in said.out
    assert said.err == "a decision waits for you: `gitmem sync` says which.\n"
    assert (said.status, sync.status, sync.err) == (1, 1, said.err)


def test_status_without_a_daemon_says_so_and_what_waits(machine):
    machine.write("note.md")
    machine.service.commit()

    said = machine.gitmem("daemon", "status")

    assert said.status == 0
    assert said.out.startswith(
        "daemon:       No daemon of this repository answers: none is running.\n"
        "              Everything works without it; "
    )
    assert "next step:    Run `gitmem sync`." in said.out
    with pytest.raises(NoDaemon):
        machine.status()


def test_start_stop_and_logs_are_for_people(machine):
    started = machine.gitmem("daemon", "start")
    again = machine.gitmem("daemon", "start")
    second = machine.gitmem("daemon", "run")
    stopped = machine.gitmem("daemon", "stop")

    assert started.out.startswith("Started: process ")
    assert again.out.startswith("It runs already: process ")
    assert "lives already" in second.out
    assert (second.status, stopped.status) == (0, 0)
    assert stopped.out == "Stopped; everything is committed.\n"
    assert machine.gitmem("daemon", "stop").out == "No daemon runs.\n"
    assert "it was asked to" in machine.gitmem("daemon", "logs").out
