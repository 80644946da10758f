"""Prompts, credentials, dead lines, clocks, and fetches that only seem to be recent."""

import os
import socket
import subprocess
import sys
import time
from datetime import timedelta

import pytest
from tests.servers.conftest import PERSON, SECRET
from tests.servers.web import Mood, Web

from gitmem.daemon.timing import Timing
from gitmem.errors import (
    AuthRefused,
    BadConfig,
    DeadlineExceeded,
    ErrorClass,
    Offline,
)
from gitmem.process import environment, run
from gitmem.repo import locks
from gitmem.repo.failure import explain
from gitmem.sync.create import set_remote

A_TERMINAL = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"


@pytest.fixture
def web(tmp_path):
    """Give a server that wants a password."""
    server = Web(tmp_path)
    server.mood = Mood(credential=PERSON)
    yield server
    server.stop()


def point(machine, url: str) -> None:
    machine.git_("config", "remote.origin.url", url)


def test_50_nobody_is_asked_at_a_terminal(first, web, gitmem):
    point(first, web.url)
    started = time.monotonic()

    done = gitmem(first, "sync", inside=(sys.executable, "-c", A_TERMINAL))

    assert done.returncode == 1
    assert "terminal prompts disabled" in done.stdout
    assert time.monotonic() - started < 20


def test_51_no_window_opens_to_ask(first, web, git, tmp_path, monkeypatch):
    marker, window = tmp_path / "marker", tmp_path / "window"
    window.write_text(f"#!/bin/sh\ntouch {marker}\nsleep 30\n", "utf-8")
    window.chmod(0o755)
    for name in ("GIT_ASKPASS", "SSH_ASKPASS"):
        monkeypatch.setenv(name, str(window))
    monkeypatch.setenv("DISPLAY", ":99")
    git("config", "--global", "core.askPass", window, cwd=tmp_path)
    asking = first.with_(url=web.url)
    point(first, web.url)

    with pytest.raises(AuthRefused):
        asking.cycle()

    assert not marker.exists()


def test_52_an_ssh_that_waits_for_ever_is_given_up(first, git):
    git("config", "--global", "core.sshCommand", "sh -c 'sleep 60'", cwd=first.root)
    url = "ssh://nobody@127.0.0.1/memory.git"
    point(first, url)
    started = time.monotonic()

    with pytest.raises(Offline, match=r"0\.5 s"):
        first.with_(url=url, timeout_seconds=0.5).cycle()

    assert time.monotonic() - started < 20


@pytest.mark.parametrize("with_", ["user:{}@", "{}@"], ids=["password", "token"])
def test_54_a_credential_in_an_address_is_refused_and_kept_nowhere(first, with_):
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    url = f"https://{with_.format(secret)}example.invalid/memory.git"

    with pytest.raises(BadConfig) as raised:
        set_remote(first.options, url)

    assert secret not in raised.value.message + raised.value.hint
    folders = (first.root / ".git", first.options.state)
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert [path for path in files if secret.encode() in path.read_bytes()] == []


def test_54_a_credential_in_git_s_words_is_not_passed_on():
    said = f"fatal: unable to access 'http://ann:{SECRET}@127.0.0.1:1/x/': refused"

    assert SECRET not in explain("fetch", said.encode()).message


def test_55_a_child_that_fell_asleep_is_ended_at_its_deadline(tmp_path):
    started = time.monotonic()

    with pytest.raises(DeadlineExceeded):
        run(
            ["sh", "-c", "kill -STOP $$; sleep 60"],
            cwd=tmp_path,
            environment=environment(),
            timeout_seconds=0.3,
        )

    assert time.monotonic() - started < 20


def test_55_a_machine_that_slept_knows_it():
    assert Timing().slept(passed_wall=3600, passed_monotonic=5)
    assert not Timing().slept(passed_wall=5, passed_monotonic=5)


def test_56_the_next_try_comes_soon_and_then_once_a_minute():
    waits = [Timing().retry(ErrorClass.OFFLINE, n, 900) for n in range(1, 10)]

    assert waits == [1, 2, 3, 5, 10, 20, 30, 60, 60]


def test_56_what_a_person_has_to_settle_is_not_tried_hotly():
    waits = [Timing().retry(ErrorClass.AUTH, n, 900) for n in (1, 10)]

    assert waits == [900, 900]


def test_57_and_58_a_black_hole_is_given_up_and_no_helper_stays(first):
    with socket.create_server(("127.0.0.1", 0)) as hole:
        url = f"http://127.0.0.1:{hole.getsockname()[1]}/memory.git"
        point(first, url)
        started = time.monotonic()

        with pytest.raises(Offline, match=r"0\.5 s"):
            first.with_(url=url, timeout_seconds=0.5).cycle()

    assert time.monotonic() - started < 20
    assert not locks.is_in_use(first.root, first.root / ".git", {os.geteuid()})


def test_59_a_fetch_that_failed_does_not_count_as_recent(pair, tmp_path):
    first, second = pair
    first.clock.advance(days=1)
    fetch = ["git", "fetch", "-q", str(tmp_path / "nowhere.git"), "main"]
    done = subprocess.run(fetch, cwd=first.root, capture_output=True, check=False)
    assert done.returncode != 0
    second.write("a.md", "a\n")
    second.cycle()

    report = first.pull()

    assert report.fetched
    assert "a.md" in first.disk()


def test_60_a_fetch_from_elsewhere_does_not_count_as_recent(pair, git, tmp_path):
    first, second = pair
    first.clock.advance(days=1)
    git("clone", "-q", "--bare", first.root, "other.git", cwd=tmp_path)
    first.git_("fetch", "-q", tmp_path / "other.git", "main")
    second.write("a.md", "a\n")
    second.cycle()

    first.pull()

    assert "a.md" in first.disk()


def test_61_a_fetch_from_the_future_does_not_count_as_recent(pair):
    first, second = pair
    first.clock.advance(days=1)
    first.git_("fetch", "-q", "origin", "main")
    later = (first.clock.at + timedelta(days=700)).timestamp()
    os.utime(first.root / ".git" / "FETCH_HEAD", (later, later))
    second.write("a.md", "a\n")
    second.cycle()

    first.pull()

    assert "a.md" in first.disk()


def test_61_a_record_from_the_future_does_not_count_as_recent(pair):
    first, second = pair
    first.clock.advance(days=700)
    first.cycle()
    first.clock.advance(days=-700)
    second.write("a.md", "a\n")
    second.cycle()

    assert first.pull().fetched
