"""Whatever is typed becomes clauses that are safe to look for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.catalog.query import CLAUSE_LIMIT, Clause, Query, parse


def texts(query: Query) -> list[str]:
    return [clause.text for clause in query.clauses]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param('"', [], id="a quote"),
        pytest.param("*", [], id="a star"),
        pytest.param("NEAR(", ["NEAR"], id="an operator"),
        pytest.param("deploy the server", ["deploy", "server"], id="stop word"),
        pytest.param("to be or not", ["to", "be", "or", "not"], id="only stop words"),
        pytest.param("Deploy deploy", ["Deploy"], id="twice"),
        pytest.param("Morten's laptop", ["Morten", "laptop"], id="possessive"),
        pytest.param("C++, c#", ["cplusplus", "csharp"], id="signs"),
        pytest.param(
            "pre-edit", ["pre-edit", "pre edit", "pre", "edit"], id="hyphenated"
        ),
        pytest.param(
            "getUserName",
            ["getUserName", "get User Name", "get", "User", "Name"],
            id="identifier",
        ),
        pytest.param("设备", ["设备"], id="unspaced word"),
        pytest.param("API设计", ["API设计", "API", "设计"], id="two scripts"),
        pytest.param("a\0b", ["b"], id="NUL"),
        pytest.param("x\udc80y", ["x?y", "x y", "x", "y"], id="broken unicode"),
    ],
)
def test_query_is_cut_into_clauses(typed, expected):
    assert expected == texts(parse(typed))


def test_sentence_without_spaces_also_matches_by_pairs():
    pairs = texts(parse("如何回滚数据库的索引"))
    assert pairs[:4] == ["如何回滚数据库的索引", "如何", "何回", "回滚"]


def test_short_unspaced_word_matches_whole_only_unless_loose():
    assert texts(parse("データベー")) == ["データベー"]
    loose = parse("データベー", is_loose=True)
    assert texts(loose) == ["データベー", "デー", "ータ", "タベ", "ベー"]


def test_last_word_may_be_unfinished():
    expected = Query((Clause("rsync", "rsync"), Clause("dep", "dep", is_prefix=True)))
    assert expected == parse("rsync dep", is_prefix=True)


def test_last_word_followed_by_a_space_is_finished():
    assert Query((Clause("dep", "dep"),)) == parse("dep ", is_prefix=True)


@given(st.text(max_size=300))
def test_any_text_gives_few_clauses_that_are_valid_unicode(typed):
    clauses = parse(typed, is_prefix=True, is_loose=True).clauses
    assert len(clauses) <= CLAUSE_LIMIT
    assert all(clause.text.encode("utf-8") for clause in clauses)
