"""Text is shaped the same way for files and for queries."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.catalog.analysis import (
    BREAK,
    UNSPACED,
    camel_words,
    folded,
    parts,
    shaped,
    spaced,
)

# Unspaced scripts, marks that compose, and what stands between them.
scripts = st.text("ab1_ .,ée\u0301設備がか\u3099각\u1100\u1161、。ｶ\uff9e\u0e01～")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        pytest.param("getUserName", ["get", "User", "Name"], id="camel"),
        pytest.param("my_var", ["my", "var"], id="snake"),
        pytest.param("HTTPServer", ["HTTP", "Server"], id="capitals first"),
        pytest.param("parseURL", ["parse", "URL"], id="capitals last"),
        pytest.param("utf8Decoder", ["utf8", "Decoder"], id="digits stay"),
        pytest.param("pre-edit", ["pre", "edit"], id="hyphen"),
        pytest.param("plain", ["plain"], id="one"),
        pytest.param("größe_ä", ["größe", "ä"], id="not ascii"),
        pytest.param("--", [], id="nothing"),
    ],
)
def test_identifier_is_split_at_case_and_separators(word, expected):
    assert expected == parts(word)


def test_words_with_inner_capitals_are_listed_once_in_order():
    data = b"call getUserName and HTTPServer, getUserName; not Plain"
    assert camel_words(data) == ["getUserName", "HTTPServer"]


def test_parts_of_an_identifier_follow_the_text():
    assert shaped("see getUserName.") == "see getUserName. get User Name"


def test_languages_made_of_signs_get_a_name():
    assert "C++ and C# csharp cplusplus" == shaped("C++ and C#")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("café", "cafe", id="composed"),
        pytest.param("cafe\u0301", "cafe", id="decomposed"),
        pytest.param("Ωμέγα", "Ωμεγα", id="greek"),
        pytest.param("が", "が", id="kana keeps its mark"),
        pytest.param("백업", "백업", id="hangul is put together again"),
        pytest.param("a, é, 中, e\u0301.", "a, e, 中, e.", id="mixed"),
    ],
)
def test_accents_are_folded_and_the_rest_is_composed(text, expected):
    assert expected == folded(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("设备", ["设", "备"], id="neighbours"),
        pytest.param("设，备", ["设", BREAK, "备"], id="a comma between"),
        pytest.param("设 备", ["设", BREAK, "备"], id="a space between"),
        pytest.param("设\n备", ["设", BREAK, "备"], id="a line's end between"),
        pytest.param("API设计v2", ["API", "设", "计", "v2"], id="beside latin"),
        pytest.param("スーパー", ["ス", "ー", "パ", "ー"], id="long vowel"),
    ],
)
def test_unspaced_scripts_become_one_word_a_character(text, expected):
    assert expected == spaced(text).split()


@given(st.text())
def test_shaping_takes_any_text_and_never_loses_a_letter(text):
    letters = [c for c in text if c.isascii() and c.isalnum()]
    shown = shaped(text)
    assert all(letter in shown for letter in letters)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_folding_twice_changes_nothing_more(text):
    once = folded(text)
    assert folded(once) == once


@given(scripts)
def test_what_needs_no_folding_is_what_folding_would_give(text):
    # An accent makes the text take the long way.
    assert folded(f"{text}é") == f"{folded(text)}e"


@given(scripts)
def test_unspaced_scripts_are_parted_at_every_edge(text):
    inside = f"[{UNSPACED}]"
    gap = rf"(?<={inside})(?:(?!{inside})[\W_])+(?={inside})"
    broken = re.sub(gap, f" {BREAK} ", text)
    assert re.sub(f"(?<={inside})|(?={inside})", " ", broken) == spaced(text)


@given(st.lists(scripts))
def test_every_line_is_shaped_as_if_it_were_alone(lines):
    assert shaped("\n".join(lines)) == "\n".join(map(shaped, lines))
