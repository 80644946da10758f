"""The entries of pi-memory-auto are cut where they begin, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.importers.entries import entries

HEAD = "<!-- mid: {} | t: 2026-10-11 | tags: a -->"


def texts(*lines):
    return [each.text for each in entries("\n".join(lines))]


def test_an_entry_is_a_comment_and_the_text_below_it():
    found = list(
        entries("# TITLE\n\n<!-- mid: 1 | p: a|b | tags: x,y -->\none\n\ntwo\n")
    )
    assert [(each.line, each.text) for each in found] == [
        (1, "# TITLE"),
        (3, "one\n\ntwo"),
    ]
    assert found[1].said == {"mid": "1", "p": "a|b", "tags": "x,y"}


def test_fields_come_in_any_order_and_text_may_begin_beside_them():
    found = list(entries("<!-- tags: x | T: 2026-01-01 | MID: 1 --> one\ntwo"))
    assert found[1].said == {"tags": "x", "t": "2026-01-01", "mid": "1"}
    assert found[1].text == " one\ntwo"


def test_a_field_that_nobody_knows_is_a_field_of_its_own():
    (_, found) = entries("<!-- mid:1 | src: user | conf: 0.8 | p: a|b | tags: x:y -->")
    assert found.said == {
        "mid": "1",
        "src": "user",
        "conf": "0.8",
        "p": "a|b",
        "tags": "x:y",
    }


def test_lines_that_end_as_on_windows_are_cut_too():
    assert texts(HEAD.format(1) + "\r", "one\r", HEAD.format(2) + "\r", "two\r")[
        1:
    ] == [
        "one",
        "two",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "<!-- a comment of another kind -->",
        "<!-- stats: entries=9 keywords=17 -->",
        "<!-- t: only one field -->",
        "within a line <!-- mid: 9 | t: x --> it is text",
        "    <!-- mid: 9 | t: x -->",
    ],
)
def test_what_is_no_comment_of_an_entry_is_text(line):
    assert texts(HEAD.format(1), "one", line) == ["", f"one\n{line}"]


@pytest.mark.parametrize("fence", ["```", "~~~", "````markdown", "  ```"])
def test_a_comment_in_a_code_block_begins_nothing(fence):
    end = fence.strip("markdown")
    inside = texts(HEAD.format(1), fence, HEAD.format(9), "x", end, HEAD.format(2), "y")
    assert inside[1:] == [f"{fence}\n{HEAD.format(9)}\nx\n{end}", "y"]


def test_a_block_that_never_ends_takes_no_entry():
    assert texts(HEAD.format(1), "```", "one", HEAD.format(2), "two")[1:] == [
        "```\none",
        "two",
    ]


def test_a_block_whose_end_is_missing_does_not_take_the_end_of_another():
    written = (HEAD.format(1), "```", "one", HEAD.format(2), "```js", "two", "```")
    assert texts(*written)[1:] == ["```\none", "```js\ntwo\n```"]


@pytest.mark.parametrize(
    "lines",
    [["```js"] * 50_000, [""] * 900_000, ["<!-- mid: 0 | " + "|" * 900_000, "x"]],
    ids=["blocks", "blank", "bars"],
)
def test_what_is_hostile_takes_no_time(lines):
    assert texts(*lines, HEAD.format(1), "one")[-1] == "one"


@given(st.lists(st.sampled_from(["```", "~~~", "```js", "", "x", HEAD.format(1)])))
def test_every_line_that_begins_no_entry_stays(lines):
    found = list(entries("\n".join(lines)))
    kept = [line for each in found for line in each.text.split("\n") if line]
    written = [line for line in lines if line]
    assert len(written) - len(kept) == len(found) - 1
