"""What a memory that is made of a find has in its head."""

from pathlib import PurePosixPath

import pytest

from gitmem.importers.compose import Composed, compose
from gitmem.importers.provenance import origin_of
from gitmem.importers.source import Found
from gitmem.memory.frontmatter.read import read


def made(*lines: str, text: str = "text\n") -> Composed:
    document = "\n".join(["---", *lines, "---", "", text]).encode()
    found = Found("note.md", PurePosixPath("note.md"), raw=document, document=document)
    path = PurePosixPath("beacon/note.md")
    return compose(found, origin_of(found, "folder", "notes"), path, "2026-03-02")


def test_a_description_that_is_torn_is_not_told():
    done = made('description: "unterminated', "tags: [tea]")
    document = read(done.data)

    assert document.fields["description"] == "text"
    assert document.fields["tags"] == ["tea"]
    assert 'description: "unterminated' in document.body_text
    assert "line 2: A quote or bracket of description" in done.warnings[0]


def test_of_tags_that_are_torn_none_is_made():
    done = made('tags: ["[a"', "title: Tea")

    assert done.tags == ()
    assert read(done.data).fields["title"] == "Tea"
    assert 'tags: ["[a"' in read(done.data).body_text


def test_a_file_that_is_nothing_but_a_broken_head_is_called_by_its_name():
    assert read(made('description: "x', text="").data).fields["description"] == "note"


def test_tags_in_one_line_are_taken_out_of_their_quotes():
    assert made("tags: tea, \"green tea\", 'black'").tags == (
        "tea",
        "green tea",
        "black",
    )


def test_what_is_no_tag_is_kept_and_told():
    done = made("tags: [tea, !!]")

    assert done.tags == ("tea",)
    assert read(done.data).fields["imported_tags"] == ["!!"]
    assert done.warnings == ("'!!' is no tag: kept in imported_tags",)


@pytest.mark.parametrize("name", ["created", "updated", "recorded", "review_after"])
def test_a_date_in_another_form_is_said_in_ours(name):
    done = made(f"{name}: 2026/06/09")

    assert read(done.data).fields[name] == "2026-06-09"
    assert done.mapped == (f"{name} -> {name} as YYYY-MM-DD",)
    assert done.warnings == ()


@pytest.mark.parametrize(
    ("written", "ours"),
    [
        ("2026-05-01T08:00:00.000Z", "2026-05-01T08:00:00.000Z"),
        ("2026/5/1T08:00:00Z", "2026-05-01T08:00:00Z"),
        ("2026/5/1 08:30", "2026-05-01 08:30"),
        ("9 June 2027", "2027-06-09"),
    ],
)
def test_a_moment_keeps_its_time(written, ours):
    assert read(made(f"recorded: {written}").data).fields["recorded"] == ours


def test_what_is_no_date_is_kept_and_told():
    done = made("recorded: yesterday")

    assert read(done.data).fields["recorded"] == "yesterday"
    assert done.warnings == ("recorded is no date, and kept as it is: 'yesterday'",)
    assert done.mapped == ()
