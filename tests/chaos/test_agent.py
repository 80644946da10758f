"""Let an agent write at every moment of a cycle, and kill cycles at any moment."""

import itertools
import random
import threading
from collections.abc import Iterator

import pytest
from tests.chaos.sample import SEED, chosen
from tests.chaos.scene import Scene

from gitmem.errors import GitmemError

# What the other machine edited, deleted, moved and made a folder of, and what is ours.
PATHS = ("notes/theirs.md", "gone.md", "notes/moved.md", "swap", "fresh.md")


def meddle(scene: Scene, deed: str, at: int, span: int = 0, plant: str = ""):
    scene.reset()
    deeds = [[deed, path, f"\n{word()}\n"] for path in PATHS]
    return scene.strike("agent", at=at, deeds=deeds, span=span, plant=plant)


def word(numbers: Iterator[int] = itertools.count()) -> str:  # noqa: B008
    return f"agent{next(numbers):06}x"


@pytest.mark.parametrize(
    ("deed", "span"), [("append", 0), ("replace", 0), ("hold", 6), ("hold", 40)]
)
def test_what_an_agent_writes_at_any_moment_is_kept(
    scene, seen, is_full, deed, span, tally
):
    points = range(1, len(seen) + 1)

    tally.each(
        f"{deed} {span}",
        chosen(points, 3, is_full),
        lambda point: meddle(scene, deed, point, span),
    )

    # A file that is open for long comes with the next cycle.
    tally.demand(allowed={"Busy"} if deed == "hold" else set())


class Life(threading.Thread):
    """Edits files, or syncs another machine, until it is told to pause."""

    def __init__(self, scene: Scene, seed: str) -> None:
        super().__init__(daemon=True)
        self.scene = scene
        self.dice = random.Random(seed)  # noqa: S311
        self.is_over = threading.Event()
        self.errors: list[str] = []

    def run(self) -> None:
        while not self.is_over.is_set():
            try:
                self.step()
            except (OSError, GitmemError) as error:
                self.errors.append(repr(error))

    def step(self) -> None:
        raise NotImplementedError

    def end(self) -> None:
        self.is_over.set()
        self.join()


class Other(Life):
    """The other machine: it keeps writing and pushing."""

    def step(self) -> None:
        machine = self.scene.machine("second")
        path = machine.root / f"there{self.dice.randrange(5)}.md"
        add(path, self.scene.token())
        add(machine.root / "shared.md", self.scene.token())
        machine.cycle()
        self.is_over.wait(self.dice.uniform(0.1, 0.5))


class Agent(Life):
    """An agent on the machine whose cycles are killed."""

    def step(self) -> None:
        root = self.scene.machine("first").root
        path = root / f"here{self.dice.randrange(5)}.md"
        match self.dice.choice(["add", "add", "whole", "aside", "move", "shared"]):
            case "add":
                add(path, self.scene.token())
            case "shared":
                add(root / "shared.md", self.scene.token())
            case "whole":
                text = path.read_text()
                path.write_text(f"{text}{self.scene.token()}\n")
            case "aside":
                text = path.read_text()
                beside = path.with_suffix(".md~")
                beside.write_text(f"{text}{self.scene.token()}\n")
                beside.rename(path)
            case "move":
                target = root / f"moved{self.dice.randrange(10**6)}.md"
                path.rename(target)
        self.is_over.wait(self.dice.uniform(0, 0.05))


def add(path, token: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{token}\n\n")


def kill_often(scene: Scene, tally, dice: random.Random, count: int) -> None:
    """Kill so many cycles while the agent and the other machine go on; then look."""
    scene.reset()
    lives = [Agent(scene, f"a{dice.random()}"), Other(scene, f"o{dice.random()}")]
    for life in lives:
        life.start()
    while tally.counts["killed"] < count:
        tally.add(
            "random",
            scene.run(
                kill_after=dice.uniform(0.005, 0.4),
                with_children=dice.random() < 0.7,
                wait_for_orphans=False,
            ),
        )
    for life in lives:
        life.end()
    for _ in range(2):
        for name in ("first", "second"):
            ended = scene.run(name)
            assert not ended.error, ended.trace
    scene.compare(f"after {count} kills")


def kill_to(goals, scene: Scene, tally, dice: random.Random) -> None:
    for goal in goals:
        kill_often(scene, tally, dice, goal)


def test_random_kills_lose_nothing_while_everybody_writes(scene, is_full, tally):
    dice = random.Random(SEED)  # noqa: S311
    goals = range(50, 1001, 50) if is_full else [20, 40]

    kill_to(goals, scene, tally, dice)

    tally.demand(allowed={"Busy"})
