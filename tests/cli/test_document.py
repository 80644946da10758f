"""JSON holds every value of the program and nothing that acts on a terminal."""

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.cli.document import plain, rendered


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Pair:
    first: PurePosixPath
    second: tuple[int, ...]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Pair(PurePosixPath("a/b"), (1, 2)), {"first": "a/b", "second": [1, 2]}),
        ({Path("x"): Colour.RED}, {"x": "red"}),
        (datetime(2026, 3, 2, tzinfo=UTC), "2026-03-02T00:00:00+00:00"),
        (date(2026, 3, 2), "2026-03-02"),
        (timedelta(minutes=2), 120.0),
        (b"a\xff", "a\N{REPLACEMENT CHARACTER}"),
        (frozenset({1}), [1]),
        (None, None),
        (1 + 2j, "(1+2j)"),
    ],
    ids=["record", "mapping", "time", "day", "span", "bytes", "set", "none", "other"],
)
def test_a_value_becomes_plain(value, expected):
    assert plain(value) == expected


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back_from_json(text):
    assert json.loads(rendered(text)) == text


@given(st.text())
def test_no_character_of_a_text_acts_on_a_terminal(text):
    lines = rendered({"text": text}).split("\n")

    assert [line for line in lines if not line.isprintable()] == []
