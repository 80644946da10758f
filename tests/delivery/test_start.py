import unicodedata
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.attention.budget import cost
from gitmem.delivery.start import Rendered, start_text
from gitmem.delivery.view import Document, Entry, Layer, TagCount, View

FIXTURES = Path(__file__).parents[2] / "fixtures/delivery"
DOCS = Path(__file__).parents[2] / "docs/delivery.md"
ALL = ("status", "profile", "daily", "index", "files", "tags")
NOBODY = View((), read=lambda _: None, today=date(2026, 3, 2))
OUR_TAGS_PER_BLOCK = 2


def test_the_text_is_this_to_the_letter(view: View) -> None:
    expected = (FIXTURES / "start.txt").read_text(encoding="utf-8")
    assert Rendered(expected.removesuffix("\n")) == start_text(view, ALL)


def test_a_small_budget_gives_this_to_the_letter(view: View) -> None:
    expected = (FIXTURES / "start-900.txt").read_text(encoding="utf-8")
    assert expected.removesuffix("\n") == start_text(view, ALL, 900).text


@pytest.mark.parametrize("name", ["start.txt", "start-900.txt"])
def test_the_documentation_shows_the_real_text(name: str) -> None:
    text = (FIXTURES / name).read_text(encoding="utf-8")
    assert f"```text\n{text}```" in DOCS.read_text(encoding="utf-8")


def test_sections_come_in_the_order_that_is_set(view: View) -> None:
    text = start_text(view, ("tags", "status", "profile")).text
    found = [text.index(f"<memory_{name}") for name in ("tags", "status", "profile")]
    assert sorted(found) == found


def test_status_comes_first_where_it_is_not_named(view: View) -> None:
    text = start_text(view, ("profile",)).text
    assert text.index("<memory_status>") < text.index("<memory_profile")


def test_a_section_named_twice_is_given_once(view: View) -> None:
    assert start_text(view, ("profile", "profile")) == start_text(view, ("profile",))


def test_a_section_that_comes_later_changes_nothing(view: View) -> None:
    assert start_text(view, ("cues", *ALL)) == start_text(view, ALL)


def test_an_empty_memory_is_given_no_text_whatever_the_status(view: View) -> None:
    assert Rendered("") == start_text(replace(view, is_empty=True), ALL)


def test_nothing_to_say_gives_no_fence() -> None:
    assert Rendered("") == start_text(NOBODY, ALL)


def test_a_status_that_needs_the_person_is_given_alone() -> None:
    view = replace(NOBODY, status=("The catalog cannot be read.",))
    assert "The catalog cannot be read." in start_text(view, ALL).text


def test_a_budget_without_room_for_the_fence_gives_nothing_and_says_what(
    view: View,
) -> None:
    rendered = start_text(view, ("files",), 300)
    left = [(each.label, each.count) for each in rendered.left_out]
    assert (
        rendered.text,
        left,
    ) == ("", [("status", 1), ("files global", 1), ("files beacon", 3)])


def test_the_order_in_which_rows_arrive_does_not_show(view: View) -> None:
    turned = replace(
        view,
        layers=tuple(
            replace(layer, entries=layer.entries[::-1], tags=layer.tags[::-1])
            for layer in view.layers
        ),
    )
    assert start_text(view, ALL) == start_text(turned, ALL)


nasty = st.lists(
    st.sampled_from(
        [
            *("<", "</", "＜", "‹", "\n", " ", "\u200b", "\u202e", "\x1b", '"', ">"),
            *("memory_context", "MEMORY_files", "instructions", "mеmory", "- path: x"),
        ]
    )
    | st.text(max_size=6),
    max_size=8,
).map("".join)


def hostile(value: str, other: str, count: int) -> View:
    """Put two hostile values into every field that a view has."""
    layers = tuple(
        Layer(
            folder=folder,
            directory=f"/m/{value}",
            is_shared=folder == "global",
            entries=tuple(
                Entry(
                    PurePosixPath(folder, f"{number}{value.replace('/', '')}.md"),
                    value + other,
                    (value, other),
                    datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number),
                    origin=other,
                )
                for number in range(count)
            ),
            tags=(TagCount(value, 2), TagCount(other, 1)),
        )
        for folder in ("global", "beacon")
    )
    document = Document(f"x{value}\n{other}", origin=value)
    return View(layers, lambda _: document, date(2026, 3, 2), (value, other))


def signs_before_our_names(text: str) -> int:
    folded = unicodedata.normalize("NFKD", text).casefold().replace("‹", "<")
    letters = "".join(c for c in folded if c.isalnum() or c == "<")
    return letters.count("<memory") + letters.count("<instructions")


@settings(max_examples=40)
@given(value=nasty, other=nasty)
def test_no_field_can_close_or_forge_a_tag(value: str, other: str) -> None:
    text = start_text(hostile(value, other, 3), ALL, 1_000_000).text
    fence, blocks = 4, len(ALL) + 3
    assert fence + OUR_TAGS_PER_BLOCK * blocks == signs_before_our_names(text)


@settings(max_examples=40)
@given(value=nasty | st.text(), other=nasty)
def test_no_hidden_character_reaches_the_agent(value: str, other: str) -> None:
    text = start_text(hostile(value, other, 2), ALL).text
    directions = {unicodedata.bidirectional(character) for character in text}
    categories = {
        unicodedata.category(character) for character in text if character not in "\n\t"
    }
    assert (set(), set()) == (
        directions & {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"},
        categories & {"Cc", "Cs", "Zl", "Zp"},
    )


@settings(max_examples=40)
@given(value=nasty, other=nasty, budget=st.integers(0, 4_000))
def test_the_budget_holds_for_any_input(value: str, other: str, budget: int) -> None:
    assert cost(start_text(hostile(value, other, 9), ALL, budget).text) <= budget


@settings(max_examples=40)
@given(value=nasty, other=nasty, budget=st.integers(0, 4_000))
def test_the_same_input_gives_the_same_bytes(
    value: str, other: str, budget: int
) -> None:
    first = start_text(hostile(value, other, 9), ALL, budget)
    again = start_text(hostile(value, other, 9), ALL, budget)
    assert first.text.encode() == again.text.encode()


@settings(max_examples=40)
@given(count=st.integers(1, 60), budget=st.integers(450, 6_000))
def test_listed_and_left_out_files_are_all_files(count: int, budget: int) -> None:
    rendered = start_text(hostile("plain", "words", count), ("files",), budget)
    listed = rendered.text.count("\n- path: ")
    left = [each.count for each in rendered.left_out if each.noun == "memories"]
    assert 2 * count == listed + sum(left)


@pytest.mark.parametrize("budget", [9_500, 5_000, 2_500], ids=str)
def test_a_large_memory_fills_its_budget_and_stays_within(budget: int) -> None:
    text = start_text(hostile("plain", "words", 900), ALL, budget).text
    assert budget - 200 < cost(text) <= budget


def test_where_there_are_packets_the_start_says_how_they_are_recalled(
    view: View,
) -> None:
    plain, told = (
        start_text(each, ALL).text for each in (view, replace(view, has_packets=True))
    )
    rule = "before work that goes on from theirs, call `memory_recall` with its topic"
    assert rule not in plain
    assert rule in told
    assert told == start_text(replace(view, has_packets=True), ALL).text


def test_a_project_that_holds_packets_alone_is_told_of_them() -> None:
    view = replace(NOBODY, has_packets=True)
    text = start_text(view, ALL).text
    assert "`gitmem recall TOPIC`" in text
    assert text.endswith("</memory_context>")
    assert start_text(view, ALL, 100).text == ""
