"""A repository's state has one name."""

import pytest

from gitmem.sync.state import State, state


@pytest.mark.parametrize(
    ("head", "branch", "is_interrupted", "expected"),
    [
        ("1", "main", False, State.READY),
        (None, "main", False, State.UNBORN),
        ("1", None, False, State.DETACHED),
        ("1", "topic", False, State.OTHER_BRANCH),
        (None, "topic", False, State.OTHER_BRANCH),
        ("1", "main", True, State.INTERRUPTED),
        ("1", None, True, State.INTERRUPTED),
        (None, "main", True, State.INTERRUPTED),
    ],
)
def test_what_git_reports_has_a_name(head, branch, is_interrupted, expected):
    found = state(
        head=head, branch=branch, wanted="main", is_interrupted=is_interrupted
    )

    assert found is expected
