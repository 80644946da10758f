"""A filter finds what is typed, and what is nearly spelled so, the nearest first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tui.conftest import anchor, model

ANCHORS = (
    anchor(1, "task/deploy", summary="moved to rsync", purpose="handover"),
    anchor(2, "handoff/keyword-rollback", keywords=("rollback",), trigger="keyword"),
    anchor(3, "session/compact", type="session"),
    anchor(4, "task/deployment"),
)


def found(query):
    return [each.name for each in model(*ANCHORS).view(query).rows]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["task/deploy", "handoff/keyword-rollback", "session/compact"]),
        ("DEPLOY", ["task/deploy"]),
        ("plo", ["task/deploy"]),
        ("rsync", ["task/deploy"]),
        ("handover", ["task/deploy"]),
        ("rollback", ["handoff/keyword-rollback"]),
        ("rolback", ["handoff/keyword-rollback"]),
        ("depoly", ["task/deploy"]),
        ("depoly rsnyc", ["task/deploy"]),
        ("keyword", ["handoff/keyword-rollback"]),
        ("11:30", ["task/deploy"]),
        ("2026-04-04 session", ["session/compact"]),
        ("deploy rollback", []),
        ("rollbackers", []),
        ("zq", []),
    ],
    ids=repr,
)
def test_a_filter_finds(query, names):
    assert [each for each in found(query) if each != "task/deployment"] == names


def test_the_nearest_stands_first():
    assert found("deplyo") == ["task/deploy", "task/deployment"]


def test_what_is_there_as_typed_brings_nothing_that_is_only_near():
    assert found("deployment") == ["task/deployment"]


@given(st.text(max_size=30))
def test_whatever_is_typed_finds_anchors_once_each(query):
    names = found(query)

    assert len(names) == len(set(names))
