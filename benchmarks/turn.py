"""Say where the time of a turn goes, in the process that answers it.

A turn is answered as a daemon does it, with what that keeps between two turns, and each
step is timed by the processor time of its thread, less that of the steps within it.
"""

import argparse
import importlib
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import corpus
from table import show

from gitmem.app import Caller, Kept, connect
from gitmem.daemon import moments
from gitmem.process import environment
from hook import Host

# What a person would call a step, and the function that does it.
STEPS: Final = (
    ("read what the host says", "gitmem.daemon.moments", "read_hook"),
    ("which project", "gitmem.app", "identify"),
    ("settings", "gitmem.app", "load"),
    ("where programs may be", "gitmem.app", "narrow_search"),
    ("sign of life", "gitmem.service.visits", "meet"),
    ("what the session knows", "gitmem.service.handing", "known"),
    ("what came up", "gitmem.service.telling", "_news"),
    ("which layers", "gitmem.service.attending", "_layers"),
    ("words of the prompt", "gitmem.service.attending", "ask"),
    ("find", "gitmem.catalog.bearing", "_bearing"),
    ("look rows up", "gitmem.catalog.bearing", "recall"),
    ("weigh", "gitmem.service.attending", "judge"),
    ("follow relations", "gitmem.service.attending", "_with_reached"),
    ("choose, and read the files", "gitmem.service.attending", "select"),
    ("count what is held", "gitmem.catalog.bearing", "held"),
    ("write the text", "gitmem.service.pointing", "tell"),
    ("note what was told", "gitmem.service.telling", "change"),
)
WHOLE: Final = "all of it"
EARLIER_TURNS: Final = 20


class Clock:
    """Times steps that lie within one another."""

    def __init__(self) -> None:
        """Watch every step from now on."""
        self.spent: dict[str, float] = {}
        self._inside: list[float] = []
        for name, module, function in STEPS:
            place = importlib.import_module(module)
            setattr(place, function, self.timed(name, getattr(place, function)))

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Give the function, timed."""

        def run(*given: Any, **named: Any) -> Any:  # noqa: ANN401  what it takes
            self._inside.append(0.0)
            began = time.thread_time()
            try:
                return function(*given, **named)
            finally:
                took = time.thread_time() - began
                own = took - self._inside.pop()
                self.spent[name] = self.spent.get(name, 0.0) + own
                if self._inside:
                    self._inside[-1] += took

        return run


def main() -> None:
    """Print a table for each kind of prompt."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000, help="memories")
    parser.add_argument("--runs", type=int, default=100, help="turns of each kind")
    wish = parser.parse_args()
    made = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with made as folder:
        host = Host(Path(folder), wish.size)
        clock, kept = Clock(), Kept()
        for words in (8, 100):
            session = f"{words} words"
            for prompt in corpus.prompts(EARLIER_TURNS, words):
                turn(host, kept, session, prompt)
            times = [
                spent(clock, host, kept, session, prompt)
                for prompt in corpus.prompts(wish.runs, words)
            ]
            title = f"A turn of {words} words, {wish.size} memories"
            show(title, ("step", "ms", "of all"), rows(times))
        kept.catalog.close()


def spent(
    clock: Clock, host: Host, kept: Kept, session: str, prompt: str
) -> dict[str, float]:
    """Take one turn, and say how long each step took."""
    clock.spent = {}
    clock.timed("the rest", turn)(host, kept, session, prompt)
    found, clock.spent = clock.spent, {}
    return {**found, WHOLE: sum(found.values())}


def turn(host: Host, kept: Kept, session: str, prompt: str) -> str:
    """Answer a turn as a daemon does."""
    said = {"session_id": session, "cwd": str(host.project), "prompt": prompt}
    hook = moments.read_hook(
        {
            "host": "claude-code",
            "event": "UserPromptSubmit",
            "payload": json.dumps(said),
            "pid": os.getpid(),
        }
    )
    service = connect(
        host.project,
        environment=environment(),
        caller=Caller(hook.visit.host, hook.visit.id),
        kept=kept,
    )
    return hook.answer(moments.reply(service, hook))


def rows(times: list[dict[str, float]]) -> list[tuple[str, float, str]]:
    """Give the middle of each step, the longest first."""
    names = dict.fromkeys(name for each in times for name in each)
    middle = {
        name: statistics.median(each.get(name, 0.0) for each in times) * 1e3
        for name in names
    }
    ordered = sorted(middle, key=lambda name: -middle[name])
    whole = middle[WHOLE]
    return [(name, middle[name], f"{middle[name] / whole:.0%}") for name in ordered]


if __name__ == "__main__":
    sys.exit(main())
