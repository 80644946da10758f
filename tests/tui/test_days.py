"""Anchors are counted by day, and days without any are days, too."""

from datetime import date

import pytest
from tests.tui.conftest import anchor

from gitmem.tui.days import by_day, run, sparkline, summary
from gitmem.tui.rows import rows

THIRD, FOURTH = date(2026, 4, 3), date(2026, 4, 4)


@pytest.mark.parametrize(
    ("counts", "drawn"),
    [([], ""), ([0, 0], "  "), ([1], "█"), ([1, 8, 0, 4], "▁█ ▄"), ([1, 10_000], "▁█")],
    ids=repr,
)
def test_the_most_is_a_whole_block_and_one_is_never_nothing(counts, drawn):
    assert sparkline(counts) == drawn


def test_the_newest_day_stands_first():
    assert by_day(rows([anchor(1), anchor(30), anchor(2)])) == {FOURTH: 2, THIRD: 1}


@pytest.mark.parametrize(
    ("last", "days"),
    [(1, [FOURTH]), (2, [THIRD, FOURTH]), (9, [date(2026, 4, 2), THIRD, FOURTH])],
)
def test_as_many_days_are_shown_as_there_is_room_for(last, days):
    counts = {FOURTH: 2, date(2026, 4, 2): 1}

    assert [day for day, _ in run(counts, last)] == days
    assert run({}, last) == ()


def test_what_there_is_is_counted_by_type():
    found = rows([anchor(1), anchor(2, type="session"), anchor(3, type="odd")])

    assert summary(found, 1) == "3 anchors (1 of a session, 1 handoff) · 1 thread"


def test_nodes_are_not_taken_for_threads():
    found = rows([anchor(number, type="thread") for number in range(2)])

    assert summary(found, 1) == "2 anchors (2 nodes) · 1 thread"
    assert summary([], 0) == "0 anchors · 0 threads"
