import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from gitmem.sessions.ledger import Ledger, Told
from gitmem.sessions.live import KEEP_FOR, Session, Sessions

NOW = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path / "state" / "sessions")


def test_old_sessions_are_forgotten_and_recent_ones_kept(sessions: Sessions) -> None:
    ledger = Ledger(sessions.folder)
    told = {name: Told(start_text=name) for name in ("old", "recent")}
    ledger.change("cli", "old", lambda _: told["old"])
    (path,) = sessions.folder.glob("*.json")
    long_ago = (NOW - KEEP_FOR - timedelta(seconds=1)).timestamp()
    os.utime(path, (long_ago, long_ago))
    ledger.change("cli", "recent", lambda _: told["recent"])
    sessions.prune(NOW)
    assert ledger.read("cli", "old") == Told()
    assert ledger.read("cli", "recent") == told["recent"]


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


def test_news_of_every_pull_reach_each_session_and_are_told_once(
    sessions: Sessions,
) -> None:
    sessions.register(at_work("pi"))
    sessions.register(at_work("cli"))
    sessions.bring_news([PurePosixPath("global/user.md")])
    sessions.bring_news([PurePosixPath("a.md"), PurePosixPath("global/user.md")])
    told = [sessions.take_news(host, "s1") for host in ("pi", "pi", "cli")]
    assert told == [("global/user.md", "a.md"), (), ("global/user.md", "a.md")]


def test_news_are_bounded(sessions: Sessions) -> None:
    sessions.register(at_work())
    sessions.bring_news(PurePosixPath(f"{number}.md") for number in range(500))
    assert len(sessions.take_news("pi", "s1")) == 100


def test_a_folder_that_cannot_be_written_stops_no_session(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", "utf-8")
    sessions = Sessions(tmp_path / "file")

    assert sessions.register(at_work())
    sessions.seen("pi", "s1")
    assert sessions.live() == ()


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
