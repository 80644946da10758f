"""Whatever is broken, the turn goes on in time, and the reason is told once."""

import fcntl
import json
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
from tests.daemon.conftest import eventually
from tests.hook.conftest import Hook, is_quiet

from gitmem.daemon.protocol import socket_path
from gitmem.files.lock import locked
from gitmem.sync.engine import LOCK_NAME

DEPLOY = "- path: core/deploy.md"


def is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2][1] == "T"


@pytest.fixture
def hurried(hook):
    """Run hooks as hosts do, with the time that they have."""
    return Hook(hook.machine, "s2", is_patient=False)


@pytest.fixture
def small_disk(tmp_path):
    """Mount a disk of three megabytes, where that is allowed."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", folder]
    if subprocess.run(mount, check=False).returncode:
        pytest.skip("nothing may be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.fixture
def hostile(hook, tmp_path):
    """Plant in a project what would be run by anybody careless; say what that does."""
    ran = tmp_path / "ran"
    programs = ("git", "python", "python3", "gitmem", "rg", "sh")
    modules = ("os", "json", "posix", "_socket", "sitecustomize", "usercustomize")
    planted = {
        **dict.fromkeys(programs, f"#!/bin/sh\ntouch {ran}\n"),
        **dict.fromkeys((f"{each}.py" for each in modules), f"open({str(ran)!r}, 'w')"),
        ".gitmem.toml": f'memory_dir.local_path = "{tmp_path}"\n',
        ".env": f"GITMEM_HOME={tmp_path}\n",
    }
    for name, text in planted.items():
        (hook.machine.folder / name).write_text(text)
        (hook.machine.folder / name).chmod(0o755)
    return ran


def test_without_a_daemon_it_answers_and_starts_one(hook):
    hook.machine.settings["GITMEM_DAEMON__AUTOSTART"] = "true"

    said = hook.start()

    assert DEPLOY in said.text
    eventually(hook.machine.answers, 60)
    assert is_quiet(hook.turn())


def test_nothing_is_started_where_the_person_wants_no_daemon(hook):
    hook.turn()
    hook.turn()

    assert hook.machine.answers() == 0


def test_a_hung_daemon_is_not_waited_for(hook, hurried):
    daemon = hook.machine.start()
    hook.start()
    daemon.send_signal(signal.SIGSTOP)

    said = [hurried.start(), hurried.turn(), hurried.wrote(hook.machine.root / "x.md")]

    daemon.send_signal(signal.SIGCONT)
    assert [(each.status, each.err, each.is_in_time) for each in said] == [
        (0, "", True)
    ] * 3


def test_with_a_hung_daemon_the_work_of_a_session_is_committed(hook, git, remote_log):
    daemon = hook.machine.start()
    hook.start()
    eventually(remote_log)
    # A daemon that is stopped at work keeps its lock, and commits when it goes on.
    with locked(hook.machine.state / LOCK_NAME, timeout_seconds=60):
        daemon.send_signal(signal.SIGSTOP)
        eventually(lambda: is_stopped(daemon.pid))
    hook.machine.write("beacon/core/new.md", "---\ndescription: n\n---\n# N\n")

    said = hook.end()

    daemon.send_signal(signal.SIGCONT)
    assert is_quiet(said)
    assert git("status", "--porcelain", cwd=hook.machine.root) == ""


def test_a_dead_socket_costs_nothing(hook):
    daemon = hook.machine.start()
    hook.start()
    daemon.kill()
    daemon.wait()
    assert socket_path(hook.machine.state).exists()

    assert DEPLOY in Hook(hook.machine, "s2").start().text


def test_a_socket_of_somebody_else_costs_nothing(hook):
    path = socket_path(hook.machine.state)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))

        assert DEPLOY in hook.start().text


@pytest.mark.parametrize("damage", [b"", b"noise" * 999], ids=["emptied", "noise"])
def test_a_corrupt_catalog_is_made_anew(damage, hook):
    hook.start()
    cache = hook.machine.state.parents[2] / "cache"
    [path.write_bytes(damage) for path in cache.rglob("*") if path.is_file()]

    assert DEPLOY in Hook(hook.machine, "s2").start().text


def test_a_corrupt_memory_of_a_session_only_tells_it_again(hook):
    first = hook.start()
    sessions = hook.machine.state / "sessions"
    [path.write_bytes(b"{") for path in sessions.rglob("*.json")]

    assert hook.turn().text == first.text


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"no JSON",
        b"[]",
        b"\xff\xfe\x00",
        b'{"session_id": 7, "cwd": [], "prompt": {}, "source": null}',
        b'{"session_id": "\\ud800", "cwd": "\\u0000", "prompt": "\\udfff"}',
        b'{"session_id": "s", "cwd": "/nonexistent", "prompt": "x", "new": [[]]}',
        b"[" * 100_000,
    ],
    ids=["empty", "text", "list", "bytes", "types", "halves", "gone", "deep"],
)
@pytest.mark.parametrize("event", ["UserPromptSubmit", "PostToolUse", "PreCompact"])
def test_what_a_host_should_not_send_is_no_trouble(event, payload, hook):
    hook.machine.start()

    said = hook(event, payload)

    assert (said.status, said.err) == (0, "")
    assert hook.log == ""


def test_a_prompt_of_ten_megabytes_is_taken(hook):
    hook.machine.start()
    hook.start()
    prompt = '设备 \ud83d\ude00\x00"\\ '.encode("utf-16-le", "surrogatepass").decode(
        "utf-16-le"
    )

    said = hook.turn(prompt * 250_000)

    assert is_quiet(said)
    assert hook.log == ""


def test_more_than_that_is_told_once(hook):
    hook.start()

    assert is_quiet(hook("UserPromptSubmit", b'"' + b"x" * (17 << 20) + b'"'))

    assert "the host sent 17 MiB at once" in hook.turn().text
    assert is_quiet(hook.turn())


def test_what_breaks_inside_is_in_the_log_and_told_once(hook):
    hook.start()
    settings = hook.machine.state.parents[2] / "config" / "config.toml"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text("][")

    broken = hook.turn()

    settings.unlink()
    assert is_quiet(broken)
    assert "hook claude-code UserPromptSubmit\nTraceback" in hook.log
    assert "A hook gave nothing: claude-code UserPromptSubmit: " in hook.turn().text
    assert is_quiet(hook.turn())


def test_without_a_memory_nothing_is_said(hook, tmp_path):
    hook.machine.settings["GITMEM_MEMORY_DIR__LOCAL_PATH"] = str(tmp_path / "none")

    assert is_quiet(hook.start())
    assert is_quiet(hook.turn())
    assert is_quiet(hook.end())
    assert hook.log == ""


def test_what_is_switched_off_says_nothing(hook):
    hook.machine.settings["GITMEM_ENABLED"] = "false"

    assert is_quiet(hook.start())


def test_a_folder_that_was_deleted_is_no_trouble(hook, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
    command = ["sh", "-c", script, "sh", gone, *hook._command()]

    done = subprocess.run(
        [*command, "claude-code", "SessionStart"],
        input=json.dumps({"session_id": "s5", "cwd": str(gone)}).encode(),
        env=hook.machine.environment,
        capture_output=True,
        check=False,
        timeout=90,
    )

    assert (done.returncode, done.stderr, hook.log) == (0, b"", "")


def test_a_hostile_project_runs_nothing_and_moves_nothing(hook, hostile):
    folder = str(hook.machine.folder)
    variables = {
        "PATH": f".:./::{os.environ['PATH']}",
        "PYTHONPATH": folder,
        "PYTHONSTARTUP": f"{folder}/os.py",
        "PYTHONHOME": folder,
        "GITMEM_DAEMON__AUTOSTART": "true",
    }

    said = hook("SessionStart", {}, env=hook.environment(variables))
    hook.machine.settings["GITMEM_DAEMON__AUTOSTART"] = "true"
    eventually(hook.machine.answers)

    assert DEPLOY in said.text
    assert is_quiet(hook("SessionEnd", {}, env=hook.environment(variables)))
    assert not hostile.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a disk")
def test_a_full_disk_costs_no_turn(hook, small_disk, tmp_path):
    home = tmp_path / "oak" / "g"
    subprocess.run(["cp", "-a", f"{home}/.", small_disk], check=True)
    hook.machine.settings["GITMEM_HOME"] = str(small_disk)
    with (small_disk / "filler").open("wb", buffering=0) as filler:
        filler.write(b"x" * (8 << 20))

    said = [hook.start(), hook.turn(), hook.end()]

    assert [(each.status, each.err) for each in said] == [(0, "")] * 3


def test_an_event_of_which_nobody_knows_is_in_the_log_and_no_words_to_an_agent(hook):
    hook.start()

    assert is_quiet(hook("Unheard", {}))

    assert "claude-code has no event 'Unheard'" in hook.log
    assert is_quiet(hook.turn())


def test_an_event_of_which_nobody_knows_starts_no_second_gitmem(hook):
    daemon = hook.machine.start()
    hook.start()

    def told():
        # On a busy machine a hook may not wait long enough for the daemon.
        assert is_quiet(hook("Unheard", {}))
        return f"[{daemon.pid}] hook claude-code Unheard" in hook.log

    eventually(told)


def test_a_host_of_which_nobody_knows_is_an_error_of_the_command(hook):
    said = hook.machine.gitmem("hook", "zzz", "SessionStart")

    assert (said.status, "No hook speaks for 'zzz'" in said.err) == (2, True)


def test_a_process_number_of_five_thousand_digits_is_none(hook):
    variables = hook.environment({"CLAUDE_PID": "9" * 5_000})

    assert DEPLOY in hook("SessionStart", {}, env=variables).text


def test_a_pipe_that_does_not_wait_is_read_to_its_end(hook):
    reads, writes = os.pipe()
    os.set_blocking(reads, False)
    command = [*hook._command(), "claude-code", "SessionStart"]
    with subprocess.Popen(
        command, stdin=reads, stdout=subprocess.PIPE, env=hook.environment({})
    ) as process:
        os.close(reads)
        time.sleep(0.3)
        os.write(writes, hook.said({"source": "startup"}))
        os.close(writes)
        out, _ = process.communicate(timeout=90)

    assert DEPLOY.encode() in out


def test_a_narrow_pipe_that_does_not_wait_gets_all_of_the_answer(hook):
    (hook.machine.root / "beacon" / "MEMORY.md").write_text(
        ("likes tea " * 4 + "\n") * 150
    )
    reads, writes = os.pipe()
    fcntl.fcntl(writes, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writes, False)
    command = [*hook._command(), "claude-code", "SessionStart"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=writes, env=hook.environment({})
    ) as process:
        os.close(writes)
        assert process.stdin is not None
        process.stdin.write(hook.said({"source": "startup"}))
        process.stdin.close()
        time.sleep(0.5)
        with os.fdopen(reads, "rb") as stream:
            out = stream.read()

    assert len(out) > 4_096
    assert json.loads(out)
    assert is_quiet(hook.turn())


def test_a_host_that_blocks_the_alarm_is_not_held_up(hurried):
    reads, writes = os.pipe()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    try:
        said = hurried.waiting("UserPromptSubmit", reads)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(writes)
        os.close(reads)

    assert (said.status, said.out) == (0, "")
    assert "not done within 1 s" in hurried.log


def test_a_state_folder_that_cannot_be_made_costs_no_text(hook):
    state = hook.machine.state.parents[1]
    state.rename(state.with_name("before"))
    state.write_text("no folder", "utf-8")

    assert DEPLOY in hook.start().text
    assert DEPLOY in hook.turn().text
