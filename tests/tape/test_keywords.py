"""A keyword is found as a word, in whatever script."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.tape.keywords import match, slug

AT = datetime(2026, 4, 4, 14, 25, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("keyword", "prompt"),
    [
        ("migration", "begin the migration now"),
        ("Migration", "begin the MIGRATION now"),
        ("migration", "migration: begin it"),
        ("tape", "what of the tape-mode?"),
        ("tape", "what of (tape)+anchors"),
        ("straße", "die STRASSE ist gesperrt"),
        ("ﬁle", "rename the file now"),
        ("C++", "port it to C++ today"),
        ("C++", "port it to C++, please"),
        ("C++", "port it all to C++17"),
        ("c#", "port it to C# today"),
        (".NET", "port it to .NET today"),
        ("重构", "请帮我重构这个模块好吗谢谢"),
        ("テープ", "このテープを読んで下さい"),
        ("tape", "このtapeを読んで下さい"),
        ("리팩터링", "지금 리팩터링을 시작하자"),
        ("ต้นฉบับ", "ช่วยอ่านต้นฉบับนี้หน่อย"),
        ("release plan", "the  release\nplan for May"),
        ("naïve", "a nai\u0308ve solution"),
    ],
)
def test_it_is_found(keyword, prompt):
    found = match(prompt, [keyword])

    assert found is not None
    assert found.keywords == (keyword,)


@pytest.mark.parametrize(
    ("keyword", "prompt"),
    [
        ("tape", "a red tapestry hangs"),
        ("tape", "it was videotape then"),
        ("tape", "the tape_reader room"),
        ("C", "port it to C++ today"),
        ("C", "port it to C# today"),
        ("C++", "port it to OC++ today"),
        ("C+", "port it to C++ today"),
        ("nai", "a nai\u0308ve solution"),
        ("migration", "begin the work now"),
        ("  ", "begin the work now"),
    ],
)
def test_it_is_not_found(keyword, prompt):
    assert match(prompt, [keyword]) is None


@pytest.mark.parametrize(
    ("prompt", "is_found"),
    [
        ("tape it al", True),
        ("tape it a", False),
        ("   tape it a   ", False),
        ("tape " + "x" * 295, True),
        ("tape " + "x" * 296, False),
    ],
    ids=["10", "9", "9 and spaces", "300", "301"],
)
def test_a_prompt_is_neither_a_word_nor_a_document(prompt, is_found):
    assert (match(prompt, ["tape"]) is not None) == is_found


def test_the_longest_names_the_anchor():
    found = match("the data migration plan", ["data", "Data Migration", "plan"])

    assert found is not None
    assert found.keywords == ("Data Migration", "data", "plan")
    assert found.anchor_name(AT) == "handoff/keyword-data-migration-142530"


@pytest.mark.parametrize(
    ("keyword", "spelled"),
    [
        ("Data Migration", "data-migration"),
        ("C++", "cplusplus"),
        ("C#", "csharp"),
        ("重构", "重构"),
        ("!!", "word"),
        ("a" * 200, "a" * 60),
    ],
)
def test_a_slug_can_be_part_of_a_name(keyword, spelled):
    assert slug(keyword) == spelled


@given(st.text(max_size=40), st.lists(st.text(max_size=8), max_size=4))
def test_nothing_is_too_strange_to_be_looked_for(prompt, keywords):
    match(prompt, keywords)
