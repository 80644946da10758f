"""Put faults into gitmem on purpose: a harness that misses one proves nothing.

A planted cycle that nobody disturbs does its work, so that nothing but the loss itself
can be what is found.
"""

import re
from functools import partial

import pytest
from tests.chaos.faults import CHANGES
from tests.chaos.scene import Ended, Lost
from tests.chaos.test_agent import meddle


def first_loss(strikes, pattern: str) -> str:
    """Strike until just this is told, and say it; else all that was told."""
    told: list[str] = []
    for strike in strikes:
        try:
            strike()
        except Lost as error:
            told.append(str(error))
            if re.search(pattern, told[-1]):
                return told[-1]
    return "\n".join(told)


def seen_of(scene, plant: str) -> list[str]:
    """Name all that a planted cycle does, and demand that it works."""
    ended: Ended = scene.run(plant=plant)
    assert not ended.error, ended.trace
    return ended.seen


def test_a_ref_that_moves_before_the_files_is_found(scene):
    plant, pattern = "ref_before_files", r": lost \['tok\d+x'"
    seen = seen_of(scene, plant)
    scene.check("a planted cycle that nobody disturbs")
    moved = len(seen) - seen[::-1].index("git update-ref")
    points = [n for n in range(moved + 1, len(seen)) if seen[n - 1] in CHANGES]

    found = first_loss(
        (partial(scene.strike, "kill", at=point, plant=plant) for point in points),
        pattern,
    )

    assert re.search(pattern, found), found


@pytest.mark.parametrize("plant", ["apply_without_a_look", "hard_reset"])
def test_an_apply_that_does_not_look_is_found(scene, plant):
    pattern = r": lost \['agent\d+x'"
    seen = seen_of(scene, plant)
    scene.check("a planted cycle that nobody disturbs")
    pushed = seen.index("git push")
    points = [n for n in range(pushed, len(seen)) if seen[n][:4] in {"git ", "fsyn"}]

    found = first_loss(
        (partial(meddle, scene, "append", point + 1, plant=plant) for point in points),
        pattern,
    )

    assert re.search(pattern, found), found


def test_a_rebase_over_what_is_not_committed_is_found(scene):
    pattern = r": markers in \['log\.jsonl', 'notes/both\.md'\]"
    seen_of(scene, "rebase")

    found = first_loss(
        [partial(scene.strike, "nothing", plant="rebase")],
        pattern,
    )

    assert re.search(pattern, found), found
