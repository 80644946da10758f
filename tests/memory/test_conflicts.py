import time
from pathlib import PurePosixPath as P

import pytest

from gitmem.memory.conflicts import copy_of, is_copy, marker_line, original


def test_a_conflict_copy_leads_back_to_its_file():
    path = P("alpha/core/user.md")
    copy = copy_of(path, "0a1b2c3d")
    assert (P("alpha/core/user.conflict-0a1b2c3d.md"), True, path) == (
        copy,
        is_copy(copy),
        original(copy),
    )


@pytest.mark.parametrize("name", ["conflict-0a1b2c3d.md", "a.conflict-of-interest.md"])
def test_a_like_name_is_no_conflict_copy(name):
    assert (False, P(name)) == (is_copy(P(name)), original(P(name)))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n", 2, id="marked"),
        pytest.param(
            "<<<<<<< HEAD\r\nb\r\n=======\r\nc\r\n>>>>>>> x\r\n", 1, id="crlf"
        ),
        pytest.param(
            "<<<<<<< a\nb\n||||||| base\nc\n=======\nd\n>>>>>>> e\n", 1, id="diff3"
        ),
        pytest.param("Heading\n=======\n", 0, id="heading"),
        pytest.param(">>>>>>> quoted seven times\n", 0, id="quote"),
        pytest.param(" <<<<<<< a\n =======\n >>>>>>> b\n", 0, id="indented"),
        pytest.param(">>>>>>> a\n=======\n<<<<<<< b\n", 0, id="out-of-order"),
        pytest.param("", 0, id="empty"),
    ],
)
def test_markers_are_found_only_as_git_writes_them(text, line):
    assert line == marker_line(text.encode())


def test_megabyte_of_opening_marks_is_read_once():
    begun = time.monotonic()

    assert marker_line(b"<<<<<<< x\n" * 100_000) == 0
    assert time.monotonic() - begun < 20
