from pathlib import PurePosixPath

import pytest

from gitmem.memory.load import DESCRIPTION_LIMIT, load, tags_of
from gitmem.memory.memory import Memory, field_value

PATH = PurePosixPath("global/a.md")


def _load(text, **options):
    return load(PATH, text.encode(), "global", **options)


def _codes(memory):
    return [found.code for found in memory.problems]


def test_memory_is_what_its_head_says():
    text = (
        "---\ndescription: How to deploy\ntags: [deploy, Rsync]\n"
        'created: "2026-02-14"\nupdated: "2026-02-15"\n---\n\n# Deploy\n'
    )

    assert _load(text) == Memory(
        path=PATH,
        layer="global",
        description="How to deploy",
        tags=("deploy", "Rsync"),
        created="2026-02-14",
        updated="2026-02-15",
        fields={
            "description": "How to deploy",
            "tags": ["deploy", "Rsync"],
            "created": "2026-02-14",
            "updated": "2026-02-15",
        },
        title="Deploy",
        problems=(),
    )


@pytest.mark.parametrize(
    ("text", "description"),
    [
        pytest.param("# A\nb\n", "A", id="heading"),
        pytest.param("b\n\n## A ##\n", "A", id="heading-below"),
        pytest.param("```\n# b\n```\n# A\n", "A", id="behind-code"),
        pytest.param("\n---\n\n  b\tc  \n", "b c", id="line"),
        pytest.param("", "", id="nothing"),
        pytest.param("---\ndescription: ~\n---\n# A\n", "A", id="null"),
    ],
)
def test_missing_description_is_stood_in_for(text, description):
    memory = _load(text)

    assert description == memory.description
    assert "no-description" in _codes(memory)


def test_description_is_one_bounded_line_without_control_characters():
    memory = _load('---\ndescription: "a\\n\\eb ' + "word " * 200 + '"\n---\n')

    assert memory.description.startswith("a b word")
    assert len(memory.description) == DESCRIPTION_LIMIT
    assert _codes(memory) == ["long-description"]


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        pytest.param("a, b c", ("a", "b c"), id="commas"),
        pytest.param("#a #b", ("a", "b"), id="hashes"),
        pytest.param(["#a", "", "b"], ("a", "b"), id="list"),
        pytest.param([["a", ["b"]], {"c": "d"}], ("a", "b", "c: d"), id="nested"),
        pytest.param({"a": ["b", "c"]}, ("a: b, c",), id="mapping"),
        pytest.param([[[[[["deep"]]]]]], (), id="too-deep"),
        pytest.param("", (), id="nothing"),
    ],
)
def test_tags_are_read_however_they_are_written(written, tags):
    assert tags == tags_of({"tags": written})


@pytest.mark.parametrize(
    ("line", "code"),
    [
        pytest.param("title: [a]", "not-text", id="title"),
        pytest.param("created: soon", "not-a-date", id="no-date"),
        pytest.param("updated: 2026-02-31", "not-a-date", id="no-such-day"),
        pytest.param("updated: 2026-02-03x", "not-a-date", id="text-behind"),
        pytest.param('created: "20260203"', "not-a-date", id="without-hyphens"),
        pytest.param("created: 2026-W06", "not-a-date", id="a-week"),
        pytest.param("created: 2026W061", "not-a-date", id="a-day-of-a-week"),
        pytest.param("created: 2026-W06-2", "not-a-date", id="a-week-with-hyphens"),
        pytest.param("created: {a: b}", "not-text", id="date-mapping"),
        pytest.param("tags: a, b", "tags-not-a-list", id="text-tags"),
        pytest.param("tags: [[a]]", "nested-tags", id="nested-tags"),
        pytest.param("tags: {a: b}", "nested-tags", id="mapping-tags"),
    ],
)
def test_field_of_the_wrong_kind_is_named_with_its_line(line, code):
    memory = _load(f"---\ndescription: a\n\n# c\n{line}\n---\n")

    assert [(5, code)] == [(found.line, found.code) for found in memory.problems]


def test_time_of_day_is_a_date_too():
    text = "---\ndescription: a\nupdated: 2026-02-14T10:11:12Z\ncreated:\n---\n"

    assert _load(text).problems == ()


def test_fields_below_metadata_are_read_when_there_is_none_above():
    fields = {"name": "", "metadata": {"name": "inner", "type": "user"}}

    assert ("inner", "user", "") == tuple(
        field_value(fields, name) for name in ("name", "type", "none")
    )
    assert field_value({"metadata": "text"}, "name") == ""


def test_beginning_of_a_large_file_is_enough():
    text = "---\ndescription: a\n---\nText that goes o"

    assert _load(text, size_bytes=1_000_000_000).problems == ()


def test_title_field_is_preferred_to_the_heading():
    assert _load("---\ntitle: A\ndescription: d\n---\n# B\n").title == "A"
