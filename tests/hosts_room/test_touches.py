"""Calls of tools tell which files and lines they touch."""

import pytest

from gitmem.hosts.entry import Touch
from gitmem.hosts.touches import hunks, merged, numbered, patched, touch

CALLS = {
    "pi reads": ("read", {"path": "a", "offset": 3, "limit": 4}, "read", ((3, 6),)),
    "from the top": ("Read", {"file_path": "a", "limit": 4}, "read", ((1, 4),)),
    "whole": ("Read", {"file_path": "a"}, "read", ()),
    "odd limits": ("read", {"path": "a", "offset": "3", "limit": True}, "read", ()),
    "not a number": (
        "read",
        {"path": "a", "offset": float("nan"), "limit": float("inf")},
        "read",
        (),
    ),
    "pi edits": ("edit", {"path": "a", "edits": []}, "edit", ()),
    "several": ("MultiEdit", {"file_path": "a"}, "edit", ()),
    "notebook": ("NotebookEdit", {"notebook_path": "a"}, "edit", ()),
    "writes": ("Write", {"file_path": "a", "content": ""}, "write", ()),
    "memory": ("memory_write", {"path": "a"}, "memory_write", ()),
    "by MCP": ("mcp__plugin_x__memory_write", {"path": "a"}, "memory_write", ()),
}


@pytest.mark.parametrize(("tool", "arguments", "kind", "at"), CALLS.values(), ids=CALLS)
def test_a_call_tells_its_file(tool, arguments, kind, at):
    assert touch(tool, arguments) == Touch("a", kind, at)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("bash", {"command": "cat a"}),
        ("read", {}),
        ("read", {"path": 3}),
        ("read", {"path": "a\0b"}),
        ("memory_write", {}),
    ],
)
def test_a_call_that_touches_no_one_file_tells_none(tool, arguments):
    assert touch(tool, arguments) is None


def test_only_changed_lines_of_a_numbered_diff_count_not_those_around_them():
    diff = "    ...\n  7 a\n- 8 b\n+ 8 c\n+ 9 d\n  9 e\n    ...\n 29 f\n-30 g\n 31 h\n"

    assert numbered(diff, 8) == ((8, 9), (30, 30))


@pytest.mark.parametrize(
    ("first", "found"), [(8, ((8, 8),)), (None, ()), (0, ()), ("8", ()), (10**9, ())]
)
def test_without_a_diff_the_first_changed_line_counts(first, found):
    assert numbered("", first) == found


def test_only_changed_lines_of_hunks_count_not_those_around_them():
    added = {"newStart": 5, "lines": [" a", "-b", "+c", "+d", " e"]}
    removed = {"newStart": 20, "lines": [" a", "-b", "-c", " d"]}
    at_the_end = {"newStart": 40, "lines": [" a", "-b", "\\ No newline", "+c"]}

    assert hunks([added, removed, at_the_end]) == ((6, 7), (21, 21), (41, 41))


@pytest.mark.parametrize("patch", [None, 3, [3], [{}], [{"newStart": 1, "lines": []}]])
def test_what_is_no_patch_changes_nothing(patch):
    assert hunks(patch) == ()


def test_a_patch_of_codex_names_what_is_there_afterwards():
    patch = (
        "*** Begin Patch\n*** Add File: new.py\n+x\n*** Delete File: gone.py\n"
        "*** Update File: old.py\n*** Move to: moved.py\n@@\n-a\n+b\n*** End Patch"
    )

    assert list(patched(patch)) == [
        Touch("new.py", "write"),
        Touch("old.py", "edit"),
        Touch("moved.py", "write"),
    ]


def test_ranges_that_meet_are_one():
    assert merged([(5, 9), (1, 2), (10, 12), (3, 3), (20, 21)]) == (
        (1, 3),
        (5, 12),
        (20, 21),
    )
