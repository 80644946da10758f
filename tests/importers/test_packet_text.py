"""A packet of pi-warm-memory is read however a model filled its template in."""

import re
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.importers.packet_index import Odd, Reference, references
from gitmem.importers.packet_joined import Sources, joined
from gitmem.importers.packet_text import filled
from gitmem.packets import render

NAME = PurePosixPath("packets/2026/05/2026-05-05T05-47-04.250Z-handoff-auth-work.md")


def packet(text, lines=(), path=NAME):
    return joined(Sources(path, "2026-09-09", filled(text), tuple(lines)))


@pytest.mark.parametrize(
    "line",
    [
        "- Goal: faster",
        "* Goal: faster",
        "Goal: faster",
        "- **Goal:** faster",
        "- **Goal**: faster",
        "__Goal:__ faster",
        "## Goal\nfaster",
        "### Goal:\n\nfaster\n",
        "- goal :  faster",
    ],
)
def test_a_label_may_be_written_in_many_ways(line):
    assert filled(f"# Handoff Packet\n\n{line}\n").text("goal") == "faster"


@pytest.mark.parametrize(
    "line",
    [
        "- Golf: faster",
        "- The goal: faster",
        "- **Goal** faster",
        "    Goal of it",
        "Goal",
    ],
)
def test_what_is_no_label_stays_where_it_stands(line):
    found = filled(f"# Handoff Packet\n- Topic: t\n{line}\n")
    assert set(found.said) == {"topic"}
    assert line in "\n".join([*found.said["topic"], *found.others])


def test_a_label_counts_once_and_never_in_a_code_block():
    text = (
        "- Decisions Made:\n- Goal: x\n```\n- Tags: no\n```\n- Goal: y\n- Tags: yes\n"
    )
    found = filled(text)
    assert found.text("goal") == "x\n```\n- Tags: no\n```\n- Goal: y"
    assert found.tags() == ("yes",)


def test_a_code_block_that_never_ends_takes_no_label():
    found = filled("- Goal: g\n```\n- Tags: a\n- Blockers: b\n")
    assert (found.tags(), found.text("blockers")) == (("a",), "b")


def test_a_code_block_may_begin_beside_a_label():
    found = filled("- Commands Run: ```\n- Tags: no\n```\n- Tags: yes\n")
    assert found.tags() == ("yes",)


@pytest.mark.parametrize(
    ("written", "items"),
    [
        ("\n  - a\n  - b", ("a", "b")),
        ("\n- a\n- b", ("a", "b")),
        ("\n1. a\n2) b", ("a", "b")),
        (" a", ("a",)),
        ("\n  - a\n    - deeper\n  - b", ("a\n    - deeper", "b")),
        ("\n  - a\n    more of it", ("a\n    more of it",)),
        ("\n  - ```\n    - x\n    ```", ("```\n    - x\n    ```",)),
        (" none", ()),
        (" N/A.", ()),
        ("\n  - None", ()),
        ("", ()),
    ],
)
def test_a_list_is_read_by_its_bullets(written, items):
    assert filled(f"- Commands Run:{written}\n- Tags: a\n").items("commands") == items


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("a, b", ("a", "b")),
        ("#a #b", ("a", "b")),
        ("[a, `b`]", ("a", "b")),
        ("\n  - a\n  - b c", ("a", "b c")),
        ("検索、性能，x", ("検索", "性能", "x")),
        ("c#, two words", ("c#", "two words")),
        ("none", ()),
    ],
)
def test_tags_are_told_apart(written, tags):
    assert filled(f"- Tags: {written}\n").tags() == tags


@pytest.mark.parametrize(
    ("written", "files", "others"),
    [
        ("`src/a.ts`, src/b c.ts", ("src/a.ts", "src/b c.ts"), ()),
        ("src/a.ts (new)", ("src/a.ts",), ("src/a.ts (new)",)),
        ("`src/a.ts` — moved", ("src/a.ts",), ("`src/a.ts` — moved",)),
        ("[a](src/a.ts)", ("src/a.ts",), ("[a](src/a.ts)",)),
        ("/etc/passwd", (), ("/etc/passwd",)),
        ("../x.ts", (), ("../x.ts",)),
        ("C:\\x.ts", (), ("C:\\x.ts",)),
        ("none", (), ()),
    ],
)
def test_a_file_outside_is_noted_and_not_listed(written, files, others):
    assert filled(f"- Files Touched: {written}\n").files() == (files, others)


def test_an_item_of_very_many_lines_takes_no_time():
    found = filled("- Decisions Made:\n  - a\n" + "    b\n" * 200_000)
    assert len(found.items("decisions")[0].split("\n")) == 200_001


def test_the_kind_is_told_by_title_fields_index_or_name():
    assert packet("# Checkpoint Packet\n- Topic: t")[0].told.kind == "checkpoint"
    assert packet("- Current Risk: high")[0].told.kind == "checkpoint"
    line = Reference(1, "x", {"packetKind": "checkpoint"})
    assert packet("- Topic: t\n", (), PurePosixPath("x.md"))[0].told.kind == "handoff"
    assert packet("text", [line], PurePosixPath("x.md"))[0].told.kind == "checkpoint"
    named = NAME.with_name(NAME.name.replace("handoff", "checkpoint"))
    assert packet("text", (), named)[0].told.kind == "checkpoint"


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("- Timestamp: 2026-05-06T10:00:00Z", NAME, "2026-05-06T10:00:00+00:00"),
        ("- Timestamp: 2026-05-06T12:00:00+02:00", NAME, "2026-05-06T10:00:00+00:00"),
        ("- Topic: t", NAME, "2026-05-05T05:47:04.250000+00:00"),
        (
            "- Timestamp: May 6, 2026",
            PurePosixPath("x.md"),
            "2026-05-06T00:00:00+00:00",
        ),
        ("- Topic: t", PurePosixPath("2026-04-01-x.md"), "2026-04-01T00:00:00+00:00"),
        ("- Topic: t", PurePosixPath("x.md"), "2026-09-09T00:00:00+00:00"),
    ],
)
def test_the_moment_is_found_wherever_it_is_said(text, path, expected):
    assert packet(text, (), path)[0].at.isoformat() == expected


def test_where_text_and_index_differ_both_stay():
    line = Reference(
        4,
        "x",
        {
            "topic": "another topic",
            "summary": "Said otherwise.",
            "tags": ["B", "c"],
            "files": ["b.ts", "/etc/passwd"],
            "repo": "beacon",
            "threadId": "t1",
        },
    )
    text = "- Topic: one\n- Tags: a, b\n- Files Touched: a.ts\n- Compact Summary: S."
    found, notes = packet(text, [line])
    assert (found.told.topic, found.told.summary) == ("one", "S.")
    assert found.told.tags == ("a", "b", "c")
    assert found.told.files == ("a.ts", "b.ts")
    assert (found.origin.repo, found.origin.session) == ("beacon", "t1")
    assert "In the index, topic: another topic" in notes
    assert "In the index, summary: Said otherwise." in notes
    assert "- /etc/passwd" in notes


def test_what_the_index_says_beyond_its_fields_stands_in_the_notes():
    line = Reference(4, "x", {"mood": "good", "tries": [1, 2], "timestamp": 1790000000})
    found, notes = packet("- Topic: t\n", [line], PurePosixPath("x.md"))
    assert notes == "In the index, mood: good\n\nIn the index, tries: [1, 2]"
    assert found.at.isoformat() == "2026-09-21T14:13:20+00:00"


def test_where_text_and_index_name_another_session_both_stay():
    line = Reference(4, "x", {"repo": "beacon", "threadId": "t1", "cwd": "/a/beacon"})
    text = "- Thread ID: t2\n- Repo/CWD: lantern (/b/lantern)\n- Topic: t"
    found, notes = packet(text, [line])
    assert (found.origin.session, found.origin.repo) == ("t2", "beacon")
    assert "Repo: lantern (/b/lantern)" in notes
    assert "In the index, threadId: t1" in notes


def test_half_a_character_of_the_index_spoils_nothing():
    (line,) = references(b'{"kind":"packet-ref","path":"x.md","topic":"a \\ud800 b"}')
    found, _ = packet("text", [line])
    assert found.told.topic == "a ? b"


def test_more_than_a_title_is_noted():
    found, notes = packet("# Checkpoint Packet: the auth work\n- Current Task: t\n")
    assert found.told.kind == "checkpoint"
    assert notes == "# Checkpoint Packet: the auth work"


def test_what_a_kind_has_no_field_for_stands_in_its_notes():
    text = "# Checkpoint Packet\n- Current Task: t\n- Goal: g\n\n## More\nwords\n"
    assert packet(text)[1] == "## More\nwords\n\nGoal: g"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{not json", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b"\xff", "it is not JSON"),
        (b'["a"]', "it is no object"),
        (b'{"kind":"note"}', "it names no packet"),
        (b'{"kind":"packet-ref"}', "it names no packet"),
        (b'{"kind":"packet-ref","path":"/etc/passwd"}', "leads out of the store"),
        (b'{"kind":"packet-ref","path":"a/../../b"}', "leads out of the store"),
        (b'{"kind":"packet-ref","path":"a\\\\b"}', "leads out of the store"),
        (b'{"kind":"packet-ref","path":"a\\u0000b"}', "leads out of the store"),
    ],
)
def test_a_line_of_the_index_that_is_none_says_why(line, reason):
    (found,) = references(line + b"\n\n")
    assert isinstance(found, Odd)
    assert reason in found.reason


def test_the_header_of_the_index_is_no_packet():
    assert list(references(b'{"version":1,"kind":"thread-index","entries":[]}\n')) == []


WORD = re.compile(r"\w+")
LINES = st.sampled_from(
    [
        *("# Handoff Packet", "- Topic: alpha", "- Goal: bravo", "- Tags: charlie"),
        *("- Decisions Made:", "  - delta", "    echo", "## Other", "foxtrot", "```"),
        *(
            "- Files Touched: golf.ts",
            "  - /hotel",
            "- Current Task: india",
            "# Juliet",
        ),
        *("- Compact Summary: kilo", "- Blockers: lima", "- Current Risk: mike"),
    ]
)


@given(st.lists(LINES, max_size=20))
def test_no_word_of_a_packet_is_lost(lines):
    text = "\n".join(lines)
    found, notes = packet(text)
    kept = set(WORD.findall(f"{render.document(found).decode()} {notes}"))
    labels = set(WORD.findall("Handoff Packet Topic Goal Tags Decisions Made Files"))
    labels |= set(WORD.findall("Touched Current Task Compact Summary Blockers Risk"))
    assert set(WORD.findall(text)) - labels <= kept
