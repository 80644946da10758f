"""A few texts are ranked by the words of another one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.attention.bm25 import scores, tokens


def ranked(query, *texts):
    found = scores(query, texts)
    return [text for _, text in sorted(zip(found, texts, strict=True), reverse=True)]


def test_the_text_that_shares_the_rarer_word_comes_first():
    texts = ("deploy the parser", "deploy the server", "deploy it all")

    assert ranked("how do we deploy the parser", *texts)[0] == "deploy the parser"


def test_a_score_is_what_it_should_be_by_hand():
    # One text of two of the same length holds the word once: ln(1 + 1.5 / 1.5) is
    # 0.69315, and 1 × 2.2 / (1 + 1.2) is 1.
    assert scores("parser", ("parser here", "other one")) == pytest.approx(
        (0.69315, 0.0), abs=1e-5
    )


def test_a_word_that_says_nothing_finds_nothing():
    assert scores("what is the", ("the what", "is")) == (0.0, 0.0)
    assert scores("", ("text",)) == (0.0,)
    assert scores("text", ()) == ()
    assert scores("text", ("", "")) == (0.0, 0.0)


def test_parts_of_an_identifier_and_of_a_path_are_words():
    assert {"get", "user", "name", "src", "app"} <= set(
        tokens("getUserName src/app.py")
    )


def test_unspaced_scripts_are_cut_into_signs():
    assert scores("部署", ("如何部署", "无关内容"))[0] > 0


@given(st.text(), st.lists(st.text(), max_size=4))
def test_every_text_has_a_score(query, texts):
    found = scores(query, texts)

    assert len(found) == len(texts)
    assert all(each >= 0 for each in found)
