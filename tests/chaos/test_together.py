"""Kill a change of several files at everything that it does: all of it, or nothing."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from tests.chaos import moments
from tests.chaos.faults import CHANGES
from tests.chaos.moments import TIDIED
from tests.chaos.sample import chosen
from tests.chaos.scene import Ended, Lost, Scene
from tests.chaos.test_proof import first_loss


@dataclass(frozen=True)
class Case:
    """What changes several files, when, and how its commit is called."""

    moment: Callable[[Scene], None]
    job: dict[str, Any]
    subject: str


TIDY = Case(
    moments.tidy, {"verb": "together", "edits": TIDIED}, subject="memory(*): tidy"
)
UNDO = Case(
    moments.tidied, {"verb": "undo", "revision": "HEAD~1"}, subject="memory(*): undo "
)
each_case = pytest.mark.parametrize("case", [TIDY, UNDO], ids=["a tidying", "an undo"])


def disk(scene: Scene) -> dict[str, bytes]:
    return scene.machine("first").disk()


def subjects(scene: Scene) -> Counter[str]:
    """Say what this machine committed, merges left out."""
    commits = scene.machine("first").repository.commits()
    own = (each for each in commits if each.machine == "first")
    return Counter(each.subject for each in own if len(each.parents) < 2)


def undisturbed(scene: Scene, case: Case) -> tuple[dict[str, bytes], list[str]]:
    """Say what the files hold in the end, and what is done till then."""
    scene.go_to(case.moment)
    ended = scene.run(**case.job)
    assert not ended.error, ended.trace
    return disk(scene), ended.seen


def kill(
    scene: Scene, case: Case, done: dict[str, bytes], what: str, **where: Any
) -> Ended:
    """Kill the change, and let the next cycle go on; nobody may see a half of it."""
    scene.reset()
    before, known = disk(scene), subjects(scene)
    ended = scene.run(what=what, harm=what, **where, **case.job)
    label = f"{what} at {where} {ended.seen[-1:]}"
    scene.check(label)
    if disk(scene) not in (before, done):
        raise Lost(f"{label}: half of it: {disk(scene)}")
    new = list((subjects(scene) - known).elements())
    made = sum(each.startswith(case.subject) for each in new)
    if made != (disk(scene) == done):
        raise Lost(f"{label}: {made} commits for {disk(scene)}")
    if len(new) > made + 1:
        raise Lost(f"{label}: a part was committed by itself: {new}")
    return ended


def test_files_that_change_together_are_one_commit(scene):
    done, _ = undisturbed(scene, TIDY)

    assert {n: done[n].decode() if n in done else None for n in TIDIED} == TIDIED
    assert done == scene.machine("first").tree()
    scene.check("a change that nobody disturbs")


def test_an_undo_of_them_is_one_commit(scene):
    done, _ = undisturbed(scene, UNDO)

    first = scene.machine("first")
    old, late = first.tree("HEAD~4"), {"late.md": done["late.md"]}
    copy = {n: data for n, data in done.items() if ".conflict-" in n}
    assert len(copy) == 1
    assert done == {**old, **late, **copy, "many/n00.md": done["many/n00.md"]}
    assert done == first.tree()
    scene.check("an undo that nobody disturbs")


@each_case
def test_no_kill_at_a_file_operation_leaves_a_half_of_it(scene, case, is_full, tally):
    done, seen = undisturbed(scene, case)
    points = [n for n, name in enumerate(seen, 1) if name in CHANGES]

    points = chosen(points, 12, is_full)
    strike = partial(kill, scene, case, done)
    tally.each("kill", points, lambda n: strike("kill", at=n))
    tally.each("kill-after", points, lambda n: strike("kill-after", at=n))

    tally.demand(killed=1.0)


@each_case
def test_no_kill_round_a_call_of_git_leaves_a_half_of_it(scene, case, is_full, tally):
    done, _ = undisturbed(scene, case)
    calls = chosen(range(1, scene.calls() + 1), 5, is_full)

    strike = partial(kill, scene, case, done)
    tally.each("kill-before", calls, lambda n: strike("kill-before", call=n))
    tally.each("kill-after", calls, lambda n: strike("kill-after", call=n))

    tally.demand(killed=1.0)


@each_case
def test_a_disk_that_is_full_leaves_no_half_of_it(scene, case, is_full, tally):
    done, seen = undisturbed(scene, case)
    points = [n for n, name in enumerate(seen, 1) if name in CHANGES]

    points = chosen(points, 6, is_full)
    tally.each("ENOSPC", points, lambda n: kill(scene, case, done, "ENOSPC", at=n))

    tally.demand(allowed={"DiskFull", "Busy"})


@each_case
def test_an_agent_that_edits_meanwhile_is_never_overwritten(
    scene, case, is_full, tally
):
    _, seen = undisturbed(scene, case)
    points = [n for n, name in enumerate(seen, 1) if name in CHANGES]

    points = chosen(points, 12, is_full)
    deeds = [["append", "many/n01.md", "edited\n"], ["append", "many/n03.md", "late\n"]]
    tally.each("agent", points, lambda n: meddled(scene, case, n, deeds))

    tally.demand(allowed={"StaleWrite", "Busy"})


def meddled(scene: Scene, case: Case, at: int, deeds: list[list[str]]) -> Ended:
    """Let an agent edit two of the files, and demand that its words are there."""
    scene.reset()
    ended = scene.run(what="agent", at=at, deeds=deeds, **case.job)
    scene.tokens |= {text.strip() for text in ended.done}
    scene.check(f"an agent at {at} {ended.error}")
    return ended


def test_a_half_of_it_is_found_where_nothing_is_written_down(scene):
    done, _ = undisturbed(scene, TIDY)
    plant = "no_journal"
    scene.reset()
    seen = scene.run(plant=plant, **TIDY.job).seen
    moved = len(seen) - seen[::-1].index("git update-ref")
    points = [n for n in range(moved - 60, moved) if seen[n - 1] in {"unlink", "fsync"}]

    strike = partial(kill, scene, TIDY, done, "kill", plant=plant)
    found = first_loss((partial(strike, at=n) for n in points), "half of it")

    assert "half of it" in found
