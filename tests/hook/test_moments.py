"""What a session is given, as its host sees it."""

import fcntl
import os
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from tests.daemon.conftest import eventually
from tests.hook.conftest import CLIENT, Hook, is_quiet

DEPLOY = "- path: core/deploy.md\n  description: how to deploy\n"
SECRET = "---\ndescription: a key\n---\naws_key = AKIAIOSFODNN7EXAMPLQ\n"


@pytest.fixture(params=[True, False], ids=["daemon", "alone"])
def any_hook(request, hook):
    """Answer by a daemon, or without one."""
    {True: hook.machine.start, False: lambda: None}[request.param]()
    hook.start()
    return Hook(hook.machine, "s2")


def test_a_session_is_given_its_start_text_once(any_hook):
    first = any_hook.start()

    assert DEPLOY in first.text
    assert is_quiet(any_hook.turn())
    assert is_quiet(any_hook.start("resume"))
    assert is_quiet(any_hook.turn())


def test_a_compacted_session_is_given_the_same_bytes_again(any_hook):
    first = any_hook.start()
    any_hook.machine.write("beacon/core/new.md")

    again = any_hook.start("compact")

    assert again.out == first.out
    assert is_quiet(any_hook.start("resume"))
    assert is_quiet(any_hook.turn())


def test_a_turn_gives_the_start_text_that_a_session_missed(any_hook):
    assert DEPLOY in any_hook.turn().text
    assert is_quiet(any_hook.turn())


def test_a_fork_knows_what_its_parent_was_told(any_hook):
    any_hook.start()
    fork = Hook(any_hook.machine, "s3")

    assert is_quiet(fork.start("fork"))
    assert is_quiet(fork.turn())


def test_a_paused_session_is_told_nothing_until_it_goes_on(any_hook):
    machine = any_hook.machine
    who = ("--host", "claude-code", "--id", "s2")
    assert machine.gitmem("session", "pause", *who).status == 0

    assert is_quiet(any_hook.start())
    assert is_quiet(any_hook.turn())

    machine.gitmem("session", "resume", *who)
    assert DEPLOY in any_hook.turn().text


def test_a_text_made_anew_on_purpose_is_given_at_the_next_turn(any_hook):
    any_hook.start()
    machine = any_hook.machine
    machine.write("beacon/core/new.md", "---\ndescription: news\n---\n# New\n")
    assert is_quiet(any_hook.turn())

    machine.gitmem("refresh", "--host", "claude-code", "--session", "s2")

    assert "description: news" in any_hook.turn().text
    assert is_quiet(any_hook.turn())


def test_what_the_agent_wrote_badly_is_told_at_once(any_hook):
    any_hook.start()
    path = any_hook.machine.root / "beacon" / "core" / "key.md"
    path.write_text(SECRET)

    said = any_hook.wrote(path)

    assert "Mend what you wrote to beacon/core/key.md, line 4: This line" in said.text
    assert "AKIA" not in said.out


def test_what_the_agent_wrote_well_or_elsewhere_is_no_word_worth(any_hook, tmp_path):
    any_hook.start()

    assert is_quiet(any_hook.wrote(any_hook.machine.root / "beacon/core/deploy.md"))
    assert is_quiet(any_hook.wrote(tmp_path / "main.py"))
    assert is_quiet(any_hook.wrote(any_hook.machine.root / ".git" / "config"))


def test_the_end_of_a_session_has_committed_when_it_returns(any_hook, git):
    Hook(any_hook.machine).end()
    any_hook.start()
    any_hook.machine.write("beacon/core/new.md", "---\ndescription: n\n---\n# N\n")

    assert is_quiet(any_hook.end())

    root = any_hook.machine.root
    log = git("log", "-1", "--format=%B", "--", "beacon/core/new.md", cwd=root)
    assert "Gitmem-Host: claude-code\nGitmem-Session: s2\n" in log


def test_what_the_agent_wrote_is_pushed_soon(hook, remote_log):
    hook.machine.start()
    hook.start()
    eventually(remote_log)
    before = len(remote_log())
    path = hook.machine.root / "beacon" / "core" / "new.md"
    path.write_text("---\ndescription: new\n---\n# New\n")

    hook.wrote(path)

    eventually(lambda: len(remote_log()) > before)


def test_a_file_that_is_not_committed_is_told_once_at_a_turn(hook):
    hook.machine.start()
    hook.start()
    (hook.machine.root / "beacon" / "core" / "key.md").write_text(SECRET)
    hook.machine.service.commit()

    said = hook.turn().text

    assert "beacon/core/key.md is not committed" in said
    assert said.startswith('<memory_context moment="turn">\n<memory_status>\n')
    assert is_quiet(hook.turn())


def test_in_the_mode_of_a_system_prompt_claude_code_is_told_once_all_the_same(hook):
    hook.machine.settings["GITMEM_DELIVERY__MODE"] = "system-prompt"

    assert DEPLOY in hook.start().text
    assert is_quiet(hook.turn())


@contextmanager
def full_pipe():
    """Give a pipe into which nothing goes any more, so that no hook gets to its end."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with suppress(BlockingIOError):
        os.write(writing, bytes(fcntl.fcntl(writing, fcntl.F_GETPIPE_SZ)))
    os.set_blocking(writing, True)
    yield writing
    os.close(reading)
    os.close(writing)


def cut_short(hook, event, payload, seconds):
    """Run a hook whose host kills it, as one does that was interrupted."""
    with (
        full_pipe() as output,
        subprocess.Popen(
            [sys.executable, "-I", "-S", CLIENT, "claude-code", event],
            stdin=subprocess.PIPE,
            stdout=output,
            env=hook.environment({}),
            cwd=hook.machine.folder,
        ) as process,
    ):
        assert process.stdin is not None
        process.stdin.write(hook.said(payload))
        process.stdin.close()
        time.sleep(seconds)
        process.kill()


@pytest.mark.parametrize("seconds", [0.03, 0.1])
def test_a_start_whose_hook_was_killed_is_told_at_the_next_turn(any_hook, seconds):
    cut_short(any_hook, "SessionStart", {"source": "startup"}, seconds)

    # The hook that was killed may have left a process that works on.
    eventually(lambda: DEPLOY in any_hook.turn().text)


def test_a_text_that_could_not_be_printed_is_told_at_the_next_turn(any_hook):
    with Path("/dev/full").open("wb") as full:
        any_hook("SessionStart", {"source": "startup"}, stdout=full)

    eventually(lambda: DEPLOY in any_hook.turn().text)


def test_a_session_compacted_in_a_pause_is_told_again_after_it(any_hook):
    who = ("--host", "claude-code", "--id", "s2")
    first = any_hook.start()
    any_hook.machine.gitmem("session", "pause", *who)
    assert is_quiet(any_hook.start("compact"))
    any_hook.machine.gitmem("session", "resume", *who)

    assert any_hook.turn().text == first.text
