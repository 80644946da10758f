"""Find anchors by words that need not be spelled right, as fast as they are typed.

Words are compared with the distinct words of all anchors, of which there are far fewer
than anchors; an anchor is found when each typed word is in it, or nearly.
"""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.tui.rows import Row

# Below that, a word is another word; above, it lacks or swaps a letter or two.
NEAR: Final = 0.86
# What is shorter is near to too much.
LEAST_FUZZY: Final = 3
_PARTS: Final = re.compile(r"\w+")


class Index:
    """The words of anchors, and which anchors have them."""

    def __init__(self, rows: Sequence[Row]) -> None:
        """Gather the words once."""
        self._rows = rows
        self._whole: dict[str, list[int]] = {}
        self._parts: dict[str, list[int]] = {}
        for number, row in enumerate(rows):
            text = " ".join(row.texts()).casefold()
            for word in set(text.split()):
                self._whole.setdefault(word, []).append(number)
            for part in set(_PARTS.findall(text)):
                self._parts.setdefault(part, []).append(number)
        # A number is another number, however near.
        self._fuzzy = tuple(part for part in self._parts if not part.isdecimal())

    def find(self, query: str) -> tuple[Row, ...]:
        """Give the anchors that have every word; one that is nowhere, nearly.

        The nearest come first; those that are equally near stay in their order.
        """
        typed = query.casefold().split()
        if not typed:
            return tuple(self._rows)
        exact = list(map(self._exact, typed))
        near = [
            self._near(word)
            for word, found in zip(typed, exact, strict=True)
            if not found
        ]
        found = set.intersection(*filter(None, exact), *map(set, near))
        if not near:
            return tuple(self._rows[each] for each in sorted(found))
        scores = {each: round(sum(it[each] for it in near), 3) for each in found}
        ordered = sorted(found, key=lambda each: (-scores[each], each))
        return tuple(self._rows[each] for each in ordered)

    def _exact(self, typed: str) -> set[int]:
        lists = (having for word, having in self._whole.items() if typed in word)
        return set().union(*lists)

    def _near(self, typed: str) -> dict[int, float]:
        if len(typed) < LEAST_FUZZY:
            return {}
        from rapidfuzz import process  # compiled, few need
        from rapidfuzz.distance import JaroWinkler

        found = process.extract(
            typed,
            self._fuzzy,
            scorer=JaroWinkler.similarity,
            score_cutoff=NEAR,
            limit=None,
        )
        scores: dict[int, float] = {}
        # The nearest come first, and have the last word.
        for part, near, _ in reversed(found):
            # What one has typed more of is another word.
            if len(part) < len(typed) - 1:
                continue
            scores.update(dict.fromkeys(self._parts[part], near))
        return scores
