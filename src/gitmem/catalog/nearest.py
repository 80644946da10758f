"""Find the tags that somebody may have meant; pure."""

import difflib
from collections.abc import Sequence
from typing import Final

from gitmem.catalog.rows import TagCount
from gitmem.memory.tags import canonical

LIMIT: Final = 8
COMPARED: Final = 5_000
WORDS: Final = 12
LONGEST: Final = 64
SHORTEST_PART: Final = 3
CUTOFF: Final = 0.6


def nearest(text: str, known: Sequence[TagCount]) -> tuple[TagCount, ...]:
    """Rank the tags most like a text or one of its words."""
    by_key = {each.canonical: each for each in known[:COMPARED]}
    pieces = [text, *text.split(maxsplit=WORDS)[:WORDS]]
    words = [canonical(piece[:LONGEST]) for piece in pieces]
    scores: dict[str, float] = {}
    for word in dict.fromkeys(filter(None, words)):
        for key in _alike(word, list(by_key)):
            score = difflib.SequenceMatcher(None, word, key).ratio()
            scores[key] = max(score, scores.get(key, 0.0))
    ranked = sorted(scores, key=lambda key: (-scores[key], -by_key[key].memories, key))
    return tuple(by_key[key] for key in ranked[:LIMIT])


def _alike(word: str, keys: list[str]) -> list[str]:
    """List keys that look like the word, contain it, or are contained in it."""
    similar = difflib.get_close_matches(word, keys, n=LIMIT, cutoff=CUTOFF)
    parts = [
        key
        for key in keys
        if min(len(word), len(key)) >= SHORTEST_PART and (word in key or key in word)
    ]
    return [*similar, *parts[:LIMIT]]
