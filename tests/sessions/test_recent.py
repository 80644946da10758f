"""What a daemon remembers of sessions is what their files say, and is written soon."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from gitmem.sessions.ledger import Ledger, Told
from gitmem.sessions.recent import SESSIONS_AT_MOST, Recent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "sessions"


@pytest.fixture
def recent():
    kept: Recent[Told] = Recent()
    yield kept
    kept.close()


@pytest.fixture
def ledger(folder: Path, recent: Recent[Told]) -> Ledger:
    return Ledger(folder, recent)


def saying(*sentences: str):
    return lambda told: told.with_said(sentences)


def test_what_is_written_later_is_known_to_whoever_asks_next(ledger: Ledger) -> None:
    ledger.change_later("pi", "s", saying("one"))
    assert ledger.read("pi", "s").said == ("one",)


def test_changes_that_are_put_off_come_one_after_the_other(ledger: Ledger) -> None:
    for number in range(50):
        ledger.change_later("pi", "s", saying(str(number)))
    assert ledger.read("pi", "s").said == tuple(map(str, range(50)))


def test_a_change_at_once_comes_after_one_that_was_put_off(ledger: Ledger) -> None:
    may_go = threading.Event()

    def slow(told: Told) -> Told:
        may_go.wait(5)
        return told.with_said(("first",))

    ledger.change_later("pi", "s", slow)
    threading.Timer(0.05, may_go.set).start()
    assert ledger.change("pi", "s", saying("second")).said == ("first", "second")


def test_another_process_reads_what_was_put_off(
    ledger: Ledger, folder: Path, recent: Recent[Told]
) -> None:
    ledger.change_later("pi", "s", saying("one"))
    recent.close()
    assert Ledger(folder).read("pi", "s").said == ("one",)


def test_what_another_process_wrote_is_seen(ledger: Ledger, folder: Path) -> None:
    ledger.change("pi", "s", saying("one"))
    ledger.read("pi", "s")
    Ledger(folder).change("pi", "s", lambda told: replace(told, said=("two",)))
    assert ledger.read("pi", "s").said == ("two",)


def test_a_file_that_was_taken_away_is_forgotten(ledger: Ledger, folder: Path) -> None:
    ledger.change("pi", "s", saying("one"))
    (file,) = folder.glob("*.json")
    file.unlink()
    assert ledger.read("pi", "s") == Told()


def test_the_last_session_of_a_folder_counts_what_was_put_off(ledger: Ledger) -> None:
    ledger.change_later("pi", "s", lambda _: Told(host="pi", cwd="/w", said=("x",)))
    assert ledger.latest("pi", "/w").said == ("x",)


def test_after_the_end_nothing_is_put_off(
    ledger: Ledger, folder: Path, recent: Recent[Told]
) -> None:
    recent.close()
    ledger.change_later("pi", "s", saying("late"))
    assert Ledger(folder).read("pi", "s").said == ("late",)


def test_what_cannot_be_kept_fails_nobody(ledger: Ledger, folder: Path) -> None:
    folder.write_bytes(b"no folder")
    ledger.change_later("pi", "s", saying("one"))
    assert ledger.read("pi", "s") == Told()


def test_only_the_latest_sessions_are_remembered(
    folder: Path, recent: Recent[Told]
) -> None:
    ledger = Ledger(folder, recent)
    for number in range(SESSIONS_AT_MOST + 1):
        ledger.change("pi", str(number), saying("one"))
    remembered = [path for path in folder.glob("*.json") if recent.find(path)]
    assert len(remembered) == SESSIONS_AT_MOST
