import pytest

from gitmem.daemon.timing import LADDER_SECONDS, PASSING, Timing
from gitmem.errors import ErrorClass


def test_what_passes_by_itself_is_tried_again_soon_and_then_slower():
    waits = [Timing().retry(ErrorClass.OFFLINE, n, 900) for n in range(1, 10)]

    assert waits == [*LADDER_SECONDS, 60, 60]


@pytest.mark.parametrize("error_class", [*set(ErrorClass) - PASSING, None])
def test_what_a_person_has_to_settle_is_not_tried_hotly(error_class):
    assert Timing().retry(error_class, 1, 900) == 900
    assert Timing().retry(error_class, 1, 1) == 60


@pytest.mark.parametrize(
    ("since_first", "wait"), [(0, 30), (80, 30), (100, 20), (120, 0), (999, 0)]
)
def test_quiet_is_waited_for_but_not_for_ever(since_first, wait):
    assert Timing().debounce(since_first, 30) == wait


@pytest.mark.parametrize(
    ("wall", "monotonic", "slept"),
    [
        (5, 5, False),
        (9, 9, False),
        (60, 5, True),
        (60, 60, True),
        (-3600, 5, True),
    ],
    ids=["on-time", "busy", "suspended", "stopped", "clock-set-back"],
)
def test_a_tick_that_comes_late_means_that_the_machine_slept(wall, monotonic, slept):
    assert Timing().slept(wall, monotonic) is slept
