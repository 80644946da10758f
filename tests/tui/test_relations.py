"""Keywords are related by the anchors that they stand in together."""

from tests.tui.conftest import anchor

from gitmem.tui.relations import Keyword, drawn, relations
from gitmem.tui.rows import rows

ROWS = rows(
    anchor(number, keywords=words)
    for number, words in enumerate([("b", "a"), ("A", "b", "c"), ("a",), ()])
)


def test_the_most_frequent_stands_first_and_its_strongest_relation():
    assert relations(ROWS) == (
        Keyword("a", 3, (("b", 2), ("c", 1))),
        Keyword("b", 2, (("a", 2), ("c", 1))),
        Keyword("c", 1, (("a", 1), ("b", 1))),
    )


def test_bars_and_lines_are_as_long_and_strong_as_what_they_count():
    lines = drawn(relations(ROWS))

    assert [each.text for each in lines[:4]] == [
        "████████████████████ 3 a",
        "├━━ 2 b",
        "└── 1 c",
        "",
    ]
    assert [each.key for each in lines[:4]] == ["a", "a b", "a c", ""]


def test_an_anchor_that_claims_thousands_of_keywords_costs_nothing():
    words = tuple(map(str, range(5_000)))

    assert len(relations(rows([anchor(1, keywords=words)]))) == 20
