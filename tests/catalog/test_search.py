"""A search finds the right memories, says why, and helps when it finds none."""

from pathlib import PurePosixPath

import pytest

from gitmem.catalog.reason import Match
from gitmem.catalog.rows import TagCount
from gitmem.catalog.search import Elsewhere

DEPLOY = """---
description: How the server is deployed
tags: [deploy, serializeConversation]
updated: "2026-02-14"
---
# Shipping

Copy with rsync, then restart the web server.
"""


@pytest.fixture
def shop(house):
    house.put("shop/core/deploy.md", DEPLOY)
    house.put("shop/notes/cache.md", "# Cache\n\nThe cache is redis on the server.\n")
    house.put("global/USER.md", "---\ntags: [me, Deploy]\n---\nPrefers rsync.\n")
    house.refresh()
    return house


def test_best_match_comes_first_with_its_reason_and_place(shop):
    hit = shop.answer("deploy server").hits[0]
    assert PurePosixPath("shop/core/deploy.md") == hit.path
    expected = (
        Match("tags", ("deploy",)),
        Match("description", ("deploy", "server")),
        Match("body", ("server",)),
    )
    assert expected == hit.reason
    assert "Copy with rsync, then restart the web server." == hit.snippet


def test_scores_fall_from_hit_to_hit(shop):
    scores = [hit.score for hit in shop.answer("server rsync").hits]
    assert sorted(scores, reverse=True) == scores


def test_only_the_layers_asked_for_answer_and_others_are_counted(shop):
    answer = shop.answer("rsync", layers=("global",), other_layers=("shop", "none"))
    assert [PurePosixPath("global/USER.md")] == [hit.path for hit in answer.hits]
    assert (Elsewhere("shop", 1),) == answer.elsewhere


def test_limit_bounds_the_hits(shop):
    assert 1 == len(shop.answer("server", limit=1).hits)


@pytest.mark.parametrize(
    "tag",
    ["serializeConversation", "serialize-conversation", "Serialize Conversation"],
)
def test_tag_is_found_in_any_spelling(shop, tag):
    assert ["shop/core/deploy.md"] == shop.found(tag=tag)


def test_tag_gathers_spellings_newest_first(shop):
    assert ["global/USER.md", "shop/core/deploy.md"] == shop.found(tag="DEPLOY")


def test_tag_and_words_must_both_fit(shop):
    assert ["global/USER.md"] == shop.found("prefers server", tag="me")


def test_unknown_tag_brings_the_nearest_and_the_newest(shop):
    answer = shop.answer(tag="deploi")
    assert (TagCount("deploy", "Deploy", 2),) == answer.nearest_tags
    assert 3 == len(answer.newest)


def test_nothing_found_brings_the_newest_and_the_nearest_tags(shop):
    answer = shop.answer("the deploymint", layers=("shop",))
    assert () == answer.hits
    assert ["deploy"] == [each.canonical for each in answer.nearest_tags]
    assert PurePosixPath("shop/notes/cache.md") == answer.newest[0].path


def test_tag_elsewhere_is_counted(shop):
    answer = shop.answer(tag="me", layers=("shop",), other_layers=("global",))
    assert (Elsewhere("global", 1),) == answer.elsewhere


def test_file_that_is_gone_is_no_hit(shop):
    (shop.root / "shop/notes/cache.md").unlink()
    assert ["shop/core/deploy.md"] == shop.found("server")


def test_unfinished_word_is_found_while_typing(shop):
    assert ["shop/core/deploy.md"] == shop.found("resta", is_prefix=True)
    assert [] == shop.found("resta")


def test_long_line_is_cut_round_the_match(house):
    house.put("p/a.md", "before " * 60 + "needle" + " after" * 60)
    house.refresh()
    snippet = house.answer("needle").hits[0].snippet
    assert snippet.startswith("…")
    assert snippet.endswith("…")
    assert "needle" in snippet


def test_snippet_shows_nothing_that_moves_a_terminal(house):
    house.put("p/a.md", "needle \x1b[2J\u202e evil\n")
    house.refresh()
    assert "needle [2J evil" == house.answer("needle").hits[0].snippet


def test_frontmatter_is_no_snippet(house):
    house.put("p/a.md", "---\ndescription: needle here\n---\nbody\n")
    house.refresh()
    hit = house.answer("needle").hits[0]
    assert ((Match("description", ("needle",)),), "") == (hit.reason, hit.snippet)


def test_unspaced_sentence_finds_by_its_parts(house):
    house.put("p/a.md", "我们用备份回滚数据库。")
    house.put("p/b.md", "天气很好。")
    house.refresh()
    assert ["p/a.md"] == house.found("请问如何才能回滚数据库呢")
    assert ["p/a.md"] == house.found("怎么回滚它")


def test_sign_language_names_are_shown_as_typed(house):
    house.put("p/a.md", "The parser is in C++ now.\n")
    house.refresh()
    hit = house.answer("C++").hits[0]
    assert Match("body", ("C++",)) == hit.reason[-1]


def test_huge_file_is_found_by_its_beginning(house):
    house.put("p/a.md", b"needle\n" + b"x" * 5_000_000)
    house.refresh()
    assert ["p/a.md"] == house.found("needle")
