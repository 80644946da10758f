"""Text is clean before anything is drawn of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.tui.text import clean, clean_lines, line


@pytest.mark.parametrize(
    ("given_text", "cleaned"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two lines and a tab"),
        ("\x1b[31mred", r"\u001b[31mred"),
        ("\u202eright to left", r"\u202eright to left"),
        ("日本語 é", "日本語 é"),
        ("\udcff", r"\udcff"),
    ],
    ids=ascii,
)
def test_what_could_act_is_spelled_out(given_text, cleaned):
    assert clean(given_text) == cleaned


@given(st.text())
def test_nothing_that_is_cleaned_can_act(text):
    assert clean(text).isprintable()
    assert all(each.isprintable() for each in clean_lines(text))


def test_a_line_leaves_out_its_empty_parts():
    assert line("a", ("", "faint"), ("b", "bar")).parts == (("a", ""), ("b", "bar"))
