"""What a host says of its sessions, and what a person is shown of them."""

import os
import time

import pytest

DAY = 24 * 3600


@pytest.fixture
def session(gitmem, memory, monkeypatch):
    """Run `gitmem session ACTION` for one session, without a daemon."""
    monkeypatch.setenv("GITMEM_DAEMON__AUTOSTART", "false")

    def call(action, *more):
        return gitmem("session", action, "--host", "pi", "--id", "7f3a", *more)

    return call


def quieten(empty_home, seconds):
    (found,) = empty_home.rglob("live/*.json")
    then = time.time() - seconds
    os.utime(found, (then, then))


@pytest.mark.parametrize(
    ("quiet", "told"),
    [
        (0, "quiet for less than a minute  in"),
        (DAY / 2, "quiet for 12 hours  in"),
        (2 * DAY, "quiet for 2 days; the daemon or the next session ends it  in"),
    ],
    ids=["at work", "quiet", "over"],
)
def test_the_list_says_how_long_a_session_was_quiet(
    session, gitmem, empty_home, quiet, told
):
    session("start")
    quieten(empty_home, quiet)

    assert told in gitmem("session", "list").out


def test_a_session_that_was_quiet_for_too_long_is_ended_by_the_next(
    session, gitmem, empty_home
):
    session("start")
    quieten(empty_home, 2 * DAY)
    gitmem("session", "start", "--host", "pi", "--id", "next", "--pid", "1")

    said = gitmem("session", "list").out

    assert "7f3a" not in said
    assert "pi  next  for less than a minute  in" in said


def test_the_end_names_the_commit_that_it_made(session, gitmem):
    session("start")

    said = session("end").out

    commit = gitmem("log", "--limit", "1", "--json").json["versions"][0]["commit"]
    assert said == f"Committed {commit[:12]}.\n"
    assert session("end").out == "Nothing new to commit.\n"
