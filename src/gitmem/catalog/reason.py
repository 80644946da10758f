"""Say which words of a query a memory has, in which fields, and show the place."""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gitmem.catalog.analysis import folded, path_words
from gitmem.catalog.query import Clause, Query
from gitmem.catalog.rows import Row

if TYPE_CHECKING:
    from gitmem.catalog.text import TextIndex

SNIPPET_CHARACTERS: Final = 200
BEFORE_MATCH: Final = 60
SHORT_LINE: Final = 80
SEARCHED_BYTES: Final = 200_000
COMPARED_LINES: Final = 24
# A stem may differ from its word in the last letter: `deploi`, `deploy`.
SHORTEST_STEM: Final = 4


@dataclass(frozen=True, slots=True)
class Match:
    """The words of a query that a field has."""

    field: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InBody:
    """What a body has of a query, and the line that has the most."""

    matches: tuple[Match, ...] = ()
    snippet: str = ""


@dataclass(frozen=True, slots=True)
class _Wanted:
    clause: Clause
    tokens: list[str]


class Reasons:
    """Explains the hits of one query."""

    def __init__(self, query: Query, text: "TextIndex") -> None:
        """Cut the query once for all hits."""
        self._text = text
        cut = ((clause, text.clause_tokens(clause)) for clause in query.clauses)
        self._wanted = [_Wanted(clause, tokens) for clause, tokens in cut if tokens]
        self._begins = any(each.clause.is_prefix for each in self._wanted)
        self._by_first: dict[str, list[int]] = {}
        for number, each in enumerate(self._wanted):
            self._by_first.setdefault(each.tokens[0], []).append(number)
        self._pattern = _pattern(self._wanted)

    def of_row(self, row: Row) -> tuple[Match, ...]:
        """Name the words in the fields that the row has."""
        return self.of_tokens(cut(row, self._text))

    def of_tokens(self, fields: Mapping[str, Sequence[str]]) -> tuple[Match, ...]:
        """Name the words in the fields of a row that was cut before."""
        found = ((name, self._among(tokens)) for name, tokens in fields.items())
        return tuple(
            Match(name, tuple(dict.fromkeys(each.clause.label for each in here)))
            for name, here in found
            if here
        )

    def of_body(self, data: bytes) -> InBody:
        """Name the words in a file's body, and cut out the best place."""
        from gitmem.memory.frontmatter.split import find  # not for turns
        from gitmem.secrets import conceal

        start = find(data).body
        body = data[start : start + SEARCHED_BYTES].decode("utf-8", "replace")
        lines = body.splitlines()
        best, at = 0.0, -1
        words: dict[str, None] = {}
        for number in self._candidates(lines):
            here = self._matching(lines[number])
            words.update(dict.fromkeys(each.clause.label for each in here))
            weight = sum(each.clause.weight * len(each.tokens) for each in here)
            if weight > best:
                best, at = weight, number
            if len(here) == len(self._wanted):
                break
        if not words:
            return InBody()
        # A credential is found whole or not at all, so before anything is cut out.
        near = conceal("\n".join(lines[at : at + 4])).split("\n")
        return InBody((Match("body", tuple(words)),), self._snippet(near))

    def _candidates(self, lines: Sequence[str]) -> list[int]:
        """List the lines worth a closer look: each costs a call of the tokenizer."""
        found = (
            number
            for number, line in enumerate(lines)
            if self._pattern.search(_plain(line))
        )
        return list(itertools.islice(found, COMPARED_LINES))

    def _matching(self, text: str) -> list[_Wanted]:
        return self._among(self._text.tokens(text))

    def _among(self, tokens: Sequence[str]) -> list[_Wanted]:
        if self._begins:
            return [each for each in self._wanted if _has(tokens, each)]
        # Most of what is wanted is in none of a memory's fields.
        firsts = self._by_first.keys() & tokens
        numbers = sorted(number for each in firsts for number in self._by_first[each])
        wanted = (self._wanted[number] for number in numbers)
        return [each for each in wanted if _has(tokens, each)]

    def _snippet(self, lines: Sequence[str]) -> str:
        line = lines[0]
        match = self._pattern.search(_plain(line))
        start = max(0, match.start() - BEFORE_MATCH) if match else 0
        start = 0 if start + BEFORE_MATCH < SNIPPET_CHARACTERS // 2 else start
        shown = line[start:]
        following = (each for each in lines[1:] if each.strip())
        while len(shown) < SHORT_LINE and (more := next(following, "")):
            shown = f"{shown} {more}"
        text = _printable(shown).strip("#*->| ")
        cut = text[:SNIPPET_CHARACTERS]
        return ("…" if start else "") + cut + ("…" if len(cut) < len(text) else "")


def cut(row: Row, text: "TextIndex") -> dict[str, tuple[str, ...]]:
    """Cut the fields that a row has into the tokens of the index."""
    fields = {
        "tags": " ".join(row.tags),
        "description": row.description,
        "title": row.title,
        "path": path_words(row.path),
    }
    return {name: tuple(text.tokens(said)) for name, said in fields.items() if said}


def _has(tokens: Sequence[str], wanted: _Wanted) -> bool:
    words = wanted.tokens
    if len(words) == 1:
        is_there = words[0] in tokens
        if wanted.clause.is_prefix and not is_there:
            begun = folded(wanted.clause.text).casefold()
            return any(token.startswith(begun) for token in tokens)
        return is_there
    return any(
        list(tokens[at : at + len(words)]) == words
        for at, token in enumerate(tokens)
        if token == words[0]
    )


def _pattern(wanted: Sequence[_Wanted]) -> re.Pattern[str]:
    """Match text that may have one of the words; what it misses is not there."""
    stems = {
        token if len(token) < SHORTEST_STEM else token[:-1]
        for each in wanted
        for token in each.tokens[:1]
    } | {_plain(each.clause.label) for each in wanted}
    return re.compile("|".join(map(re.escape, sorted(stems))) or "(?!)")


def _plain(line: str) -> str:
    return (line if line.isascii() else folded(line)).lower()


def _printable(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
