"""Each check takes what may be written, and nothing else."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.settings.checks import (
    CHECKS,
    Disallowed,
    allowed,
    duration,
    duration_text,
    layer,
)
from gitmem.settings.model import keys


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        (5, 5),
        (0.5, 0.5),
        ("5", 5),
        ("30s", 30),
        ("15 min", 900),
        ("12h", 43_200),
        ("12 H", 43_200),
        (" 1.5 hours ", 5400),
        ("2 days", 172_800),
        ("250ms", 0.25),
    ],
)
def test_a_duration_is_a_number_or_a_number_with_a_unit(written, seconds):
    assert math.isclose(duration(written), seconds)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0s"),
        (1.5, "1.5s"),
        (10.0, "10s"),
        (90.0, "90s"),
        (900.0, "15 min"),
        (43_200.0, "12 h"),
        (43_201.0, "43201s"),
    ],
)
def test_a_duration_that_is_shown_can_be_written_as_it_is_shown(seconds, text):
    assert duration_text(seconds) == text
    assert duration(text) == seconds


@pytest.mark.parametrize(
    "written",
    [
        "",
        "h",
        "5 fortnights",
        "-5s",
        -1,
        "1e5",
        math.inf,
        math.nan,
        True,
        None,
        10**400,
    ],
)
def test_no_other_duration_is_understood(written):
    with pytest.raises(Disallowed):
        duration(written)


@pytest.mark.parametrize(
    ("kind", "written", "value"),
    [
        ("url", "", None),
        ("url", "git@example.com:me/m.git", "git@example.com:me/m.git"),
        ("http", "", None),
        ("http", "http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ("branch", "team/notes-2", "team/notes-2"),
        ("machine", "", None),
        ("machine", "laptop-1.local", "laptop-1.local"),
        ("model", "", None),
        ("model", "openai:gpt-5/x:latest", "openai:gpt-5/x:latest"),
        ("folder", "/a b", Path("/a b")),
        ("folders", ["/a"], ("/a",)),
        ("place", "anchors/here", Path("anchors/here")),
        ("text", "", ""),
        ("text", "⚓ ", "⚓ "),
        ("texts", ["a", "日本"], ("a", "日本")),
        ("hours", ["72", 168], (72, 168)),
    ],
)
def test_what_may_be_written_is_taken(kind, written, value):
    assert CHECKS[kind](written) == value


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("url", " padded"),
        ("http", "https://"),
        ("http", "file:///etc"),
        ("http", "http://[oops"),
        *(("branch", name) for name in ("/a", "a/", "a//b", ".a", "a.", "a/.b", "@")),
        *(("branch", name) for name in ("a.lock", "a.lock/b", "a@{1}", "a\\b", "a~1")),
        ("machine", "a" * 64),
        ("machine", "nul"),
        ("machine", ".x"),
        ("model", "x"),
        ("model", "openai: x"),
        ("folder", ""),
        ("folder", "/a\x1b"),
        ("place", "."),
        ("text", "a\nb"),
        ("texts", "a"),
        ("texts", [""]),
        ("hours", [0, 1]),
        ("hours", [1, 10**6]),
        ("hours", [True, 2]),
        ("hours", ["9" * 5000, 2]),
    ],
)
def test_what_may_not_be_written_is_refused(kind, written):
    with pytest.raises(Disallowed):
        CHECKS[kind](written)


@given(written=st.one_of(st.text(), st.integers(), st.booleans(), st.none()))
@pytest.mark.parametrize("kind", CHECKS)
def test_a_check_answers_or_refuses_whatever_it_is_given(kind, written):
    try:
        CHECKS[kind](written)
    except Disallowed:
        return


@given(written=st.text())
def test_a_shared_layer_is_one_plain_folder(written):
    try:
        name = layer(written)
    except Disallowed:
        return
    assert name is None or ("/" not in name and not name.startswith(".") and name)


def test_what_is_allowed_is_said_for_every_setting():
    assert [key.dotted for key in keys() if not allowed(key).isprintable()] == []
