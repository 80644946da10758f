"""Turn what a person typed into clauses that no text can make invalid; pure."""

import re
from dataclasses import dataclass, replace
from typing import Final

from gitmem.catalog.analysis import (
    EMOJI,
    SYMBOLS,
    UNSPACED,
    folded,
    is_unspaced,
    parts,
    runs,
)

LENGTH_LIMIT: Final = 4_000
CLAUSE_LIMIT: Final = 64
# A run this long is a sentence, not a word: its pairs of characters count as well.
SENTENCE_CHARACTERS: Final = 9
LOOSE_CHARACTERS: Final = 5
PART_WEIGHT: Final = 0.5

_QUOTES: Final = "\"'`()[]{}<>,;:!?*"
# A vowel sign that ends a word, as in Thai, is no punctuation round it.
_SIGN: Final = rf"(?:(?![{UNSPACED}])[\W_])+"
# Compiled when a word has such edges: most have none, and a hook would wait for it.
_EDGES: Final = rf"^{_SIGN}|{_SIGN}$"
_POSSESSIVE: Final = re.compile(r"['\u2019]s$", re.IGNORECASE)
STOP_WORDS: Final = frozenset(
    """
    a about above after again against all am an and any are aren as at be because
    been before being below between both but by can cannot could couldn d did didn
    do does doesn doing don down during each either etc few for from further had
    hadn has hasn have haven having he her here hers herself him himself his how i
    if in into is isn it its itself just ll m may me might mine more most must my
    myself neither no nor not now of off on once only or other ought our ours
    ourselves out over own please re s same shall shan she should shouldn so some
    such t than that the their theirs them themselves then there these they this
    those through to too under until up upon us ve very was wasn we were weren what
    when where which while who whom whose why will with won would wouldn you your
    yours yourself yourselves
    """.split()  # noqa: SIM905  a list has a line for each
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing to look for: a word, or several that must stand side by side."""

    text: str
    label: str
    weight: float = 1.0
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """Clauses of which any may match; the more match, the higher the score."""

    clauses: tuple[Clause, ...] = ()


def parse(text: str, *, is_prefix: bool = False, is_loose: bool = False) -> Query:
    """Read a query as typed.

    Stop words are dropped unless nothing else is left. With `is_prefix` the last word
    may be unfinished; with `is_loose` unspaced words also match by pairs of characters.
    """
    words = _words(text)
    meant = [word for word in words if not is_stop_word(word)]
    unique: dict[str, Clause] = {}
    for word in meant or words:
        for clause in _clauses(word, is_loose=is_loose):
            unique.setdefault(clause.text.casefold(), clause)
    clauses = list(unique.values())[:CLAUSE_LIMIT]
    if is_prefix and clauses and not text[-1:].isspace():
        clauses[-1] = replace(clauses[-1], is_prefix=True)
    return Query(tuple(clauses))


def is_stop_word(word: str) -> bool:
    """Tell whether a word says nothing about what is looked for."""
    small = word.casefold()
    if small.isalnum():
        return small in STOP_WORDS
    pieces = [piece for piece in re.split(r"[\W_]+", small) if piece]
    return bool(pieces) and all(piece in STOP_WORDS for piece in pieces)


def _words(text: str) -> list[str]:
    printable = text[:LENGTH_LIMIT].encode("utf-8", "replace").decode("utf-8")
    words = []
    for chunk in EMOJI.sub(r" \g<0> ", printable.replace("\0", " ")).split():
        bare = chunk.strip(_QUOTES)
        if bare.casefold() in SYMBOLS or EMOJI.fullmatch(bare):
            words.append(bare)
        elif any(c.isalnum() for c in bare):
            words.append(bare if bare.isalnum() else _without_edges(bare))
    return words


def _without_edges(word: str) -> str:
    return _POSSESSIVE.sub("", re.sub(_EDGES, "", word))


def _clauses(word: str, *, is_loose: bool) -> list[Clause]:
    if name := SYMBOLS.get(word.casefold()):
        return [Clause(name, word)]
    pieces = runs(folded(word))
    if len(pieces) == 1 and is_unspaced(pieces[0]):
        return _unspaced(word, is_loose=is_loose)
    found = [Clause(word, word)]
    for piece in pieces:
        if is_unspaced(piece):
            found += _unspaced(piece, is_loose=is_loose)
        else:
            found += _spaced(piece, is_alone=len(pieces) == 1)
    return found


def _spaced(piece: str, *, is_alone: bool) -> list[Clause]:
    """Look for the parts of an identifier side by side, and for each alone."""
    small = parts(piece)
    if is_alone and len(small) < 2:  # noqa: PLR2004  one part is the word itself
        return []
    found = [Clause(" ".join(small), piece)] if len(small) > 1 else []
    return found + [
        Clause(part, part, PART_WEIGHT) for part in small if not is_stop_word(part)
    ]


def _unspaced(run: str, *, is_loose: bool) -> list[Clause]:
    found = [Clause(run, run)]
    shortest = LOOSE_CHARACTERS if is_loose else SENTENCE_CHARACTERS
    if len(run) >= shortest:
        pairs = [run[at : at + 2] for at in range(len(run) - 1)]
        found += [Clause(pair, pair, PART_WEIGHT) for pair in pairs]
    return found
