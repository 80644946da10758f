"""Dates of other stores are read in whatever form they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.importers.days import day


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-10-11", "2026-10-11"),
        ("2026-10-11 19:40:00", "2026-10-11"),
        ("2026-10-12T07:00:00.000Z", "2026-10-12"),
        ("2026/6/9", "2026-06-09"),
        ("2026.06.09", "2026-06-09"),
        ("20261011-a1b2", "2026-10-11"),
        ("20261011", "2026-10-11"),
        ("2026年6月9日", "2026-06-09"),
        ("9 June 2027", "2027-06-09"),
        ("June 9, 2027", "2027-06-09"),
        ("Jun 9, 2027", "2027-06-09"),
        ("1790000000", "2026-09-21"),
        ("1790000000000", "2026-09-21"),
        ("2026-02-30", ""),
        ("yesterday evening", ""),
        ("2025-12", ""),
        ("2026-05/01", ""),
        ("2025-12-- - -", ""),
        ("", ""),
        ("12345", ""),
        ("2026-10-111", ""),
        ("٢٠٢٦-٠١-٠١", "2026-01-01"),
    ],
)
def test_the_day_is_found(written, expected):
    assert day(written) == expected


@given(st.text(max_size=80))
def test_any_text_is_a_day_or_none(written):
    assert day(written) == "" or len(day(written)) == len("YYYY-MM-DD")
