"""The page about attention says what the code does."""

import re
from pathlib import Path

from gitmem.attention import asking, selection, weights
from gitmem.settings.model import Delivery

PAGE = (Path(__file__).parents[2] / "docs" / "attention.md").read_text("utf-8")


def test_the_table_of_weights_is_the_one_in_the_code():
    _, _, part = PAGE.partition("## The weights")
    rows = re.findall(r"^\| ([a-z ]+) \| (-?\d+) \| (.+) \|$", part, re.MULTILINE)

    assert [(name, float(points), text) for name, points, text in rows] == [
        (each.name, each.points, each.meaning) for each in weights.TABLE
    ]


def test_the_numbers_in_the_text_are_those_in_the_code():
    assert f"fewer than {weights.FLOOR:.0f} of them" in PAGE
    assert f"counts {weights.BEFORE} of what is said now" in PAGE
    assert f"has {weights.CLEARLY:.0f} points for it by at least two words" in PAGE
    assert f"| {selection.WHOLE_AT_MOST} memories |" in PAGE
    assert f"`delivery.max_cues`, {Delivery().max_cues} |" in PAGE
    words = (weights.CLEARLY_WORDS, weights.RESERVED_FOR_OPEN, asking.THIN_WORDS)
    assert (*words, asking.TURNS, asking.PHRASE_WORDS) == (2, 2, 3, 4, 5)
