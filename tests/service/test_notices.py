"""What needs the person is said in sentences; nothing else is."""

from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

import pytest

from gitmem.errors import Offline
from gitmem.service.notices import age, counted, notices
from gitmem.settings.load import load
from gitmem.settings.report import Loaded, Problem, ProblemKind, Refusal
from gitmem.sync.record import Record, Refused, Step
from gitmem.sync.standing import Standing

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
COPY = PurePosixPath("beacon/core/a.conflict-0123abcd.md")


@pytest.fixture
def quiet(tmp_path: Path) -> Loaded:
    return load(tmp_path, environment={"HOME": str(tmp_path)})


def standing(**news: object) -> Standing:
    calm = {
        "branch": "main",
        "url": "https://git.example.org/m.git",
        "head": "a" * 40,
        "uncommitted": 0,
        "unpushed": 0,
        "oldest_unpushed": None,
        "conflicts": (),
        "leftovers": (),
        "record": Record(),
    }
    return Standing(**{**calm, **news})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (standing(), ()),
        (None, ("The repository cannot be synced as it is: run `gitmem doctor`.",)),
        (
            standing(unpushed=2, oldest_unpushed=NOW - timedelta(hours=30)),
            ("2 commits not pushed, the oldest for 1 day: run `gitmem sync`.",),
        ),
        (standing(conflicts=(COPY,)), (f"1 conflict copy to settle: {COPY}.",)),
        (
            standing(conflicts=(COPY,) * 5),
            (f"5 conflict copies to settle: {COPY}, {COPY}, {COPY} and 2 more.",),
        ),
        (
            standing(record=Record(refused=(Refused("a/b.md", "it is a link"),))),
            ("a/b.md is not committed: it is a link.",),
        ),
        (
            standing(record=Record(held="The remote was rewritten.")),
            ("Sync waits for a decision: The remote was rewritten.",),
        ),
        (
            standing(record=Record(fetch=Step().failed(Offline("No route."), NOW))),
            ("The last sync failed (offline): No route.",),
        ),
    ],
    ids=[
        "calm",
        "unknown",
        "unpushed",
        "copy",
        "copies",
        "refused",
        "held",
        "offline",
    ],
)
def test_what_sync_left_is_told(quiet, found, expected):
    assert notices(found, quiet, (), NOW) == expected


def test_settings_and_files_are_told_by_their_number(quiet):
    refusal = Refusal("/p/.gitmem.toml", "sync.branch", "evil", "it is yours")
    problem = Problem(ProblemKind.UNKNOWN_KEY, "config.toml", "x", "1", "unknown")
    told = Loaded(
        quiet.settings, quiet.folders, quiet.origins, (refusal,), (problem, problem)
    )

    assert notices(standing(), told, (PurePosixPath("a/b.md"),), NOW) == (
        "1 wish of this project refused: see `gitmem settings --explain`.",
        "2 mistakes in your settings: see `gitmem settings --explain`.",
        "1 memory cannot be read whole: run `gitmem check`.",
    )


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        (timedelta(seconds=59), "less than a minute"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(hours=23), "23 hours"),
        (timedelta(days=3), "3 days"),
        (timedelta(days=-3), "less than a minute"),
    ],
    ids=["seconds", "minute", "hours", "days", "future"],
)
def test_an_age_is_told_in_its_largest_unit(passed, expected):
    assert age(NOW - passed, NOW) == expected


def test_a_number_of_things_is_told_in_the_right_form():
    assert [counted(1, "file"), counted(2, "file")] == ["1 file", "2 files"]
    assert counted(0, "memory", "memories") == "0 memories"
