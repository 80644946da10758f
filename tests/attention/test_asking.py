"""A prompt is read whole, and widened only where it says little."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.attention.asking import TURN_CHARACTERS, ask, is_thin, looked_for, phrases

EARLIER = ("Where do I sleep in Oslo?", "There is a hotel. Shall I book it?")


@pytest.mark.parametrize(
    "prompt", ["book it", "yes", "go on please", "how do we deploy", "", "部署"]
)
def test_a_thin_prompt_says_little(prompt):
    assert is_thin(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "refactor the yaml parser to dataclasses",
        "src/deploy.py raises KeyError",
        "请告诉我生产环境怎么部署",
    ],
)
def test_a_prompt_with_words_of_its_own_is_not_thin(prompt):
    assert not is_thin(prompt)


def test_a_thin_prompt_is_widened_by_the_latest_turns_first():
    assert ask("book it", EARLIER).before == f"{EARLIER[1]}\n{EARLIER[0]}"


def test_a_prompt_that_says_enough_stands_alone():
    assert ask("refactor the yaml parser to dataclasses", EARLIER).before == ""


def test_the_prompt_itself_is_no_earlier_turn():
    assert ask("book it", (*EARLIER, "book it")).before.startswith("There is")


def test_of_a_long_turn_its_end_counts():
    asking = ask("yes", ["x" * 9_000 + " Shall I book it?"])

    assert len(asking.before) == TURN_CHARACTERS
    assert asking.before.endswith("Shall I book it?")


def test_nothing_said_is_nothing_asked():
    assert ask("  ", EARLIER).before == ""


def test_phrases_are_words_side_by_side_by_canonical_key():
    found = phrases("Roll-back the Staging box!")

    assert found["rollback"] == "Roll-back"
    assert found["stagingbox"] == "Staging box"
    assert found["box"] == "box"
    assert "the" not in found


def test_names_with_signs_stay_whole():
    assert {"c++", "c#", "f#"} <= phrases("C++ or C#, F#?").keys()


def test_words_are_cut_out_of_a_script_without_spaces():
    assert {"部署", "设备"} <= phrases("请部署设备").keys()


def test_everyday_words_are_looked_for_only_alone():
    assert looked_for("please fix the parser") == ("parser", True)
    assert looked_for("run the tests") == ("run the tests", False)


@given(st.text(max_size=300), st.lists(st.text(max_size=200), max_size=5))
def test_no_text_breaks_it_and_the_same_gives_the_same(prompt, earlier):
    assert ask(prompt, earlier) == ask(prompt, earlier)
    assert "" not in ask(prompt, earlier).keys


def test_half_of_a_character_is_taken_for_none():
    asking = ask("yes \ud800", ["deploy \udcff to oslo"])

    assert asking.now == "yes ?"
    assert asking.before == "deploy ? to oslo"
