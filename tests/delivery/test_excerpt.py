from collections.abc import Callable

import pytest

from gitmem.attention.budget import Block, Piece
from gitmem.delivery.sections import daily, index, profile
from gitmem.delivery.view import View

Reading = Callable[[str, str], View]
KIBIBYTE = 1024


def sizes(blocks: tuple[Block, ...]) -> list[tuple[int, int]]:
    """Say of each block how many lines it shows and how many it withholds."""
    return [(len(block.pieces), len(block.beyond)) for block in blocks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x" * (8 * KIBIBYTE), (1, 0)),
        ("x" * (8 * KIBIBYTE + 1), (0, 1)),
        ("abc\n" * (2 * KIBIBYTE), (2 * KIBIBYTE, 0)),
        ("abc\n" * (2 * KIBIBYTE + 1), (2 * KIBIBYTE, 1)),
        ("设" * 2730 + "\n", (1, 0)),
        ("设" * 2731 + "\n", (0, 1)),
        ("a\n" + "x" * (8 * KIBIBYTE) + "\nb\n", (1, 2)),
    ],
    ids=[
        "one-line-of-8-KiB",
        "one-byte-more",
        "lines-of-8-KiB",
        "one-line-more",
        "cjk-counts-bytes",
        "cjk-over",
        "nothing-after-the-cut",
    ],
)
def test_a_profile_is_whole_up_to_eight_kibibytes(
    text: str, expected: tuple[int, int], reading: Reading
) -> None:
    assert [expected] == sizes(profile.render(reading("global/USER.md", text)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("line\n" * 200, (200, 0)),
        ("line\n" * 201, (200, 1)),
        ("x" * 24_999 + "\n" + "\n".join("ab"), (1, 2)),
        ("x" * 24_998 + "\na\nb", (2, 1)),
        ("设" * 25_000, (1, 0)),
        ("设" * 25_001, (0, 1)),
    ],
    ids=["200-lines", "201-lines", "full", "one-more-fits", "cjk", "cjk-over"],
)
def test_an_index_shows_200_lines_and_25_000_characters(
    text: str, expected: tuple[int, int], reading: Reading
) -> None:
    assert [expected] == sizes(index.render(reading("global/MEMORY.md", text)))


def test_the_note_of_the_day_is_the_one_of_the_views_day(reading: Reading) -> None:
    assert sizes(daily.render(reading("global/daily/2026-03-02.md", "x"))) == [(1, 0)]


def test_the_note_of_another_day_is_not_given(reading: Reading) -> None:
    assert daily.render(reading("global/daily/2026-03-01.md", "x")) == ()


@pytest.mark.parametrize("text", ["", "\n\n", " \t\r\n"], ids=repr)
def test_a_blank_file_gives_nothing(text: str, reading: Reading) -> None:
    assert profile.render(reading("global/USER.md", text)) == ()


def test_blank_lines_around_a_text_are_dropped_and_those_inside_stay(
    reading: Reading,
) -> None:
    (block,) = profile.render(reading("global/USER.md", "\r\n\na\r\n\r\n  b\n\n"))
    assert (Piece("a"), Piece(""), Piece("  b")) == block.pieces


def test_a_project_has_no_profile_of_the_person(view: View) -> None:
    only_project = View(view.layers[1:], view.read, view.today)
    assert profile.render(only_project) == ()


def test_a_mark_that_spans_two_lines_is_escaped(reading: Reading) -> None:
    (block,) = profile.render(reading("global/USER.md", "a <\n/memory_profile>"))
    assert (Piece("a &lt;"), Piece("/memory_profile>")) == block.pieces
