"""Kill a cycle before and after everything that it does."""

import pytest
from tests.chaos.faults import CHANGES
from tests.chaos.sample import chosen


def test_a_plain_cycle_leaves_nothing_behind(scene, seen):
    scene.check("a plain cycle")


def test_no_kill_before_a_file_operation_loses_anything(scene, seen, is_full, tally):
    points = [n for n, name in enumerate(seen, 1) if not name.startswith("git")]

    points = chosen(points, 8, is_full)
    tally.each("kill", points, lambda n: scene.strike("kill", at=n))

    tally.demand(killed=1.0)


def test_no_kill_after_a_file_operation_loses_anything(scene, seen, is_full, tally):
    points = [n for n, name in enumerate(seen, 1) if name in CHANGES]

    points = chosen(points, 5, is_full)
    tally.each("kill-after", points, lambda n: scene.strike("kill-after", at=n))

    tally.demand(killed=1.0)


@pytest.mark.parametrize("what", ["kill-before", "kill-after", "orphan"])
def test_no_kill_around_a_call_of_git_loses_anything(scene, is_full, what, tally):
    scene.run()
    calls = range(1, scene.calls() + 1)

    points = chosen(calls, 4, is_full)
    tally.each(what, points, lambda n: scene.strike(what, call=n))

    tally.demand(killed=1.0)
