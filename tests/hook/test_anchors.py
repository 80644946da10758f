"""The anchors that a session sets itself: one a moment, whichever try got through."""

import os

import pytest

from gitmem.daemon.stand_in import StandIn
from gitmem.errors import GitmemError

STARTS = {
    "startup": "startup",
    "clear": "new",
    "resume": "resume",
    "fork": "fork",
    "reload": "reload",
    "compact": "compact",
}


@pytest.fixture
def taped(hook, tmp_path, monkeypatch):
    """Run hooks in a project that has a tape."""
    more = {
        "GITMEM_TAPE__ENABLED": "true",
        "GITMEM_TAPE__ONLY_GIT": "false",
        "TMPDIR": str(tmp_path / "temporary"),
    }
    hook.machine.settings.update(more)
    hook.machine.enter(monkeypatch)
    return hook


@pytest.fixture(params=[True, False], ids=["daemon", "alone"])
def any_hook(request, taped):
    """Answer by a daemon, or without one."""
    {True: taped.machine.start, False: lambda: None}[request.param]()
    return taped


def names(hook, session="s1"):
    found = hook.machine.service.rooms.tape().anchors()
    return [each.name for each in found if each.session == session]


def lines(hook):
    [path] = (hook.machine.root / "tape" / "beacon").glob("*.jsonl")
    return path.read_text("utf-8").splitlines()


def asked(hook, event, attempt, **payload):
    """Say what the client asks at one of its tries at one request."""
    own = {k: v for k, v in hook.machine.settings.items() if k.startswith("GITMEM_")}
    return {
        "host": "claude-code",
        "event": event,
        "payload": hook.said(payload).decode(),
        "cwd": str(hook.machine.folder),
        "pid": os.getpid(),
        "variables": own,
        "request": "7-7",
        "attempt": attempt,
    }


def test_a_session_sets_an_anchor_at_its_start_and_its_end(any_hook):
    any_hook.start()
    any_hook.turn()
    any_hook.end()

    assert names(any_hook) == ["session/startup", "session/end"]


@pytest.mark.parametrize("source", list(STARTS))
def test_every_kind_of_start_sets_its_own(any_hook, source):
    any_hook.start(source)

    assert names(any_hook) == [f"session/{STARTS[source]}"]


def test_a_session_that_goes_on_twice_sets_two(any_hook):
    any_hook.start()
    any_hook.start("resume")
    any_hook.start("resume")

    assert names(any_hook) == ["session/startup", *["session/resume"] * 2]


@pytest.mark.parametrize("source", list(STARTS))
def test_two_tries_at_one_start_set_one(taped, source):
    taped.machine.start()

    taped.machine.ask("hook", **asked(taped, "SessionStart", 1, source=source))
    again = StandIn(asked(taped, "SessionStart", 2, source=source))
    again.answer(was_asked=True)

    assert names(taped) == [f"session/{STARTS[source]}"]
    assert len(lines(taped)) == 1


@pytest.mark.parametrize("source", ["startup", "resume", "compact"])
def test_a_first_try_that_wakes_up_late_sets_no_other(taped, source):
    taped.machine.start()

    again = StandIn(asked(taped, "SessionStart", 2, source=source))
    again.answer(was_asked=True)
    taped.machine.ask("hook", **asked(taped, "SessionStart", 1, source=source))

    assert names(taped) == [f"session/{STARTS[source]}"]


def test_an_end_that_failed_and_is_tried_again_sets_one(taped):
    service = taped.machine.connected("claude-code", "s1")
    taped.start()
    folder = taped.machine.root / ".git"
    folder.rename(taped.machine.root / ".aside")
    with pytest.raises(GitmemError):
        service.session.end("claude-code", "s1")
    (taped.machine.root / ".aside").rename(folder)

    taped.end()

    assert names(taped) == ["session/startup", "session/end"]
    assert len(lines(taped)) == 2


@pytest.mark.parametrize("reason", list(STARTS))
def test_a_session_announced_on_the_command_line_sets_one(any_hook, reason):
    who = ("--host", "pi", "--id", "s1")

    any_hook.machine.gitmem("session", "start", *who, "--reason", reason)

    assert names(any_hook) == [f"session/{STARTS[reason]}"]
