"""Two sides' frontmatter becomes one, field by field."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.memory.frontmatter.read import read
from gitmem.memory.frontmatter.split import split
from gitmem.sync.fields import merge_blocks


def merged(base: str, winner: str, loser: str) -> tuple[str, bool]:
    blocks, is_settled = merge_blocks(
        *(_blocks(text) for text in (base, winner, loser))
    )
    return b"".join(block.text for block in blocks).decode(), is_settled


def _blocks(head: str):
    return split(f"---\n{head}---\n".encode()).blocks


@pytest.mark.parametrize(
    ("base", "winner", "loser", "expected"),
    [
        ("a: 1\n", "a: 1\n", "a: 1\n", "a: 1\n"),
        ("a: 1\n", "a: 2\n", "a: 1\n", "a: 2\n"),
        ("a: 1\n", "a: 1\n", "a: 2\n", "a: 2\n"),
        ("a: 1\n", "a: 2\n", "a: 2\n", "a: 2\n"),
        ("", "a: 1\n", "b: 2\n", "a: 1\nb: 2\n"),
        ("a: 1\nb: 2\n", "a: 1\n", "a: 1\nb: 2\n", "a: 1\n"),
        ("a: 1\nb: 2\n", "a: 1\nb: 2\n", "b: 2\n", "b: 2\n"),
        ("a: 1\n", "", "", ""),
        ("a: 1\n", "", "a: 2\n", "a: 2\n"),
        ("a: 1\n", "a: 2\n", "", "a: 2\n"),
        ("a: 1\n", 'a: "2"\n', "a: 2\n", 'a: "2"\n'),
        ("updated: 1\n", "updated: 2\n", "updated: 3\n", "updated: 3\n"),
        ("updated: 1\n", "updated: 3\n", "updated: 2\n", "updated: 3\n"),
        ("created: 3\n", "created: 1\n", "created: 2\n", "created: 1\n"),
        ("created: 3\n", "created: 2\n", "created: 1\n", "created: 1\n"),
        ("", "updated: 2026-01-02\n", "updated: 2026-01-03\n", "updated: 2026-01-03\n"),
        ("tags: [a]\n", "tags: [a, b]\n", "tags: [a, c]\n", "tags: [a, b, c]\n"),
        ("tags: [a]\n", "tags: [b]\n", "tags: [a, c]\n", "tags: [b, c]\n"),
        ("tags: [a, b]\n", "tags: [a]\n", "tags: [b]\n", "tags: []\n"),
        ("", "tags: [a]\n", "tags: [b]\n", "tags: [a, b]\n"),
        (
            "tags:\n- a\n",
            "tags:\n- a\n- b\n",
            "tags:\n- a\n- c\n",
            "tags:\n- a\n- b\n- c\n",
        ),
        (
            "tags: [a]\n",
            "tags:\n- a\n- b\n",
            "tags: [a, c]\n",
            "tags:\n- a\n- b\n- c\n",
        ),
        ("n: [0]\n", "n: [0, 1]\n", "n: [0, true]\n", "n: [0, 1, true]\n"),
        ("n: [0]\n", "n: [0, 'a']\n", 'n: ["0"]\n', "n: ['a', \"0\"]\n"),
        ("n: [1, 1]\n", "n: [1, 1, 2]\n", "n: [1, 1, 3]\n", "n: [1, 1, 2, 3]\n"),
        ("n: [1, 1]\n", "n: [1, 2]\n", "n: [1, 1, 3]\n", "n: [1, 2, 3]\n"),
        (
            "n: [\n  a,\n]\n",
            "n: [\n  a,\n  {b: 1},\n]\n",
            "n: [\n  a,\n  [c, d],\n]\n",
            "n: [\n  a,\n  {b: 1},\n  [c, d],\n]\n",
        ),
        ("n:\n- a\n- b\n", "n:\n- a\n", "n:\n- b\n", "n: []\n"),
        ("n: [a,b]\n", "n: [b,c]\n", "n: [a,b,d]\n", "n: [b,c,d]\n"),
        ("n: [ a ]\n", "n: [ a, b ]\n", "n: [ a, c ]\n", "n: [ a, b, c ]\n"),
        ("", "n:\n- 1\n", "n: [1.0, no]\n", "n:\n- 1\n- 1.0\n- no\n"),
        ("", "n: [1]\n", "n:\n  - 1.0\n  - 'a, b'\n", "n: [1, 1.0, 'a, b']\n"),
        (
            "n:\n- a\n",
            "n:\n- a\n- b: 1\n  c: 2\n",
            "n:\n- a\n- d: 1\n  e: 2\n",
            "n:\n- a\n- b: 1\n  c: 2\n- d: 1\n  e: 2\n",
        ),
        (
            "n:\n- a\n",
            "n:\r\n- a\r\n- b\r\n",
            "n:\n- a\n- c\n",
            "n:\r\n- a\r\n- b\r\n- c\r\n",
        ),
        ("a: 1\n", "# why\na: 1\n", "a: 1\nb: 2\n", "# why\na: 1\nb: 2\n"),
        ("", "# one\n", "# two\n", "# one\n# two\n"),
    ],
    ids=[
        "nothing",
        "winner",
        "loser",
        "both alike",
        "two new",
        "winner removed",
        "loser removed",
        "both removed",
        "edit beats winner's removal",
        "edit beats loser's removal",
        "two spellings",
        "later update of the loser",
        "later update of the winner",
        "earlier creation of the winner",
        "earlier creation of the loser",
        "both new dates",
        "list additions",
        "list removal and addition",
        "both removed items",
        "two new lists",
        "block lists",
        "two styles of list",
        "types",
        "a spelling",
        "an item twice",
        "an item once less",
        "a list over lines",
        "nothing left",
        "no spaces",
        "more spaces",
        "brackets into lines",
        "lines into brackets",
        "mappings in a list",
        "line ends in a list",
        "comment and field",
        "two comments",
    ],
)
def test_both_sides_find_their_place(base, winner, loser, expected):
    assert merged(base, winner, loser) == (expected, True)


@pytest.mark.parametrize(
    ("base", "winner", "loser", "expected"),
    [
        ("a: 1\n", "a: 2\n", "a: 3\n", "a: 2\n"),
        ("", "a: 2\n", "a: 3\n", "a: 2\n"),
        ("a: {b: 1}\n", "a: {b: 2}\n", "a: {b: 3}\n", "a: {b: 2}\n"),
        ("a: 1\n", "a: [x]\n", "a: y\n", "a: [x]\n"),
        ("updated: 1\n", "updated: 2\n", "updated: [3]\n", "updated: 2\n"),
        ("a: 1\n", "# mine\na: 2\n", "# yours\na: 2\n", "# mine\na: 2\n"),
        ("a: |\n  x\n", "a: |\n  y\n", "a: |\n  z\n", "a: |\n  y\n"),
        ("", "a: {b: 2}\n", "a: {b: 1, b: 2}\n", "a: {b: 2}\n"),
        ("a: []\n", "a: [{b: 2}]\n", "a: [{b: 1, b: 2}]\n", "a: [{b: 2}]\n"),
        ("", "a: [0]\n", "a: ['0']\n", "a: [0]\n"),
        ("a: [x]\n", "a: [y]\n", "a:\n- x\n- b: |\n   z\n", "a: [y]\n"),
        ("updated: 1\n", "updated: soon\n", "updated: late\n", "updated: soon\n"),
    ],
    ids=[
        "scalars",
        "new scalars",
        "mappings",
        "list",
        "date",
        "comments",
        "texts",
        "a key twice",
        "a key twice in a list",
        "two spellings in a list",
        "two styles",
        "no dates",
    ],
)
def test_what_the_loser_says_and_the_winner_does_not_asks_for_a_copy(
    base, winner, loser, expected
):
    assert merged(base, winner, loser) == (expected, False)


@pytest.mark.parametrize(
    ("winner", "loser"),
    [
        ("# mine\ntags: [b]\n", "# yours\ntags: [c]\n"),
        ("tags: [b] # mine\n", "tags: [c] # yours\n"),
        ("tags:\n- b\n", "tags:\n# yours\n- c\n"),
        ("updated: 3\n", "# yours\nupdated: 2\n"),
        ("# yours\nupdated: 2\n", "updated: 3\n"),
        ("updated: 2 # yours\n", "updated: 3\n"),
        ("a: 2\n", "a: 2 # yours\n"),
    ],
)
def test_a_comment_on_a_field_that_gave_way_asks_for_a_copy(winner, loser):
    text, is_settled = merged("tags: [a]\nupdated: 1\na: 1\n", winner, loser)

    assert "yours" in text or not is_settled
    assert "mine" in text or "mine" not in winner


def test_doubled_fields_are_told_apart():
    text, is_settled = merged("a: 1\na: 2\n", "a: 1\na: 3\n", "a: 4\na: 2\n")

    assert (text, is_settled) == ("a: 4\na: 3\n", True)


VALUES = st.sampled_from(["1", "2", "[x]", "[x, y]", "[z]", "{k: v}", '"q"', ""])
HEADS = st.dictionaries(st.sampled_from(["a", "b", "tags"]), VALUES, max_size=3).map(
    lambda fields: "".join(f"{key}: {value}\n" for key, value in fields.items())
)


@settings(max_examples=60)
@given(HEADS, HEADS, HEADS)
def test_every_new_value_stays_or_asks_for_a_copy(base, winner, loser):
    text, is_settled = merged(base, winner, loser)

    kept = set(re.findall(r"\w+", text))
    new = set(re.findall(r"\w+", loser)) - set(re.findall(r"\w+", base))
    assert new <= kept or not is_settled
    assert read(f"---\n{text}---\n".encode()).problems == ()


@settings(max_examples=60)
@given(HEADS, HEADS)
def test_a_side_that_did_nothing_yields_and_a_second_merge_changes_nothing(base, side):
    assert sorted(merged(base, base, side)[0]) == sorted(side)
    assert merged(base, side, base) == (side, True)
    assert merged(base, side, side) == (side, True)
