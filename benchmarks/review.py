"""Time the review of a large tape: from a key to the screen, and to begin with.

A key counts until the last cell that it changed was handed to the terminal. Work is
the time of this process alone, which a busy machine stretches less.
"""

import argparse
import asyncio
import random
import time
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any

from table import seconds, show

from gitmem.service.reviewing import Replayed, Reviewed
from gitmem.tape.anchor import HANDOFF, SESSION, Anchor, Meta
from gitmem.tui.app import Review
from gitmem.tui.model import Model
from gitmem.tui.page import page

NOW = datetime(2026, 4, 4, 12, 30, tzinfo=UTC)
PARTS = ("de", "ploy", "roll", "back", "test", "auth", "mig", "rate", "data", "plan")
TYPED = ("deploy", "rolback", "2026-04", "auth", "keyword-sync", "migrat", "plan")
SIZES = ((80, 24), (200, 50))
LIFECYCLE = 0.4  # so much of a tape


class Desk:
    """A tape in memory: what is timed is the review, not the disk."""

    def __init__(self, count: int) -> None:
        """Make as many anchors."""
        chance = random.Random(count)  # noqa: S311  no secret depends on it
        words = ["".join(chance.choices(PARTS, k=2)) for _ in range(200)]
        self.anchors = tuple(anchor(number, chance, words) for number in range(count))

    def review(self) -> Reviewed:
        """Give the tape."""
        return Reviewed("beacon", self.anchors, ())

    def replay(self, anchor_id: str) -> Replayed:
        """Nobody reads here."""
        return Replayed(self.anchors[0], note=anchor_id)

    def delete(self, anchor: str) -> None:
        """Nobody deletes here."""

    def check_out(self, thread: str, node: str) -> None:
        """There is no thread here."""

    def archive(self, thread: str, node: str) -> None:
        """There is no thread here."""


def anchor(number: int, chance: random.Random, words: list[str]) -> Anchor:
    """Make an anchor of the kind that a busy project has."""
    at, session = NOW - timedelta(minutes=41 * number), f"session-{number // 9}"
    if chance.random() < LIFECYCLE:
        name = chance.choice(["session/startup", "session/resume", "session/end"])
        return Anchor(f"{number:016x}", at, name, SESSION, Meta(), session, "e")
    keywords = tuple(chance.sample(words, 2))
    meta = Meta("keyword", keywords, " ".join(chance.choices(words, k=9)), "decision")
    name = f"handoff/keyword-{keywords[0]}-{at:%H%M%S}"
    return Anchor(f"{number:016x}", at, name, HANDOFF, meta, session, "e")


class Timed(Review):
    """A review that notes when it handed something to the terminal."""

    drawn = 0.0
    worked = 0.0

    def _display(self, screen: Any, renderable: Any) -> None:  # noqa: ANN401  textual's
        if hasattr(renderable, "render_segments"):
            renderable.render_segments(self.console)
        super()._display(screen, renderable)
        self.drawn, self.worked = time.perf_counter(), time.process_time()


async def keystrokes(
    desk: Desk, size: tuple[int, int], filters: int
) -> tuple[list[float], list[float]]:
    """Type filters, and take each of them back: times, and work."""
    app = Timed(desk, Model(desk.review(), 100), lambda: Model(desk.review(), 100))
    times, work = [], []
    async with app.run_test(size=size) as pilot:
        await app.workers.wait_for_complete()
        await pilot.press("slash")
        for typed in TYPED[:filters]:
            for key in (*typed, *["backspace"] * len(typed)):
                await pilot.pause()
                start, spent = time.perf_counter(), time.process_time()
                await pilot.press("minus" if key == "-" else key)
                times.append(app.drawn - start)
                work.append(app.worked - spent)
    return sorted(times), sorted(work)


def measure(count: int, filters: int) -> list[list[object]]:
    """Measure one size of tape."""
    desk = Desk(count)
    model = Model(desk.review())
    once = {
        "make ready": lambda: Model(desk.review()),
        "make the index": model.warm,
        "write the page": lambda: page("beacon", model.view(), "now"),
    }
    rows: list[list[object]] = [
        [what, count, 1e3 * seconds(action), "", "", ""]
        for what, action in once.items()
    ]
    for size in SIZES:
        times, work = asyncio.run(keystrokes(desk, size, filters))
        figures = [times[len(times) // 2], times[len(times) * 99 // 100]]
        figures += [work[len(work) // 2], work[len(work) * 99 // 100]]
        what = f"key to screen, {size[0]}x{size[1]}"
        rows.append([what, count, *(1e3 * each for each in figures)])
    return rows


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--filters", type=int, default=len(TYPED))
    given = parser.parse_args()
    head = ("what", "anchors", "p50 ms", "p99 ms", "work p50 ms", "work p99 ms")
    rows = (measure(count, given.filters) for count in given.sizes)
    show("Review", head, chain.from_iterable(rows))


if __name__ == "__main__":
    main()
