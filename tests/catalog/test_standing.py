"""What does not hold any more is found, marked, and never before what does."""

import pytest

OLD = """---
title: Employment
description: Sam works at Northwind
tags: [employment]
key: person:sam.employment
{more}
---
Employment: Northwind. Employment, employment.
"""
NEW = """---
description: Sam works at Contoso
tags: [work, employment]
key: Person:Sam.Employment
---
# Where Sam works

Since January. Employment is no more said.
"""


@pytest.fixture
def sam(house):
    """Give a memory with what was and what is."""
    house.put("p/old.md", OLD.format(more="status: superseded"), age=1)
    house.put("p/new.md", NEW, age=1_000)
    house.refresh()
    return house


def marks(house, query="", **options):
    return {str(h.path): h.over for h in house.answer(query, **options).hits}


def test_what_is_over_is_marked_and_stands_below_what_holds_of_its_key(sam):
    assert list(marks(sam, "employment").items()) == [
        ("p/new.md", ""),
        ("p/old.md", "status: superseded"),
    ]


def test_under_a_tag_alone_what_is_over_comes_last(sam):
    assert list(marks(sam, tags=("employment",)).items()) == [
        ("p/new.md", ""),
        ("p/old.md", "status: superseded"),
    ]


def test_what_is_over_is_found_where_nothing_else_answers(sam):
    assert marks(sam, "northwind") == {"p/old.md": "status: superseded"}


def test_what_is_over_keeps_its_place_among_others(sam):
    sam.put("p/other.md", "# Work\n\nOnce: employment.\n")
    sam.put("p/new.md", NEW.replace("Person:Sam.", "person:kim."))
    sam.refresh()

    assert sam.found("employment")[0] == "p/old.md"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("status: archived", "status: archived"),
        ("attention: closed-loop", "status: a closed loop"),
        ("ended: 2026-03-02", "dates: it ended on 2026-03-02"),
        ("ended: 2026-03-03", ""),
        ("recorded: 2026-03-03", "dates: it holds from 2026-03-03"),
        (
            "kind: state\nreview_after: 2026-03-01",
            "dates: to be reviewed since 2026-03-01",
        ),
        ("sensitivity: sensitive", ""),
    ],
)
def test_a_mark_says_why(house, more, why):
    house.put("p/a.md", OLD.format(more=more))
    house.refresh()

    assert marks(house, "northwind") == {"p/a.md": why}


def test_the_newest_that_are_offered_hold_and_are_not_sensitive(house):
    house.put("p/over.md", OLD.format(more="status: archived"))
    house.put("p/health.md", OLD.format(more="sensitivity: sensitive"))
    house.put("p/plain.md", "plain\n")
    house.refresh()

    answer = house.answer("nothingofthesort")

    assert [str(row.path) for row in answer.newest] == ["p/plain.md"]
