"""Trouble with the remote: it is told with its class, and ends by itself."""

import json
from datetime import UTC, datetime, timedelta

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

    return eventually(look)


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


def keep_in_helper(machine, password):
    """Let a credential helper of the person's know a password."""
    helper = machine.folder.parent / "keychain"
    helper.write_text(f"#!/bin/sh\necho username=sam\necho password={password}\n")
    helper.chmod(0o700)
    config = f'[credential]\n\thelper = "{helper}"\n'
    (machine.folder.parent / ".gitconfig").write_text(config)


def keep_in_netrc(machine, password):
    path = machine.folder.parent / ".netrc"
    path.write_text(f"machine 127.0.0.1 login sam password {password}\n")
    path.chmod(0o600)


def failed(machine, *names):
    """Give the jobs of these names once all of them have failed."""
    found = [machine.job(name) for name in names]
    return found if all(each.outcome == "failed" for each in found) else None


@pytest.fixture
def sam(make_machine, moody, monkeypatch):
    """Give a machine that has pushed with a token which has expired since."""
    moody.password = "the-first-one"
    machine = make_machine(remote=None)
    machine.enter(monkeypatch)
    keep_in_helper(machine, "the-first-one")
    machine.gitmem("remote", moody.url)
    machine.service.sync()
    moody.password = "the-second-one"
    return machine


@pytest.mark.parametrize("keep", [keep_in_helper, keep_in_netrc])
def test_an_expired_token_is_told_and_the_work_goes_out_when_it_is_renewed(
    keep, sam, remote_log
):
    daemon = sam.start(timing={"ladder_end": 0.3})
    sam.write("note.md")
    found = told(sam, "auth")
    eventually(lambda: sam.job("push").failures > 2)
    log = sam.log()

    (sam.folder.parent / ".gitconfig").unlink()
    keep(sam, "the-second-one")

    assert (found["unpushed"], bool(found["oldest_unpushed"])) == (1, True)
    assert "credentials" in found["next_step"]
    assert log.count("push: ") == 1
    eventually(lambda: "memory(.): add note.md" in remote_log())
    eventually(lambda: "push: works again" in sam.log())
    assert sam.answers() == daemon.pid


def test_the_next_step_about_an_expired_token_is_told_without_a_daemon_too(sam):
    sam.write("note.md")
    sam.gitmem("sync")

    found = json.loads(sam.gitmem("daemon", "status", "--json").out)

    assert (found["daemon"], found["error_class"]) == (None, "auth")
    assert "credentials" in found["next_step"]


def test_after_an_expired_token_another_address_is_tried_without_a_restart(
    sam, moody, bare_remote, remote_log
):
    daemon = sam.start(timing={"ladder_end": 0.3})
    sam.write("note.md")
    told(sam, "auth")

    sam.gitmem("remote", str(bare_remote))

    eventually(lambda: "memory(.): add note.md" in remote_log())
    assert sam.answers() == daemon.pid


def test_an_expired_token_is_tried_at_the_pace_of_the_pulls_and_not_hotly(
    sam, moody, git
):
    sam.settings["GITMEM_SYNC__INTERVAL"] = "900"
    sam.start()
    sam.ask("pull")
    sam.write("note.md")
    eventually(lambda: failed(sam, "pull", "push"))
    eventually(lambda: not any(each.is_running for each in sam.status().jobs))
    jobs, asked = failed(sam, "pull", "push"), moody.asked

    sam.write("other.md")
    eventually(
        lambda: "other.md" in git("ls-tree", "--name-only", "HEAD", cwd=sam.root)
    )

    assert moody.asked == asked
    waits = [datetime.fromisoformat(each.next) - datetime.now(UTC) for each in jobs]
    assert [wait > timedelta(minutes=10) for wait in waits] == [True, True]


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
    assert "waiting for you: The remote's history was rewritten" in text
    assert "next step:" not in text
    assert "rejected" not in text


def test_a_decision_that_waits_is_complained_of_without_a_daemon_too(rewound):
    asked = rewound.gitmem("sync")

    said = rewound.gitmem("daemon", "status")
    sync = rewound.gitmem("sync", "status")

    (question,) = (line for line in said.out.splitlines() if "--accept" in line)
    assert question.startswith("waiting for you: The remote's history was rewritten")
    assert "--keep" in question
    assert question in sync.out.splitlines()
    assert (asked.status, asked.err) == (1, f"{question}\n")
    assert (said.status, sync.status, said.err, sync.err) == (1, 1, "", "")


def test_status_without_a_daemon_says_so_and_what_waits(machine):
    machine.write("note.md")
    machine.service.commit()

    said = machine.gitmem("daemon", "status")

    assert said.status == 0
    assert said.out.startswith(
        "daemon:       none runs\n              Everything works without it; "
    )
    assert "next step:    Run `gitmem sync`." in said.out
    with pytest.raises(NoDaemon):
        machine.status()


def test_stop_says_what_is_neither_committed_nor_pushed(make_machine, moody):
    machine = make_machine(remote=moody.url)
    machine.service.sync()
    machine.start()
    eventually(lambda: machine.job("pull").at)
    moody.status = 503
    key = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
    machine.write("secret.md", f"token: {key}\n")
    machine.write("note.md")
    eventually(lambda: machine.job("push").outcome == "failed")

    said = machine.gitmem("daemon", "stop").out

    assert said.startswith("Stopped; 1 file not committed, 1 commit not pushed.\n")
    assert "Left out: secret.md: " in said
    assert said.endswith("Next:    gitmem sync\n")


def test_files_that_a_person_has_to_look_at_are_named(make_machine):
    other = make_machine("elm")
    other.write("same.md", "before\n")
    other.service.sync()
    machine = make_machine()
    other.write("same.md", "theirs\n")
    other.service.sync()
    machine.write("same.md", "ours\n")
    machine.write("secret.md", "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5\n")

    machine.start()
    eventually(lambda: machine.service.status().conflicts)
    eventually(lambda: "conflict copy to settle: same" in machine.log())
    said = eventually(lambda: _once(machine, "left out:     secret.md: "))

    assert "to settle:    1 conflict copy: same" in said
    assert machine.log().count("left out secret.md: ") == 1


def _once(machine, words):
    said = machine.gitmem("daemon", "status").out
    return said if words in said else ""


def test_a_daemon_that_hangs_is_called_stuck_and_can_be_ended(machine):
    daemon = machine.start()
    daemon.send_signal(19)

    said = machine.gitmem("daemon", "status").out
    stopped = machine.gitmem("daemon", "stop")

    assert f"it is stuck: process {daemon.pid} does not answer\n" in said
    assert "`gitmem daemon stop`" in said
    assert stopped.out.startswith("Stopped; ")


def test_a_status_for_programs_has_times_and_a_reason(make_machine, moody):
    machine = make_machine(remote=moody.url)
    machine.start()
    machine.gitmem("session", "start", "--host", "pi", "--id", "s1")
    moody.status = 503
    machine.write("note.md")
    eventually(lambda: machine.job("push").outcome == "failed")

    shown = machine.gitmem("daemon", "status")
    found = json.loads(machine.gitmem("daemon", "status", "--json").out)

    (session,) = found["daemon"]["sessions"]
    assert "T" in session["started"]
    assert found["reason"]
    assert shown.out.count(found["reason"].rstrip(".")) == 1
    assert shown.out.count("sessions:") == 1


def test_start_stop_and_logs_are_for_people(machine):
    started = machine.gitmem("daemon", "start")
    again = machine.gitmem("daemon", "start")
    second = machine.gitmem("daemon", "run")
    stopped = machine.gitmem("daemon", "stop")

    assert started.out.startswith("Started: process ")
    assert again.out.startswith("It runs already: process ")
    assert "lives already" in second.out
    assert (second.status, stopped.status) == (0, 0)
    assert stopped.out.startswith("Stopped; ")
    assert machine.gitmem("daemon", "stop").out == "No daemon runs.\n"
    assert "it was asked to" in machine.gitmem("daemon", "logs").out
