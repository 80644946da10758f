"""What is kept of a file."""

import time
from datetime import UTC, datetime

import pytest

from gitmem.catalog.entry import canonical_tags, headings, make, said_at
from gitmem.catalog.text import Fields

WHOLE = b"""---
description: How we deploy
tags: [deploy, "Deploy", rsync]
updated: "2026-02-14"
---
# Deploying

Body.
"""


def test_fields_of_a_memory_are_told_apart():
    expected = Fields(
        tags="deploy Deploy rsync",
        description="How we deploy",
        title="Deploying",
        headings="Deploying",
        body="# Deploying\n\nBody.\n",
        place="a",
    )
    assert expected == make("p/a.md", WHOLE).fields


def test_spellings_of_one_tag_are_one():
    tags = canonical_tags(make("p/a.md", WHOLE).memory)
    assert tags == {"deploy": "deploy", "rsync": "rsync"}


def test_line_that_stands_in_for_a_description_is_not_indexed_twice():
    assert make("p/a.md", b"only a line\n").fields.description == ""


def test_comment_in_code_is_no_heading():
    body = "# One\n```sh\n# not this\n```\n## Two ##\n~~~\n# nor this\n~~~\n"
    assert headings(body) == ["One", "Two"]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param(
            'updated: "2026-02-14"', datetime(2026, 2, 14, tzinfo=UTC), id="d"
        ),
        pytest.param(
            "created: 2026-01-01\nupdated: soon",
            datetime(2026, 1, 1, tzinfo=UTC),
            id="created stands in",
        ),
        pytest.param(
            "updated: 2026-02-14T12:00:00+02:00",
            datetime(2026, 2, 14, 10, tzinfo=UTC),
            id="zone",
        ),
        pytest.param("updated: yesterday", None, id="no date"),
    ],
)
def test_memory_says_when_it_changed(head, expected):
    memory = make("p/a.md", f"---\n{head}\n---\n".encode()).memory
    assert expected == said_at(memory)


@pytest.mark.parametrize(
    "line",
    [
        "# " + " " * 100_000,
        "# a" + " #" * 50_000 + "x",
        "```\n" * 50_000,
        "#" * 100_000,
    ],
    ids=["spaces", "signs", "fences", "a rule"],
)
def test_no_line_takes_long_to_read(line):
    started = time.process_time()
    make("p/a.md", line.encode())
    assert time.process_time() - started < 1
