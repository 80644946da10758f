"""Put faults into gitmem on purpose: a harness that misses one proves nothing."""

from functools import partial

import pytest
from tests.chaos.faults import CHANGES
from tests.chaos.scene import Lost
from tests.chaos.test_agent import meddle


def first_loss(strikes) -> str:
    """Strike until something is lost, and say what."""
    for strike in strikes:
        try:
            strike()
        except Lost as error:
            return str(error)
    return ""


def test_a_ref_that_moves_before_the_files_is_found(scene):
    plant = "ref_before_files"
    seen = scene.run(plant=plant).seen
    moved = len(seen) - seen[::-1].index("git update-ref")
    points = [n for n in range(moved + 1, len(seen)) if seen[n - 1] in CHANGES]

    found = first_loss(
        partial(scene.strike, "kill", at=point, plant=plant) for point in points
    )

    assert "lost" in found


@pytest.mark.parametrize("plant", ["apply_without_a_look", "hard_reset"])
def test_an_apply_that_does_not_look_is_found(scene, plant):
    seen = scene.run(plant=plant).seen
    pushed = seen.index("git push")
    points = [n for n in range(pushed, len(seen)) if seen[n][:4] in {"git ", "fsyn"}]

    found = first_loss(
        partial(meddle, scene, "append", point + 1, plant=plant) for point in points
    )

    assert "lost" in found


def test_a_rebase_in_place_of_the_merge_is_found(scene):
    scene.reset()
    ended = scene.run(plant="rebase")

    found = first_loss([partial(scene.strike, "nothing", plant="rebase")])

    assert ended.error or "marker" in found or "lost" in found
