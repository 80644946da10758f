"""Entries of a log, and what they lend to those beside them."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from gitmem.catalog.series import Lifted, beside, lifted


@pytest.mark.parametrize(
    ("path", "near", "further"),
    [
        ("p/log-7.md", ("p/log-6.md", "p/log-8.md"), ("p/log-5.md", "p/log-9.md")),
        ("p/S07.md", ("p/S06.md", "p/S08.md"), ("p/S05.md", "p/S09.md")),
        (
            "p/2026-03-01.md",
            ("p/2026-02-28.md", "p/2026-03-02.md"),
            ("p/2026-02-27.md", "p/2026-03-03.md"),
        ),
        ("p/0.md", ("p/1.md",), ("p/2.md",)),
    ],
    ids=["number", "zeros", "day", "first"],
)
def test_entry_stands_between_those_before_and_after(path, near, further):
    assert beside(path) == {
        **dict.fromkeys(near, 0.5),
        **dict.fromkeys(further, 0.25),
    }


def test_number_with_fewer_digits_may_be_written_either_way():
    assert {"p/9.md", "p/09.md", "p/11.md"} <= beside("p/10.md").keys()


@pytest.mark.parametrize(
    "path", ["p/deploy.md", "p/7.txt", "p/12/deploy.md", "p/٣.md", "p/2026-13-01.md"]
)
def test_what_has_no_number_or_day_stands_alone(path):
    assert beside(path) == {}


@given(some.text() | some.from_regex(r"\d{4}-\d\d-\d\d\.md", fullmatch=True))
def test_every_name_is_taken(path):
    assert path not in beside(path)


def test_word_that_only_stands_beside_counts_half_and_is_named():
    clauses = [{"1.md": 4.0, "2.md": 4.0}, {"1.md": 6.0}]
    assert lifted(clauses, ["1.md", "2.md"]) == {
        "1.md": Lifted(10.0),
        "2.md": Lifted(7.0, (1,)),
    }


def test_word_two_entries_away_counts_a_quarter():
    assert lifted([{"1.md": 4.0}, {"3.md": 1.0}], ["1.md", "3.md"]) == {
        "1.md": Lifted(4.25, (1,)),
        "3.md": Lifted(2.0, (0,)),
    }


def test_what_has_no_word_itself_is_not_found():
    assert lifted([{"1.md": 4.0}], ["1.md", "2.md"]) == {"1.md": Lifted(4.0)}
