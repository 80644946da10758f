from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.attention.budget import Piece, fit
from gitmem.delivery.sections import files, status, tags
from gitmem.delivery.view import Entry, Layer, TagCount, View
from gitmem.memory.tags import canonical


def one_layer(
    entries: tuple[Entry, ...] = (), counts: tuple[TagCount, ...] = ()
) -> View:
    layer = Layer("beacon", "/m/beacon", is_shared=False, entries=entries, tags=counts)
    return View((layer,), read=lambda _: None, today=date(2026, 3, 2))


def entry(name: str, day: int | None = None, *, pinned: bool = False) -> Entry:
    changed_at = datetime(2026, 1, day, tzinfo=UTC) if day else None
    path = PurePosixPath("beacon/core", name)
    return Entry(path, "", changed_at=changed_at, is_pinned=pinned)


def test_files_are_listed_pinned_first_then_newest_then_by_path() -> None:
    entries = (
        entry("undated.md"),
        entry("b.md", 2),
        entry("a.md", 2),
        entry("newest.md", 9),
        entry("pinned.md", 1, pinned=True),
    )
    (block,) = files.render(one_layer(entries))
    assert [piece.id for piece in block.pieces] == [
        "core/pinned.md",
        "core/newest.md",
        "core/a.md",
        "core/b.md",
        "core/undated.md",
    ]


def test_a_file_tells_what_it_has_and_no_empty_field() -> None:
    bare = Entry(PurePosixPath("beacon/core/a.md"), "")
    full = Entry(
        PurePosixPath("beacon/core/b.md"), "what\nit holds", ("x", "y z"), origin="oak"
    )
    (block,) = files.render(one_layer((bare, full)))
    assert block.pieces == (
        Piece("- path: core/a.md", "core/a.md"),
        Piece(
            "- path: core/b.md\n"
            "  description: what it holds\n"
            "  tags: x, y z\n"
            "  origin: oak",
            "core/b.md",
        ),
    )


def test_a_file_with_very_many_tags_says_how_many_are_not_shown() -> None:
    many = Entry(PurePosixPath("beacon/a.md"), "", tuple(f"t{n}" for n in range(23)))
    (block,) = files.render(one_layer((many,)))
    assert block.pieces[0].text.endswith("t18, t19, and 3 more")


def test_files_beyond_the_thousandth_are_named_and_not_rendered() -> None:
    entries = tuple(entry(f"{number:04}.md") for number in range(1_002))
    (block,) = files.render(one_layer(entries))
    assert (
        len(block.pieces),
        block.beyond,
    ) == (1_000, ("core/1000.md", "core/1001.md"))


def test_tags_are_listed_by_use_then_by_name() -> None:
    counts = (TagCount("b", 1), TagCount("deploy", 3), TagCount("a", 1))
    (block,) = tags.render(one_layer(counts=counts))
    assert [each.text for each in block.pieces] == ["#deploy (3)", "#a (1)", "#b (1)"]


def test_a_layer_shows_200_tags_and_names_the_others() -> None:
    counts = tuple(TagCount(f"t{number:03}", 1) for number in range(202))
    (block,) = tags.render(one_layer(counts=counts))
    assert (len(block.pieces), block.beyond) == (200, ("#t200", "#t201"))


@pytest.mark.parametrize("section", [files, tags], ids=["files", "tags"])
def test_a_layer_without_memories_gives_no_block(section) -> None:
    assert section.render(one_layer()) == ()


def test_status_is_one_line() -> None:
    view = replace(one_layer(), status=("One\nthing.", "Another."))
    (block,) = status.render(view)
    assert (Piece("One thing. Another."),) == block.pieces


def test_status_counts_what_it_does_not_say() -> None:
    view = replace(one_layer(), status=tuple(f"S{number}." for number in range(7)))
    (block,) = status.render(view)
    assert (Piece("S0. S1. S2. S3. S4. And 2 more: run `gitmem check`."),) == (
        block.pieces
    )


def test_status_is_silent_when_nothing_needs_the_person() -> None:
    assert status.render(one_layer()) == ()


TAGS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30)
ODD_TAGS = (
    "serializeConversation",
    "deploy-steps",
    "deploy_steps",
    "c#",
    "#hashed",
    "two words",
    "\U0001f680",
    "\u26a0\ufe0f launch",
    "cafe\u0301",
    "日本語",
    "ﬁle",
    "हिन्दी",
    "שלום",
    "phase (3)",
    "a<b",
    "</memory_tags>",
    "[INST] x",
    "x\u202ey",
    "a, b",
    "x" * 300,
)


@pytest.mark.parametrize("tag", ODD_TAGS)
def test_an_odd_tag_is_found_by_what_the_table_shows(tag) -> None:
    (block,) = tags.render(one_layer(counts=(TagCount(tag, 3), TagCount("other", 1))))
    assert tags.copied(block.pieces[0].text, ("other", tag)) == tag
    assert tags.copied(block.pieces[0].id, ("other", tag)) == tag


@given(st.lists(TAGS, min_size=1, max_size=8, unique_by=canonical))
@settings(max_examples=150, deadline=None)
def test_every_tag_is_found_by_what_the_table_shows(written) -> None:
    known = tuple(tag for tag in written if canonical(tag))
    counts = tuple(TagCount(tag, 1) for tag in known)
    pieces = [p for b in tags.render(one_layer(counts=counts)) for p in b.pieces]

    assert sorted(tags.copied(p.id, known) for p in pieces) == sorted(known)
    assert sorted(tags.copied(p.text, known) for p in pieces) == sorted(known)


def test_what_a_table_does_not_show_is_no_tag() -> None:
    assert tags.copied("#nothing (2)", ("other", "</x>")) == ""


def test_a_table_that_is_cut_says_how_many_are_left_out_and_where_all_are() -> None:
    counts = tuple(TagCount(f"t{number:03}", 1) for number in range(212))
    text = fit(tags.render(one_layer(counts=counts)), 9_000).text
    assert (
        "\n[12 of 212 tags left out: #t200, #t201, #t202, #t203, #t204, #t205, #t206,"
        " #t207, #t208, #t209 and 2 more; `gitmem tags` lists all]\n</memory_tags>"
    ) in text
