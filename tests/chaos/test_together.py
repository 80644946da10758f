"""Kill a change of several files at everything that it does: all of it, or nothing."""

from functools import partial
from pathlib import PurePosixPath
from typing import Any

from tests.chaos import moments
from tests.chaos.faults import CHANGES
from tests.chaos.moments import TIDIED
from tests.chaos.sample import chosen
from tests.chaos.scene import Ended, Lost, Scene
from tests.chaos.test_proof import first_loss

JOB: dict[str, Any] = {"verb": "together", "edits": TIDIED}


def standing(scene: Scene) -> dict[str, str | None]:
    """Say what the files hold of which the change speaks."""
    first = scene.machine("first")
    disk, tree = first.disk(), first.tree()
    if {n: disk.get(n) for n in TIDIED} != {n: tree.get(n) for n in TIDIED}:
        raise Lost("the disk is not as the last commit")
    return {n: disk[n].decode() if n in disk else None for n in TIDIED}


def kill(scene: Scene, what: str, **where: Any) -> Ended:
    """Kill the change, and let the next cycle go on; nobody may see a half of it."""
    scene.reset()
    before = standing(scene)
    ended = scene.run(what=what, harm=what, **where, **JOB)
    label = f"{what} at {where} {ended.seen[-1:]}"
    scene.check(label)
    if standing(scene) not in (before, TIDIED):
        raise Lost(f"{label}: half of it: {standing(scene)}")
    first = scene.machine("first")
    subjects = first.git("log", "--format=%s", cwd=first.root).splitlines()
    made = subjects.count("memory(*): tidy")
    if made != (standing(scene) == TIDIED):
        raise Lost(f"{label}: {made} commits for {standing(scene)}")
    names = [PurePosixPath(name).name for name in TIDIED]
    if any(name in line for line in subjects for name in names):
        raise Lost(f"{label}: a part was committed by itself: {subjects}")
    return ended


def test_files_that_change_together_are_one_commit(scene):
    scene.go_to(moments.tidy)

    ended = scene.run(**JOB)

    assert not ended.error, ended.trace
    assert standing(scene) == TIDIED
    scene.check("a change that nobody disturbs")


def test_no_kill_at_a_file_operation_leaves_a_half_of_it(scene, is_full, tally):
    scene.go_to(moments.tidy)
    seen = scene.run(**JOB).seen
    points = [n for n, name in enumerate(seen, 1) if name in CHANGES]

    points = chosen(points, 12, is_full)
    tally.each("kill", points, lambda n: kill(scene, "kill", at=n))
    tally.each("kill-after", points, lambda n: kill(scene, "kill-after", at=n))

    tally.demand(killed=1.0)


def test_no_kill_round_a_call_of_git_leaves_a_half_of_it(scene, is_full, tally):
    scene.go_to(moments.tidy)
    scene.run(**JOB)
    calls = chosen(range(1, scene.calls() + 1), 5, is_full)

    tally.each("kill-before", calls, lambda n: kill(scene, "kill-before", call=n))
    tally.each("kill-after", calls, lambda n: kill(scene, "kill-after", call=n))

    tally.demand(killed=1.0)


def test_a_disk_that_is_full_leaves_no_half_of_it(scene, is_full, tally):
    scene.go_to(moments.tidy)
    seen = scene.run(**JOB).seen
    points = [n for n, name in enumerate(seen, 1) if name in CHANGES]

    points = chosen(points, 6, is_full)
    tally.each("ENOSPC", points, lambda n: kill(scene, "ENOSPC", at=n))

    tally.demand(allowed={"DiskFull", "Busy"})


def test_an_agent_that_edits_meanwhile_is_never_overwritten(scene, is_full, tally):
    scene.go_to(moments.tidy)
    seen = scene.run(**JOB).seen
    points = [n for n, name in enumerate(seen, 1) if name in CHANGES]

    points = chosen(points, 12, is_full)
    deeds = [["append", "many/n01.md", "edited\n"], ["append", "many/n03.md", "late\n"]]
    tally.each("agent", points, lambda n: meddled(scene, n, deeds))

    tally.demand(allowed={"StaleWrite", "Busy"})


def meddled(scene: Scene, at: int, deeds: list[list[str]]) -> Ended:
    """Let an agent edit two of the files, and demand that its words are there."""
    scene.reset()
    ended = scene.run(what="agent", at=at, deeds=deeds, **JOB)
    scene.tokens |= {text.strip() for text in ended.done}
    scene.check(f"an agent at {at} {ended.error}")
    return ended


def test_a_half_of_it_is_found_where_nothing_is_written_down(scene):
    scene.go_to(moments.tidy)
    plant = "no_journal"
    seen = scene.run(plant=plant, **JOB).seen
    moved = len(seen) - seen[::-1].index("git update-ref")
    points = [n for n in range(moved - 60, moved) if seen[n - 1] in {"unlink", "fsync"}]

    found = first_loss(
        (partial(kill, scene, "kill", at=n, plant=plant) for n in points), "half of it"
    )

    assert "half of it" in found
