"""Kill a cycle before and after everything that it does."""

from functools import partial

import pytest
from tests.chaos.faults import CHANGES
from tests.chaos.sample import chosen


@pytest.fixture
def seen(scene):
    """Name, in order, all that a cycle does which nobody disturbs."""
    ended = scene.run()
    assert not ended.error, ended.trace
    assert len(ended.seen) > 200
    return ended.seen


def test_a_plain_cycle_leaves_nothing_behind(scene, seen):
    scene.check("a plain cycle")


def test_no_kill_before_a_file_operation_loses_anything(scene, seen, is_full, tally):
    points = [n for n, name in enumerate(seen, 1) if not name.startswith("git")]

    for point in chosen(points, 14, is_full):
        tally.watch("kill", partial(scene.strike, "kill", at=point))

    tally.demand(killed=1.0)


def test_no_kill_after_a_file_operation_loses_anything(scene, seen, is_full, tally):
    points = [n for n, name in enumerate(seen, 1) if name in CHANGES]

    for point in chosen(points, 8, is_full):
        tally.watch("kill-after", partial(scene.strike, "kill-after", at=point))

    tally.demand(killed=1.0)


@pytest.mark.parametrize("what", ["kill-before", "kill-after", "orphan"])
def test_no_kill_around_a_call_of_git_loses_anything(scene, is_full, what, tally):
    scene.run()
    calls = range(1, scene.calls() + 1)

    for call in chosen(calls, 6, is_full):
        tally.watch(what, partial(scene.strike, what, call=call))

    tally.demand(killed=1.0)
