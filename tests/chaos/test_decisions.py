"""Kill what a person decided, in the middle of it: they must not be asked twice.

Only a kill that comes before anything was done may make them say it again.
"""

from typing import Any

import pytest
from tests.chaos import moments
from tests.chaos.faults import CHANGES
from tests.chaos.sample import chosen
from tests.chaos.scene import Ended, Lost, Scene

ACCEPT, KEEP = {"decision": "accept"}, {"decision": "keep"}
DECISIONS = {
    "an incoming deletion is accepted": (moments.incoming, ACCEPT),
    "an incoming deletion is undone": (moments.incoming_unwanted, KEEP),
    "a deletion here is accepted": (moments.outgoing, ACCEPT),
    "a deletion here is undone": (moments.missing, KEEP),
}
VERBS = {
    "commit": {"verb": "commit"},
    "undo": {"verb": "undo", "revision": "HEAD~1"},
    "restore": {"verb": "restore", "revision": "HEAD", "path": "many/n01.md"},
}


def changes(name: str) -> bool:
    """Say whether something is other after this than it was before."""
    return name in CHANGES or name.startswith("git ")


def standing(scene: Scene) -> tuple[set[str], set[str]]:
    """Say which of the files in question are on the disk, and in the history."""
    first = scene.machine("first")
    return first.disk().keys() & moments.GONE, first.tree().keys() & moments.GONE


def decide(scene: Scene, job: dict[str, Any], at: int) -> Ended:
    """Kill a cycle with a decision in it, and go on without, if that is enough."""
    scene.reset()
    before = standing(scene)
    ended = scene.run(what="kill", at=at, **job)
    where = f"{job} killed at {at}"
    after = scene.run()
    if after.error and after.error != "Diverged":
        raise Lost(f"{where}: {after.trace}")
    ended.is_asked = bool(scene.machine("first").engine.record().held)
    if ended.is_asked:
        if standing(scene) != before:
            raise Lost(f"{where}: asked again after a half of it was done")
        scene.run(**job)
    finish(scene, job, where)
    return ended


def finish(scene: Scene, job: dict[str, Any], where: str) -> None:
    """Let the other machine decide alike, and look."""
    scene.run("second", **job)
    scene.check(where)


@pytest.mark.parametrize(("moment", "job"), DECISIONS.values(), ids=DECISIONS)
def test_no_kill_makes_a_decision_half_done(scene, is_full, moment, job, tally):
    scene.go_to(moment)
    ended = scene.run(**job)
    assert not ended.error, ended.trace
    finish(scene, job, "a decision that nobody disturbs")
    points = [n for n, name in enumerate(ended.seen, 1) if changes(name)]

    points = chosen(points, 8, is_full)
    tally.each("kill", points, lambda n: decide(scene, job, n))

    tally.demand(killed=1.0)


@pytest.mark.parametrize("job", VERBS.values(), ids=VERBS)
def test_no_kill_in_what_a_person_asks_for_loses_anything(scene, is_full, job, tally):
    scene.go_to(moments.undoable)
    ended = scene.run(**job)
    assert not ended.error, ended.trace
    scene.check("what nobody disturbs")

    points = chosen(range(1, len(ended.seen) + 1), 6, is_full)
    tally.each("kill", points, lambda n: scene.strike("kill", at=n, **job))

    tally.demand(killed=1.0)
