"""A thread is drawn as a tree, whatever its nodes say of one another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tui.conftest import NOW

from gitmem.tape.threads import Node, Thread
from gitmem.tui import tree


def thread(*nodes, heads=(), **more):
    made = tuple(Node(each, each, NOW, parent) for each, parent in nodes)
    return Thread("t", "Topic", NOW, NOW, made, tuple(heads), **more)


@pytest.mark.parametrize(
    ("nodes", "drawn"),
    [
        ([], []),
        ([("a", "")], ["  ● a"]),
        ([("a", ""), ("b", "a"), ("c", "b")], ["  ● a", "  ● b", "  ● c"]),
        ([("a", ""), ("b", "")], ["  ├─● a", "  └─● b"]),
        (
            [("a", ""), ("b", "a"), ("c", "a"), ("d", "b"), ("e", "c")],
            ["  ● a", "  ├─● b", "  │ ● d", "  └─● c", "    ● e"],
        ),
        ([("a", "gone")], ["  ● a"]),
        ([("a", "a")], ["  ● a"]),
        ([("a", "b"), ("b", "a")], ["  ● a", "  ● b"]),
    ],
    ids=repr,
)
def test_nodes_are_drawn_below_their_parents(nodes, drawn):
    lines = tree.tree([thread(*nodes)])

    assert [each.text for each in lines[1:]] == drawn


def test_what_follows_is_a_level_below_though_it_is_not_set_in():
    made = thread(("a", ""), ("b", "a"), ("c", "b"), ("d", "b"), ("e", ""))

    levels = {each.node.id: each.depth for each in tree.places(made)}

    assert levels == {"a": 0, "b": 1, "c": 2, "d": 2, "e": 0}


def test_heads_that_two_machines_moved_are_both_shown():
    lines = tree.tree([thread(("a", ""), ("b", ""), heads=("a", "b"))])

    assert [each.text for each in lines[1:]] == [
        "  ├─● a  ← HEAD",
        "  └─● b  ← HEAD",
        "  HEAD was moved on 2 machines: check out one.",
    ]


def test_an_archived_thread_says_so():
    [line] = tree.tree([thread(is_archived=True)])

    assert line.text == "Topic  0 nodes, 2026-04-04  archived"


def test_a_line_of_ten_thousand_nodes_is_drawn():
    nodes = [(str(number), str(number - 1)) for number in range(10_000)]

    assert len(tree.tree([thread(*nodes)])) == 10_001


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["", *"abcdefx"])),
)
def test_every_node_is_drawn_once_whoever_its_parent_is(parents):
    placed = [each.node.id for each in tree.places(thread(*parents.items()))]

    assert sorted(placed) == sorted(parents)
