"""Bring what words find and what meaning finds into one order; pure."""

from collections.abc import Mapping
from typing import Final

# Measured on public data by others and here; see docs/benchmarks.md.
WORDS: Final = 0.7
MEANING: Final = 0.3
# Texts that have nothing to do with each other stay below it.
LEAST_ALIKE: Final = 0.3


def fused(
    scores: Mapping[str, float], cosines: Mapping[str, float]
) -> dict[str, float]:
    """Weigh the scores by words, relative to the best, with the cosines.

    What has no word of the query is found only if it is enough alike.
    """
    best = max(scores.values(), default=0.0) or 1.0
    by_words = {path: WORDS * score / best for path, score in scores.items()}
    alike = {
        path: MEANING * cosine
        for path, cosine in cosines.items()
        if path in scores or cosine >= LEAST_ALIKE
    }
    return {
        path: by_words.get(path, 0.0) + alike.get(path, 0.0)
        for path in by_words.keys() | alike.keys()
    }
