"""What a machine remembers can be lost and damaged without harm."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sync.conftest import EPOCH

from gitmem.errors import BranchProtected, Offline
from gitmem.sync.freshness import NAME
from gitmem.sync.record import Record, Refused, Step, load, save

FULL = Record(
    url="/srv/memory.git",
    branch="main",
    commit=Step(at=EPOCH, tip="1" * 40),
    fetch=Step(at=EPOCH, tip="2" * 40).failed(Offline("away", "Wait."), EPOCH),
    push=Step().failed(BranchProtected("no"), EPOCH),
    refused=(Refused("a\udcff.md", "it is odd"),),
    held="30 files are missing",
)


def test_a_record_reads_back_as_it_was_saved(tmp_path):
    save(tmp_path / "state", FULL)

    found = load(tmp_path / "state")

    assert found.refused[0].path in {"a\udcff.md", "a\\udcff.md"}
    assert (found.commit, found.fetch, found.push) == (
        FULL.commit,
        FULL.fetch,
        FULL.push,
    )
    assert found.held == FULL.held


def test_a_success_ends_what_failed_before():
    step = Step().failed(Offline("away", "Wait."), EPOCH)

    assert step.succeeded("1", EPOCH) == Step(at=EPOCH, tip="1")


def test_another_remote_or_branch_keeps_only_what_is_of_this_machine():
    kept = Record(url="x", branch="main", commit=FULL.commit, refused=FULL.refused)

    assert FULL.about("/srv/memory.git", "main") is FULL
    assert FULL.about("x", "main") == kept
    assert FULL.about("/srv/memory.git", "b").fetch == Step()


STEP = {"at": None, "tip": "", "failed_at": None, "error_class": None, "message": ""}


def damaged(**changes) -> bytes:
    whole = {
        "url": "x",
        "branch": "main",
        **dict.fromkeys(("commit", "fetch", "push"), STEP),
        "refused": [],
        "held": "",
    }
    return json.dumps(whole | changes).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff",
        b"null",
        b"[]",
        b"{}",
        b"[" * 10_000,
        damaged(fetch={}),
        damaged(fetch="x"),
        damaged(fetch=None),
        damaged(refused=[1]),
        damaged(refused=[{"path": "x"}]),
        damaged(refused=None),
        damaged(
            fetch={
                "at": "2026-01-01T00:00:00",
                "tip": "",
                "failed_at": None,
                "error_class": None,
                "message": "",
            }
        ),
        damaged(
            fetch={
                "at": 5,
                "tip": "",
                "failed_at": None,
                "error_class": None,
                "message": "",
            }
        ),
        damaged(
            fetch={
                "at": None,
                "tip": "",
                "failed_at": None,
                "error_class": "new",
                "message": "",
            }
        ),
    ],
)
def test_a_damaged_record_is_an_empty_one(tmp_path, data):
    (tmp_path / NAME).write_bytes(data)

    assert load(tmp_path) == Record()


def test_a_missing_record_is_an_empty_one(tmp_path):
    assert load(tmp_path / "nowhere") == Record()


@given(st.binary(max_size=80))
def test_no_bytes_at_all_stop_a_cycle(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("record")
    (folder / NAME).write_bytes(data)

    assert load(folder) == Record()


def test_a_damaged_record_costs_a_fetch_and_nothing_else(pair):
    first, _ = pair
    first.pull(force=True)
    (first.options.state / NAME).write_bytes(b'{"url":')
    (first.root / ".git/FETCH_HEAD").unlink(missing_ok=True)

    assert first.pull().fetched
    assert first.pull().skipped
