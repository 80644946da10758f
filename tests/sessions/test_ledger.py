import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from gitmem.sessions.ledger import KEPT_PATHS, KEPT_SENTENCES, Ledger, Told
from gitmem.sessions.names import LIMIT_BYTES

TOLD = Told(
    host="claude-code",
    cwd="/w/beacon",
    start_text="<memory_context>\n设备 🙂\n",
    start_given={"global/USER.md": "1"},
    is_given=True,
    given={"beacon/core/é\udcff.md": "2"},
    said=("One sentence.",),
    is_paused=True,
)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "state" / "sessions")


def keep(
    ledger: Ledger, told: Told = TOLD, host: str = "cli", name: str = "s1"
) -> None:
    ledger.change(host, name, lambda _: told)


def only_file(ledger: Ledger) -> Path:
    (path,) = ledger.folder.glob("*.json")
    return path


def test_what_a_session_was_told_is_given_back_as_it_was(ledger: Ledger) -> None:
    keep(ledger)
    assert ledger.read("cli", "s1") == TOLD


def test_an_empty_start_text_is_a_start_text(ledger: Ledger) -> None:
    keep(ledger, Told(start_text="", is_given=True))
    assert ledger.read("cli", "s1") == Told(start_text="", is_given=True)


@pytest.mark.parametrize(
    ("host", "session_id"),
    [("cli", "s2"), ("pi", "s1"), ("clis", "1")],
    ids=["other-session", "other-host", "same-letters"],
)
def test_a_session_is_told_apart_from_others(
    host: str, session_id: str, ledger: Ledger
) -> None:
    keep(ledger)
    assert ledger.read(host, session_id) == Told()


@pytest.mark.parametrize(
    "session_id",
    ["", ".", "../../etc/passwd", "a/b", "\x00", "\ud800", "x" * 9_999, "CON", "é"],
    ids=lambda value: ascii(value)[:20],
)
def test_any_id_is_a_name_inside_the_folder(session_id: str, ledger: Ledger) -> None:
    keep(ledger, name=session_id)
    assert ledger.read("cli", session_id) == TOLD
    assert len(list(ledger.folder.parent.rglob("*.json"))) == 1


def test_folder_and_file_are_private(ledger: Ledger) -> None:
    keep(ledger)
    modes = [
        stat.S_IMODE(path.stat().st_mode) for path in (ledger.folder, only_file(ledger))
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
        b'{"format": 99, "start_text": "x"}',
        b'{"format": 2}',
        b'{"format": 2, "start_text": 7, "is_given": true, "given": 7, "said": {}}',
        b" " * LIMIT_BYTES + b'{"format": 2, "start_text": "x"}',
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
        "wrong-types",
        "too-large",
    ],
)
def test_a_file_that_cannot_be_understood_counts_as_none(
    data: bytes, ledger: Ledger
) -> None:
    keep(ledger)
    only_file(ledger).write_bytes(data)
    assert ledger.read("cli", "s1") == Told()


def test_a_link_is_not_followed(ledger: Ledger, tmp_path: Path) -> None:
    keep(ledger)
    path = only_file(ledger)
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    assert ledger.read("cli", "s1") == Told()


def test_a_change_over_a_broken_file_heals_it(ledger: Ledger) -> None:
    keep(ledger)
    only_file(ledger).write_bytes(b"{")
    keep(ledger, replace(TOLD, said=()))
    assert ledger.read("cli", "s1") == replace(TOLD, said=())


def test_a_change_to_the_same_writes_nothing(ledger: Ledger) -> None:
    keep(ledger)
    before = only_file(ledger).stat()
    keep(ledger)
    assert only_file(ledger).stat().st_ino == before.st_ino


def test_changes_at_the_same_time_are_all_kept(ledger: Ledger) -> None:
    def say(number: int) -> None:
        ledger.change("cli", "s1", lambda told: told.with_said((str(number),)))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(say, range(12)))

    assert sorted(map(int, ledger.read("cli", "s1").said)) == list(range(12))


def test_the_last_session_of_a_host_in_a_folder_is_found(ledger: Ledger) -> None:
    keep(ledger, replace(TOLD, said=("first",)))
    keep(ledger, replace(TOLD, cwd="/w/other"), name="s2")
    keep(ledger, replace(TOLD, host="pi"), name="s3")
    assert ledger.latest("claude-code", "/w/beacon").said == ("first",)
    assert ledger.latest("claude-code", "/w/nowhere") == Told()


def test_a_memory_is_known_by_what_it_holds() -> None:
    told = replace(TOLD, given={"a.md": "1"})
    assert told.knows("a.md", "1")
    assert not told.knows("a.md", "2")
    assert told.knows("global/USER.md", "1")
    assert not told.emptied().knows("global/USER.md", "1")


def test_what_is_kept_of_a_session_stays_small() -> None:
    many = {f"{number}.md": "1" for number in range(KEPT_PATHS + 5)}
    told = Told().with_given({"first.md": "1"}).with_given(many)
    said = told.with_said(tuple(map(str, range(KEPT_SENTENCES + 5)))).said
    assert len(told.given) == KEPT_PATHS
    assert "first.md" not in told.given
    assert said[-1] == str(KEPT_SENTENCES + 4)
    assert len(said) == KEPT_SENTENCES
