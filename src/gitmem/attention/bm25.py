"""Rank a few texts by the words of another one; pure.

For what is in no index: files chosen a moment ago, the messages of a session.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from gitmem.catalog.analysis import shaped
from gitmem.catalog.query import is_stop_word

_K1: Final = 1.2
_B: Final = 0.75
_WORD: Final = re.compile(r"[^\W_]+")
_SHORTEST: Final = 2


def scores(query: str, texts: Sequence[str]) -> tuple[float, ...]:
    """Score every text by the words that it shares with the query; 0 for none."""
    wanted = set(tokens(query))
    counts = [Counter(tokens(text)) for text in texts]
    lengths = [counted.total() for counted in counts]
    average = sum(lengths) / len(lengths) if any(lengths) else 1.0
    rarity = {word: _rarity(word, counts) for word in wanted}
    return tuple(
        sum(
            rarity[word] * _weight(counted[word], length / average)
            for word in wanted
            if counted[word]
        )
        for counted, length in zip(counts, lengths, strict=True)
    )


def tokens(text: str) -> list[str]:
    """Cut a text into the words that say something; unspaced scripts into signs."""
    found = _WORD.findall(shaped(text).casefold())
    return [word for word in found if _says(word)]


def _says(word: str) -> bool:
    is_long = len(word) >= _SHORTEST or not word.isascii()
    return is_long and not is_stop_word(word)


def _rarity(word: str, counts: Sequence[Counter[str]]) -> float:
    holding = sum(1 for counted in counts if counted[word])
    return math.log(1 + (len(counts) - holding + 0.5) / (holding + 0.5))


def _weight(count: int, length: float) -> float:
    return count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * length))
