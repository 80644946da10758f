import json
import os
import stat
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from gitmem.sessions import KEEP_FOR, LIMIT_BYTES, Session, Sessions

NOW = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path / "state" / "sessions")


def only_file(sessions: Sessions) -> Path:
    (path,) = sessions.folder.iterdir()
    return path


def test_a_start_text_is_given_back_as_it_was(sessions: Sessions) -> None:
    sessions.remember_start("claude-code", "s1", "<memory_context>\n设备 🙂\n")
    assert sessions.snapshot("claude-code", "s1") == "<memory_context>\n设备 🙂\n"


def test_an_empty_start_text_is_remembered_too(sessions: Sessions) -> None:
    sessions.remember_start("cli", "s1", "")
    assert sessions.snapshot("cli", "s1") == ""


def test_a_later_start_text_takes_the_place_of_the_first(sessions: Sessions) -> None:
    sessions.remember_start("cli", "s1", "first")
    sessions.remember_start("cli", "s1", "second")
    assert sessions.snapshot("cli", "s1") == "second"


@pytest.mark.parametrize(
    ("host", "session_id"),
    [("cli", "s2"), ("pi", "s1"), ("clis", "1")],
    ids=["other-session", "other-host", "same-letters"],
)
def test_a_session_is_told_apart_from_others(
    host: str, session_id: str, sessions: Sessions
) -> None:
    sessions.remember_start("cli", "s1", "text")
    assert sessions.snapshot(host, session_id) is None


@pytest.mark.parametrize(
    "session_id",
    ["", ".", "../../etc/passwd", "a/b", "\x00", "\ud800", "x" * 9_999, "CON", "é"],
    ids=lambda value: ascii(value)[:20],
)
def test_any_id_is_a_name_inside_the_folder(
    session_id: str, sessions: Sessions
) -> None:
    sessions.remember_start("cli", session_id, "text")
    assert (
        sessions.snapshot("cli", session_id),
        len(list(sessions.folder.parent.rglob("*.json"))),
    ) == ("text", 1)


def test_folder_and_file_are_private(sessions: Sessions) -> None:
    sessions.remember_start("cli", "s1", "text")
    modes = [
        stat.S_IMODE(p.stat().st_mode) for p in (sessions.folder, only_file(sessions))
    ]
    assert modes == [0o700, 0o600]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"[" * 200_000,
        b'{"format": 2, "start_text": "x"}',
        b'{"format": 1}',
        b'{"format": 1, "start_text": 7}',
        b" " * LIMIT_BYTES + b'{"format": 1, "start_text": "x"}',
    ],
    ids=[
        "empty",
        "torn",
        "not-utf-8",
        "list",
        "null",
        "bottomless",
        "newer-format",
        "without-text",
        "number",
        "too-large",
    ],
)
def test_a_file_that_cannot_be_understood_counts_as_none(
    data: bytes, sessions: Sessions
) -> None:
    sessions.remember_start("cli", "s1", "text")
    only_file(sessions).write_bytes(data)
    assert sessions.snapshot("cli", "s1") is None


def test_a_link_is_not_followed(sessions: Sessions, tmp_path: Path) -> None:
    sessions.remember_start("cli", "s1", "text")
    path = only_file(sessions)
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    assert sessions.snapshot("cli", "s1") is None


def test_a_write_over_a_broken_file_heals_it(sessions: Sessions) -> None:
    sessions.remember_start("cli", "s1", "text")
    only_file(sessions).write_bytes(b"{")
    sessions.remember_start("cli", "s1", "again")
    assert json.loads(only_file(sessions).read_bytes())["start_text"] == "again"


def test_old_sessions_are_forgotten_and_recent_ones_kept(sessions: Sessions) -> None:
    sessions.remember_start("cli", "old", "text")
    long_ago = (NOW - KEEP_FOR - timedelta(seconds=1)).timestamp()
    os.utime(only_file(sessions), (long_ago, long_ago))
    sessions.remember_start("cli", "recent", "text")
    sessions.prune(NOW)
    assert (
        sessions.snapshot("cli", "old"),
        sessions.snapshot("cli", "recent"),
    ) == (None, "text")


def test_pruning_a_folder_that_never_was_does_nothing(sessions: Sessions) -> None:
    sessions.prune(NOW)
    assert not sessions.folder.exists()


def at_work(host: str = "pi", session_id: str = "s1", **more: Any) -> Session:
    return Session(host, session_id, cwd="/w/beacon", started=NOW, **more)


def test_a_session_at_work_is_listed_until_it_is_forgotten(sessions: Sessions) -> None:
    first, second = at_work(pid=7, born="9"), at_work("claude-code", "é\x00/..")
    assert (sessions.register(first), sessions.register(second)) == (True, True)
    assert set(sessions.live()) == {first, second}
    assert (sessions.forget("pi", "s1"), sessions.forget("pi", "s1")) == (True, False)
    assert sessions.live() == (second,)


def test_a_session_announced_twice_keeps_its_beginning(sessions: Sessions) -> None:
    sessions.register(at_work())
    later = replace(at_work(reason="resume"), started=NOW + timedelta(hours=1))
    assert not sessions.register(later)
    assert sessions.live() == (at_work(reason="resume"),)


def test_news_reach_the_sessions_that_wait_and_are_told_once(
    sessions: Sessions,
) -> None:
    sessions.register(at_work("pi", waits=True))
    sessions.register(at_work("cli"))
    sessions.bring_news([PurePosixPath("global/user.md")])
    told = [sessions.take_news(host, "s1") for host in ("pi", "pi", "cli")]
    assert told == [("global/user.md",), (), ()]


def test_a_pull_that_landed_in_time_is_no_news(sessions: Sessions) -> None:
    sessions.register(at_work(waits=True))
    sessions.await_news("pi", "s1", waits=False)
    sessions.bring_news([PurePosixPath("a.md")])
    assert sessions.take_news("pi", "s1") == ()


def test_a_sign_of_life_is_remembered(sessions: Sessions) -> None:
    sessions.register(at_work())
    path = next((sessions.folder / "live").iterdir())
    os.utime(path, (0, 0))
    before = sessions.last_seen(at_work())
    sessions.seen("pi", "s1")
    assert before.year == 1970
    assert sessions.last_seen(at_work()).year > 2000


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{}", b'{"format": 1}', b'{"format": 9, "host": "x"}', b"\xff"],
    ids=["empty", "list", "bare", "half", "newer", "not-utf-8"],
)
def test_a_session_that_cannot_be_understood_counts_as_none(
    data: bytes, sessions: Sessions
) -> None:
    sessions.register(at_work())
    next((sessions.folder / "live").iterdir()).write_bytes(data)
    assert sessions.live() == ()
