"""Find anchors by words that need not be spelled right, as fast as they are typed.

Words are compared with the distinct words of all anchors, of which there are far fewer
than anchors; an anchor is found when each typed word is in it, or nearly.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gitmem.tui.rows import Row

# Below that, a word is another word; above, it lacks or swaps a letter or two.
NEAR: Final = 0.86
# What is shorter is near to too much.
LEAST_FUZZY: Final = 3
EXACT: Final = 1.0
_PARTS: Final = re.compile(r"\w+")


class Index:
    """The words of anchors, and which anchors have them."""

    def __init__(self, rows: Sequence[Row]) -> None:
        """Gather the words once."""
        self._rows = rows
        self._having: dict[str, list[int]] = {}
        for number, row in enumerate(rows):
            for word in set(_words(row)):
                self._having.setdefault(word, []).append(number)
        self._known = tuple(self._having)
        self._plain = tuple(word for word in self._known if _PARTS.fullmatch(word))

    def find(self, query: str) -> tuple[Row, ...]:
        """Give the anchors that have every word: as typed first, then the nearest.

        Those that are equally near stay in their order.
        """
        typed = query.casefold().split()
        if not typed:
            return tuple(self._rows)
        scores = self._scores(typed[0])
        for word in typed[1:]:
            more = self._scores(word)
            scores = {
                each: score + more[each]
                for each, score in scores.items()
                if each in more
            }
        found = sorted(scores, key=lambda each: (-round(scores[each], 3), each))
        return tuple(self._rows[each] for each in found)

    def _scores(self, typed: str) -> dict[int, float]:
        scores: dict[int, float] = {}
        for word, near in self._near(typed):
            for number in self._having[word]:
                scores[number] = max(near, scores.get(number, 0.0))
        return scores

    def _near(self, typed: str) -> Iterator[tuple[str, float]]:
        if len(typed) >= LEAST_FUZZY:
            from rapidfuzz import process  # compiled, few need
            from rapidfuzz.distance import JaroWinkler

            for word, near, _ in process.extract(
                typed,
                self._plain,
                scorer=JaroWinkler.similarity,
                score_cutoff=NEAR,
                limit=None,
            ):
                yield word, min(near, NEAR)
        yield from ((word, EXACT) for word in self._known if typed in word)


def _words(row: Row) -> Iterator[str]:
    """Split what an anchor says at spaces, and what that gives at other signs too."""
    for text in row.texts():
        for word in text.casefold().split():
            yield word
            yield from _PARTS.findall(word)
