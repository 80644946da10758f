"""A file is held against the rules before it is committed."""

import time
from pathlib import PurePosixPath

import pytest
from tests.sync.conftest import SECRET

from gitmem.memory.conflicts import marker_line
from gitmem.repo.status import GITLINK_MODE, Entry, Kind
from gitmem.sync.check import Rules, refuse_content, refuse_entry

RULES = Rules(max_file_bytes=100, secrets="block")
OPEN = b"<<<<<<< a\none\n=======\ntwo\n>>>>>>> b\n"


@pytest.mark.parametrize(
    ("path", "mode", "words"),
    [
        ("core/a.md", "100644", ""),
        ("run.sh", "100755", ""),
        (".gitattributes", "100644", ""),
        ("inner", GITLINK_MODE, "repository of its own"),
        ("a.md", "120000", "link"),
        (".gitmodules", "100644", "submodules"),
        ("core/.gitmodules", "100644", "submodules"),
        (".GIT/config", "100644", "Git's own folder"),
        ("git~1/x.md", "100644", "Git's own folder"),
        ("a\nb.md", "100644", "control"),
        ("a\udcff.md", "100644", "invisible"),
        ("aux.md", "100644", "device"),
        ("a?.md", "100644", "file systems"),
        ("x" * 256, "100644", "255"),
    ],
)
def test_a_path_is_refused_for_what_it_is(path, mode, words):
    reason = refuse_entry(Entry(PurePosixPath(path), Kind.UNTRACKED, disk_mode=mode))

    assert words in reason
    assert bool(reason) == bool(words)
    assert reason.isprintable()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", ""),
        (b"x" * 100, ""),
        (b"x" * 101, "it is larger than 100 bytes"),
        (OPEN, "line 1 begins a conflict that is not settled"),
        (f"\n{SECRET}".encode(), "line 2 looks like a secret (GitHub token)"),
        (b"\xff\xfe\0binary", ""),
    ],
)
def test_content_is_refused_for_what_it_holds(data, expected):
    assert refuse_content(data, RULES) == expected


def test_secrets_are_only_looked_for_where_they_matter():
    assert refuse_content(SECRET.encode(), Rules(100, "warn")) == ""


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (OPEN, 1),
        (b"x\n" + OPEN, 2),
        (OPEN.replace(b"\n", b"\r\n"), 1),
        (b"<<<<<<< a\n||||||| base\n=======\n>>>>>>> b", 1),
        (b"<<<<<<<\n=======\n>>>>>>>\n", 1),
        (b"<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> c\n", 2),
        (b"Title\n=======\n", 0),
        (b">>>>>>> quoted\n=======\n<<<<<<< a\n", 0),
        (b"<<<<<<<< eight\n========\n>>>>>>>> eight\n", 0),
        (b" <<<<<<< a\n=======\n>>>>>>> b\n", 0),
        (b"<<<<<<< a\n>>>>>>> b\n", 0),
        (b"<<<<<<<a\n=======\n>>>>>>>b\n", 0),
    ],
)
def test_a_conflict_begins_where_its_three_marks_stand_in_order(data, expected):
    assert marker_line(data) == expected


@pytest.mark.parametrize(
    "data",
    [
        b"<<<<<<< a\n" * 100_000,
        b"<<<<<<< " + b"x" * 1_000_000,
        b"<<<<<<< a\n=======\n" * 50_000,
        b"=" * 1_000_000,
        b"ghp_" * 250_000,
        b"password: " * 100_000,
        b"a" * 1_000_000,
    ],
    ids=["begins", "long line", "pairs", "equals", "tokens", "words", "letters"],
)
def test_a_hostile_file_takes_no_longer_than_any_other(data):
    started = time.process_time()

    refuse_content(data, Rules(2_000_000, "block"))

    assert time.process_time() - started < 3
