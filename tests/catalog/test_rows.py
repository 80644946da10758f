"""Rows answer without the full text."""

from datetime import UTC, datetime
from pathlib import PurePosixPath

import pytest

from gitmem.catalog import rows
from gitmem.catalog.rows import Row, TagCount

OLD = '---\ndescription: old\ntags: [x, My-Tag]\nupdated: "2024-01-01"\n---\n'
NEW = '---\ndescription: new\ntags: [myTag]\nupdated: "2026-01-01"\n---\n'


@pytest.fixture
def filled(house):
    house.put("p/core/old.md", OLD)
    house.put("p/notes/new.md", NEW)
    house.put("q/core/core/new.md", NEW)
    house.refresh()
    return house.catalog


def names(found) -> list[str]:
    return [str(row.path) for row in found]


def test_row_tells_what_the_file_says(filled):
    expected = Row(
        path=PurePosixPath("p/core/old.md"),
        layer="p",
        description="old",
        title="",
        tags=("x", "My-Tag"),
        created="",
        updated="2024-01-01",
        changed_at=datetime(2024, 1, 1, tzinfo=UTC),
        author="",
        author_email="",
        size=len(OLD),
        problems=(),
    )
    assert (expected,) == rows.get(filled, [PurePosixPath("p/core/old.md")])


def test_entries_come_newest_first(filled):
    assert ["p/notes/new.md", "p/core/old.md"] == names(rows.entries(filled, ["p"]))


def test_entries_of_a_folder_in_every_layer(filled):
    expected = ["q/core/core/new.md", "p/core/old.md"]
    assert expected == names(rows.entries(filled, under="core"))


def test_entries_can_be_limited(filled):
    assert ["p/notes/new.md"] == names(rows.entries(filled, limit=1))


def test_no_layer_has_no_entries(filled):
    assert () == rows.entries(filled, [])


def test_memories_and_layers_are_counted(filled):
    assert (3, 2, ("p", "q")) == (
        rows.count(filled),
        rows.count(filled, ["p"]),
        rows.layer_names(filled),
    )


def test_spellings_of_a_tag_are_counted_together(filled):
    expected = (TagCount("mytag", "myTag", 3), TagCount("x", "x", 1))
    assert expected == rows.tag_counts(filled)


def test_tags_of_one_layer_only(filled):
    assert (TagCount("mytag", "myTag", 1),) == rows.tag_counts(filled, ["q"])


def test_frontmatter_is_kept_as_read(filled):
    expected = {"description": "new", "tags": ["myTag"], "updated": "2026-01-01"}
    assert expected == rows.fields(filled, PurePosixPath("p/notes/new.md"))
    assert {} == rows.fields(filled, PurePosixPath("p/none.md"))


def test_problems_of_a_file_are_kept(house):
    house.put("p/a.md", "no frontmatter\n")
    house.refresh()
    codes = [each.code for each in rows.entries(house.catalog)[0].problems]
    assert ["no-frontmatter", "no-description"] == codes


def test_the_tags_of_packets_are_not_in_the_table_and_find_them(house):
    house.put("p/a.md", "---\ntags: [deploy]\n---\n")
    house.put("p/packets/2026/03/b.md", "---\ntags: [deploy, handoff]\n---\n")
    house.refresh()
    house.put("p/packets/2026/03/c.md", "---\ntags: [handoff]\n---\n")
    house.refresh()
    (house.root / "p/packets/2026/03/b.md").unlink()
    house.refresh()

    assert rows.tag_counts(house.catalog) == (TagCount("deploy", "deploy", 1),)
    found = house.catalog.ask(
        lambda view: rows.carriers(view.rows, ["handoff"], None), default=frozenset()
    )
    assert found == {"p/packets/2026/03/c.md"}
