"""Kill the making of a repository anywhere; doing it again must be enough."""

import random

import pytest
from tests.chaos import moments
from tests.chaos.sample import SEED, chosen
from tests.chaos.scene import Ended, Lost, Scene

MOMENTS = {
    "new": moments.nothing,
    "clone": moments.remote_memory,
    "folder": moments.folder,
    "repository": moments.repository,
}


def begin(scene: Scene, **harm) -> Ended:
    """Break the making off, make it again, and let all machines exchange."""
    scene.reset()
    ended = scene.run("third", verb="create", **harm)
    again = scene.run("third", verb="create")
    if again.was_killed or again.error:
        raise Lost(f"{harm}: making it again: {again.trace}")
    scene.check(str(harm))
    return ended


@pytest.fixture(params=MOMENTS.values(), ids=list(MOMENTS))
def beginning(request, scene):
    has_others = request.param is moments.remote_memory
    scene.go_to(
        request.param, ("third", "first", "second") if has_others else ("third",)
    )
    return scene


def test_no_kill_at_an_operation_stops_a_beginning(beginning, is_full, tally):
    ended = begin(beginning)
    assert not ended.error, ended.trace

    points = chosen(range(1, len(ended.seen) + 1), 5, is_full)
    tally.each("kill", points, lambda n: begin(beginning, what="kill", at=n))

    tally.demand(killed=1.0)


def test_no_kill_around_a_call_of_git_stops_a_beginning(beginning, is_full, tally):
    beginning.reset()
    beginning.run("third", verb="create")

    points = chosen(range(1, beginning.calls() + 1), 2, is_full)
    for harm in ("kill-before", "kill-after"):
        tally.each(
            harm, points, lambda n, harm=harm: begin(beginning, harm=harm, call=n)
        )

    tally.demand(killed=1.0)


def test_no_kill_at_any_time_stops_a_beginning(beginning, is_full, tally):
    ended = begin(beginning)
    dice = random.Random(SEED)  # noqa: S311
    times = [dice.uniform(0.001, ended.seconds) for _ in range(60 if is_full else 5)]

    tally.each(
        "random", range(len(times)), lambda n: begin(beginning, kill_after=times[n])
    )

    tally.demand()
