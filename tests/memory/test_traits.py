"""The fields that say when a memory matters are read however they are written."""

from datetime import date

import pytest

from gitmem.memory.traits import Traits, marks, names_of, traits

TODAY = date(2026, 3, 2)


def test_a_plain_note_says_nothing():
    assert traits({"description": "d", "tags": ["a"]}) == Traits()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", "policy"),
        ("attention", "ambient"),
        ("status", "closed"),
        ("priority", "low"),
        ("pinned", "true"),
        ("sensitivity", "sensitive"),
        ("key", "k"),
        ("triggers", "t"),
        ("subjects", "s"),
        ("domains", "d"),
        ("relations", ["r"]),
        ("recorded", "2026-01-01"),
        ("ended", "2026-01-01"),
        ("review_after", "2026-01-01"),
    ],
)
def test_a_field_is_read_where_it_is_the_only_one(name, value):
    assert traits({name: value}) != Traits()
    assert traits({"metadata": {name: value}}) == traits({name: value})


@pytest.mark.parametrize("word", ["stable", "draft", "Active", "[active", "有効", ""])
def test_a_status_that_does_not_say_that_it_is_over_is_active(word):
    assert traits({"status": word, "kind": "policy"}).status == "active"


@pytest.mark.parametrize("word", ["superseded", "Archived", "obsolete", "done"])
def test_a_status_that_says_that_it_is_over_counts(word):
    assert traits({"status": word}).status == word.lower()


@pytest.mark.parametrize("word", ["none", "low", "Public", "personal", False])
def test_a_memory_that_says_that_it_is_not_sensitive_is_not(word):
    assert not traits({"sensitivity": word, "kind": "policy"}).is_sensitive


def test_every_field_is_read():
    fields = {
        "kind": "Commitment",
        "attention": "open_loop",
        "status": "active",
        "priority": "High",
        "pinned": "true",
        "sensitivity": "sensitive",
        "key": "person:sam.job",
        "triggers": ["book it", "hotel"],
        "subjects": ["person:sam"],
        "domains": "travel, work",
        "relations": [{"predicate": "for", "target": "project:beacon"}],
        "recorded": "2026-01-01",
        "ended": "2026-12-31T10:00",
        "review_after": "2026-06-01",
    }

    assert traits(fields) == Traits(
        kind="commitment",
        attention="open-loop",
        priority="high",
        is_pinned=True,
        is_sensitive=True,
        key="person:sam.job",
        triggers=("book it", "hotel"),
        subjects=("person:sam",),
        domains=("travel", "work"),
        targets=("project:beacon",),
        recorded=date(2026, 1, 1),
        ended=date(2026, 12, 31),
        review_after=date(2026, 6, 1),
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": ["a"], "triggers": {"a": "b"}, "relations": "x"},
        {"ended": "soon", "recorded": ["2026"], "key": {"a": "b"}},
        {"relations": [["x"], {"target": ["y"]}, {"other": "z"}]},
        {"triggers": [["a"], {"b": "c"}]},
        {"metadata": "none"},
    ],
    ids=["shapes", "dates", "relations", "nested", "metadata"],
)
def test_odd_values_break_nothing(fields):
    assert traits(fields).kind == "note"


@pytest.mark.parametrize("said", ["sensitive", "private", "Secret"])
def test_what_is_not_known_to_be_harmless_is_sensitive(said):
    assert traits({"sensitivity": said}).is_sensitive


@pytest.mark.parametrize("said", ["public", "personal", ""])
def test_what_is_harmless_is_not(said):
    assert not traits({"metadata": {"sensitivity": said}}).is_sensitive


@pytest.mark.parametrize(
    ("fields", "is_open"),
    [
        ({"attention": "open-loop"}, True),
        ({"attention": "closed-loop"}, False),
        ({"attention": "open-loop", "ended": "2026-03-02"}, False),
        ({"attention": "open-loop", "ended": "2026-03-03"}, True),
        ({"attention": "open-loop", "status": "superseded"}, False),
    ],
)
def test_a_loop_is_open_until_it_ends(fields, is_open):
    assert traits(fields).is_open(TODAY) is is_open


def test_a_memory_is_looked_up_by_what_it_names():
    found = traits(
        {
            "triggers": ["Book It"],
            "subjects": ["person:sam"],
            "attention": "open-loop",
            "key": "trip:oslo",
            "relations": [{"target": "person:kim"}],
        }
    )

    assert list(marks(found)) == [
        ("trigger", "bookit"),
        ("subject", "person:sam"),
        ("subject", "sam"),
        ("key", "trip:oslo"),
        ("target", "person:kim"),
        ("attention", "openloop"),
    ]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({"kind": "note", "tags": ["a"]}, [], id="plain"),
        pytest.param({"domains": "work"}, [("domain", "work")], id="named"),
        pytest.param({"metadata": {"key": "a:b"}}, [("key", "a:b")], id="metadata"),
    ],
)
def test_only_what_names_something_is_looked_up(fields, expected):
    assert expected == list(names_of(fields))
