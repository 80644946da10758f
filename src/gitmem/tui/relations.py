"""Which keywords there are, and which of them stand in one anchor; pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from gitmem.tui.rows import Row
from gitmem.tui.text import BAR, FAINT, HANDOFF, Line, line

MOST: Final = 100
MOST_RELATED: Final = 8
_BAR_CELLS: Final = 20
# Of what an anchor names; a forged one may name thousands.
_MOST_OF_ONE: Final = 20


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword, in how many anchors it is, and with which others."""

    word: str
    count: int
    related: tuple[tuple[str, int], ...] = ()


def relations(rows: Iterable[Row]) -> tuple[Keyword, ...]:
    """Relate the keywords of anchors, the most frequent first."""
    spelled: dict[str, str] = {}
    counts: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for row in rows:
        words = {each.casefold(): each for each in row.keywords[:_MOST_OF_ONE]}
        spelled |= words
        counts.update(words.keys())
        pairs.update(combinations(sorted(words), 2))
    related: dict[str, list[tuple[str, int]]] = {}
    for (one, other), count in pairs.items():
        related.setdefault(one, []).append((spelled[other], count))
        related.setdefault(other, []).append((spelled[one], count))
    ordered = sorted(counts, key=lambda word: (-counts[word], word))
    return tuple(
        Keyword(spelled[word], counts[word], _strongest(related.get(word, [])))
        for word in ordered[:MOST]
    )


def drawn(keywords: Sequence[Keyword]) -> tuple[Line, ...]:
    """Draw each keyword with a bar, and below it those that it stands with.

    A key is what a filter would have to be for these anchors.
    """
    most = max((each.count for each in keywords), default=1)
    lines: list[Line] = []
    for each in keywords:
        bar = "█" * max(1, each.count * _BAR_CELLS // most)
        lines += [line()] if lines else []
        lines.append(
            line((bar, BAR), f" {each.count} ", (each.word, HANDOFF), key=each.word)
        )
        lines += _related(each)
    return tuple(lines)


def _related(keyword: Keyword) -> Iterable[Line]:
    strongest = max((count for _, count in keyword.related), default=1)
    width = len(str(strongest))
    for number, (word, count) in enumerate(keyword.related, start=1):
        corner = "└" if number == len(keyword.related) else "├"
        drawn = ("━" if 2 * count > strongest else "─") * 2
        yield line(
            (f"{corner}{drawn} {count:>{width}} ", FAINT),
            word,
            key=f"{keyword.word} {word}",
        )


def _strongest(related: list[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    ordered = sorted(related, key=lambda each: (-each[1], each[0]))
    return tuple(ordered[:MOST_RELATED])
