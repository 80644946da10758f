import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.attention.budget import Block, Fitted, LeftOut, Piece, cost, fit


def numbered(label: str, count: int, size: int = 20) -> Block:
    return Block(
        label=label,
        noun="notes",
        head=f"<{label}>",
        pieces=tuple(
            Piece(f"{label}{number}".ljust(size, "."), f"{label}{number}")
            for number in range(count)
        ),
        tail=f"</{label}>",
    )


def test_blocks_that_fit_are_joined_as_they_are() -> None:
    fitted = fit([numbered("a", 1, 3), numbered("b", 2, 3)], 100)
    assert Fitted("<a>\na0.\n</a>\n<b>\nb0.\nb1.\n</b>", ()) == fitted


def test_blocks_that_fit_to_the_last_character_are_not_cut() -> None:
    blocks = [numbered("a", 1, 3), numbered("b", 2, 3)]
    whole = fit(blocks, 1000).text
    assert whole == fit(blocks, len(whole)).text


def test_the_first_block_is_served_first_and_the_later_one_is_still_mentioned() -> None:
    fitted = fit([numbered("a", 9), numbered("b", 9)], 210)
    assert fitted.text == (
        "<a>\n"
        "a0..................\n"
        "a1..................\n"
        "a2..................\n"
        "a3..................\n"
        "a4..................\n"
        "a5..................\n"
        "[3 of 9 notes left out: a6, a7, a8]\n"
        "</a>\n"
        "[b: 9 of 9 notes left out]"
    )


def test_what_is_left_out_is_counted_and_named() -> None:
    fitted = fit([numbered("a", 4)], 80)
    assert fitted.left_out == (
        LeftOut(label="a", noun="notes", count=3, total=4, ids=("a1", "a2", "a3")),
    )


def test_only_the_first_names_are_written_and_the_others_counted() -> None:
    text = fit([numbered("a", 30)], 200).text
    names = "a5, a6, a7, a8, a9, a10, a11, a12, a13, a14"
    assert f"[25 of 30 notes left out: {names} and 15 more]" in text


def test_names_that_are_long_give_way() -> None:
    block = Block("a", "notes", "<a>", (Piece("x" * 500, "n" * 300),), "</a>")
    assert fit([block], 100).text == "<a>\n[1 of 1 notes left out]\n</a>"


def test_what_a_section_withheld_by_itself_is_told_too() -> None:
    block = Block("a", "lines", "<a>", (Piece("one"),), "</a>", beyond=("", ""))
    assert fit([block], 100) == Fitted(
        "<a>\none\n[2 of 3 lines left out]\n</a>", (LeftOut("a", "lines", 2, 3, ()),)
    )


def test_without_room_for_a_line_a_block_everything_is_summed_up() -> None:
    fitted = fit([numbered("a", 3), numbered("b", 4)], 50)
    assert fitted.text == "[no room for anything: 7 notes left out]"


@pytest.mark.parametrize("budget", [0, -1, -9_999, 10], ids=str)
def test_a_budget_too_small_for_any_word_gives_no_text(budget: int) -> None:
    fitted = fit([numbered("a", 3)], budget)
    assert (fitted.text, fitted.left_out[0].count) == ("", 3)


def test_no_blocks_give_no_text() -> None:
    assert Fitted("", ()) == fit([], 100)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("abc", 3), ("héé", 3), ("设备", 2), ("🙂", 2), ("\ud800", 1), ("", 0)],
    ids=["ascii", "accents", "cjk", "emoji-is-two", "half-a-character", "empty"],
)
def test_characters_are_counted_as_hosts_count_them(text: str, expected: int) -> None:
    assert expected == cost(text)


def block_from(label: str, texts: list[str], beyond: int) -> Block:
    return Block(
        label=label,
        noun="notes",
        head=f"<{label}>",
        pieces=tuple(
            Piece(text, f"{label}-{number}") for number, text in enumerate(texts)
        ),
        tail=f"</{label}>",
        beyond=tuple(f"{label}-beyond-{number}" for number in range(beyond)),
    )


blocks_of_any_shape = st.lists(
    st.builds(
        block_from,
        st.text(max_size=30),
        st.lists(st.text(max_size=60), max_size=12),
        st.integers(0, 5),
    ),
    max_size=6,
)


@given(blocks=blocks_of_any_shape, budget=st.integers(-10, 600))
def test_the_budget_is_never_exceeded(blocks: list[Block], budget: int) -> None:
    assert cost(fit(blocks, budget).text) <= max(budget, 0)


@given(
    counts=st.lists(st.integers(0, 20), min_size=1, max_size=5),
    budget=st.integers(0, 900),
)
def test_what_is_shown_and_what_is_left_out_are_everything(
    counts: list[int], budget: int
) -> None:
    blocks = [numbered(chr(97 + at), count) for at, count in enumerate(counts)]
    fitted = fit(blocks, budget)
    every = [piece for block in blocks for piece in block.pieces]
    lines = set(fitted.text.split("\n"))
    shown = [piece.id for piece in every if piece.text in lines]
    left = [name for block in fitted.left_out for name in block.ids]
    assert sorted(piece.id for piece in every) == sorted(shown + left)
