"""Time things that are to be compared in one run, and print a table."""

import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence


def seconds(action: Callable[[], object]) -> float:
    """Time one run."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def median(action: Callable[[], object], runs: int) -> float:
    """Time several runs; one figure on a noisy machine says nothing."""
    return statistics.median(seconds(action) for _ in range(runs))


def spread(actions: Iterable[Callable[[], object]]) -> tuple[float, float]:
    """Time each once: the median, and what all but one in a hundred stay below."""
    times = sorted(seconds(action) for action in actions)
    return statistics.median(times), times[min(len(times) - 1, len(times) * 99 // 100)]


def show(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    text = "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)
    sys.stdout.write(f"\n{title}\n\n{text}\n")


def _cell(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
