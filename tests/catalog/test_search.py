"""A search finds the right memories, says why, and helps when it finds none."""

import os
from datetime import UTC, datetime
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
        Match("path", ("deploy",)),
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
    assert ["shop/core/deploy.md"] == shop.found(tags=(tag,))


def test_tag_gathers_spellings_newest_first(shop):
    assert ["global/USER.md", "shop/core/deploy.md"] == shop.found(tags=("DEPLOY",))


def test_tag_and_words_must_both_fit(shop):
    assert ["global/USER.md"] == shop.found("prefers server", tags=("me",))


@pytest.mark.parametrize(
    ("tags", "found"),
    [
        (("deploy", "me"), ["global/USER.md"]),
        (("me", "DEPLOY", "Deploy"), ["global/USER.md"]),
        (("deploy", "none"), []),
    ],
    ids=["both", "spellings", "one is unknown"],
)
def test_of_several_tags_a_memory_carries_each(shop, tags, found):
    assert found == shop.found(tags=tags)
    assert found == shop.found("rsync", tags=tags)


def test_unknown_tag_brings_the_nearest_and_the_newest(shop):
    answer = shop.answer(tags=("deploi",))
    assert (TagCount("deploy", "Deploy", 2),) == answer.nearest_tags
    assert 3 == len(answer.newest)


def test_nothing_found_brings_the_newest_and_the_nearest_tags(shop):
    answer = shop.answer("the deploymint", layers=("shop",))
    assert () == answer.hits
    assert ["deploy"] == [each.canonical for each in answer.nearest_tags]
    assert PurePosixPath("shop/notes/cache.md") == answer.newest[0].path


def test_tag_elsewhere_is_counted(shop):
    answer = shop.answer(tags=("me",), layers=("shop",), other_layers=("global",))
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


NOTE = "---\ndescription: what it says\n---\n"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        pytest.param("🚀", ("🚀",), id="emoji"),
        pytest.param("🚀launch", ("🚀", "launch"), id="beside a word"),
        pytest.param("🇩🇪", ("🇩🇪",), id="flag"),
        pytest.param("⚠", ("⚠",), id="in another style"),
        pytest.param("👍🏽", ("👍",), id="in another colour"),
    ],
)
def test_emoji_in_a_title_is_found(house, query, words):
    house.put("p/a.md", f"{NOTE}# 🚀 Launch 🇩🇪 ⚠\ufe0f 👍\n")
    house.put("p/b.md", f"{NOTE}# Other 🇫🇷🔥\n")
    house.refresh()
    (hit,) = house.answer(query).hits
    assert Match("title", words) == hit.reason[0]


def test_emoji_is_searched_for_beside_words_that_say_nothing(house):
    house.put("p/a.md", f"{NOTE}🔥 it\n")
    house.put("p/b.md", f"{NOTE}what is it\n")
    house.refresh()
    assert ["p/a.md"] == house.found("what is 🔥")


@pytest.mark.parametrize("query", ["heading", "Headings", "notes", "release plan"])
def test_file_is_found_by_its_name(house, query):
    house.put("p/notes/heading-releasePlan.md", f"{NOTE}text\n")
    house.put("notes/other/a.md", f"{NOTE}text\n")
    house.refresh()
    (hit,) = house.answer(query).hits
    assert (PurePosixPath("p/notes/heading-releasePlan.md"), "path") == (
        hit.path,
        hit.reason[0].field,
    )


def test_name_of_a_file_counts_less_than_its_text(house):
    house.put("p/deploy.md", f"{NOTE}text\n")
    house.put("p/other.md", f"{NOTE}deploy\n")
    house.refresh()
    assert ["p/other.md", "p/deploy.md"] == house.found("deploy")


@pytest.mark.parametrize(
    "query", ["Übergröße", "ÜBERGRÖSSE", "übergrösse", "ubergrosse"]
)
def test_sharp_s_is_found_as_two_and_the_place_is_shown(house, query):
    house.put("p/a.md", f"{NOTE}Die Übergröße passt.\n")
    house.refresh()
    (hit,) = house.answer(query).hits
    assert ((Match("body", (query,)),), "Die Übergröße passt.") == (
        hit.reason,
        hit.snippet,
    )


COPY = "p/a.conflict-0a1b2c3d.md"


def test_entry_of_a_log_counts_for_the_word_beside_it(house):
    house.put("p/talk-1.md", f"{NOTE}How did the deploy of the shop go?\n")
    house.put("p/talk-2.md", f"{NOTE}Good, Ann was quick.\n")
    house.put("p/other-9.md", f"{NOTE}Ann is away.\n")
    house.refresh()
    hits = house.answer("ann shop").hits
    answered = (Match("body", ("ann",)), Match("beside", ("shop",)))
    assert {str(hit.path): hit.reason for hit in hits}["p/talk-2.md"] == answered
    assert ["p/talk-1.md", "p/talk-2.md", "p/other-9.md"] == [
        str(hit.path) for hit in hits
    ]


def test_long_entry_of_a_log_speaks_for_itself(house):
    house.put("p/talk-1.md", f"{NOTE}How did the deploy go?\n{'And so on. ' * 100}\n")
    house.put("p/talk-2.md", f"{NOTE}Good, Ann was quick.\n")
    house.refresh()
    hits = house.answer("ann deploy").hits
    assert {str(hit.path): hit.reason for hit in hits}["p/talk-2.md"] == (
        Match("body", ("ann",)),
    )


def test_entry_beside_another_is_held_to_the_tags_asked_for(house):
    house.put("p/talk-1.md", "---\ntags: [shop]\n---\nThe deploy went well.\n")
    house.put("p/talk-2.md", f"{NOTE}The deploy took an hour.\n")
    house.refresh()
    assert ["p/talk-1.md"] == house.found("deploy hour", tags=("shop",))


def test_copy_of_a_conflict_never_stands_above_its_memory(house):
    house.put("p/a.md", f"{NOTE}one server among many other words\n")
    house.put(COPY, "---\ndescription: server\ntags: [server]\n---\n# Server\n")
    house.put("p/b.md", f"{NOTE}server by server\n")
    house.refresh()
    hits = house.answer("server").hits
    assert ["p/b.md", "p/a.md", COPY] == [str(hit.path) for hit in hits]
    assert hits[1].score >= hits[2].score


def test_note_is_not_better_for_being_shorter(house):
    house.put("p/long.md", f"{NOTE}The server and {'all that it needs ' * 12}\n")
    house.put("p/short.md", f"{NOTE}The server!\n")
    house.refresh()
    first, second = house.answer("server").hits
    assert first.score == second.score


def test_text_of_many_pages_is_worse_for_being_long(house):
    house.put("p/a.md", f"{NOTE}The server {'and what else there is ' * 200}\n")
    house.put("p/b.md", f"{NOTE}The server {'and what else there is ' * 30}\n")
    house.refresh()
    assert ["p/b.md", "p/a.md"] == house.found("server")


def test_copy_of_a_conflict_stands_below_what_is_as_good(house):
    house.put(COPY, f"{NOTE}server\n")
    house.put("p/b.md", f"{NOTE}server\n")
    house.refresh()
    assert ["p/b.md", COPY] == house.found("server")


def test_copy_of_a_conflict_comes_last_under_a_tag(house):
    house.put(COPY, "---\ntags: [x]\nupdated: 2026-01-02\n---\n")
    house.put("p/a.md", "---\ntags: [x]\nupdated: 2026-01-01\n---\n")
    house.refresh()
    assert ["p/a.md", COPY] == house.found(tags=("x",))
    assert ["p/a.md"] == house.found(tags=("x",), limit=1)


def put_at(house, text: str, hours: dict[str, int]) -> None:
    for path, hour in hours.items():
        os.utime(house.put(path, text), 2 * (at(hour),))


@pytest.mark.parametrize(
    ("hours", "expected"),
    [((3, 1, 2), ["p/a.md", "p/c.md", "p/b.md"]), ((1, 2, 3), ["p/c.md", "p/b.md"])],
    ids=["first", "last"],
)
def test_newest_memories_are_those_written_last_that_day_without_claims(
    house, hours, expected
):
    head = "---\ndescription: d\nupdated: 2026-01-02\n---\n"
    times = dict(zip(("p/a.md", "p/b.md", "p/c.md"), hours, strict=True))
    moments = {"p/PROJECT.md": 4, **times}
    put_at(house, head, moments)
    house.refresh()
    newest = [str(row.path) for row in house.answer("zebra").newest]
    assert expected == newest[: len(expected)]
    assert 3 == len(newest)


def at(hour):
    return datetime(2026, 1, 2, hour, tzinfo=UTC).timestamp()


def test_credential_near_the_words_found_is_not_shown(house):
    token = "ghp_" + "aB3dE6gH9j" * 3 + "aB3dE6"
    house.put("beacon/core/s.md", f"zzword {token}\n")
    house.refresh()

    (hit,) = house.answer("zzword").hits
    assert hit.snippet == "zzword ghp_"
