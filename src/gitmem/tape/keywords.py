"""Find the words in a prompt that ask for an anchor; pure."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

LEAST_CHARACTERS: Final = 10
MOST_CHARACTERS: Final = 300
PREFIX: Final = "handoff/keyword-"
_SLUG_LIMIT: Final = 60
# Scripts that are written without spaces between words.
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
# What belongs to the name of a language, such as C++ and C#.
_SIGNS: Final = re.compile(r"\+\+|[+#](?!\w)")


@dataclass(frozen=True, slots=True)
class Matched:
    """The words that a prompt holds, the longest first."""

    keywords: tuple[str, ...]

    def anchor_name(self, now: datetime) -> str:
        """Name the anchor that the longest word asks for."""
        time = now.astimezone(UTC).strftime("%H%M%S")
        return f"{PREFIX}{slug(self.keywords[0])}-{time}"


def match(prompt: str, keywords: Iterable[str]) -> Matched | None:
    """Find keywords in a prompt that is neither a word nor a whole document."""
    if not LEAST_CHARACTERS <= len(prompt.strip()) <= MOST_CHARACTERS:
        return None
    text = _folded(prompt)
    distinct = {_folded(word): word.strip() for word in keywords if word.strip()}
    found = [
        word
        for key, word in distinct.items()
        if any(_is_whole(text, *at) for at in _all(text, key))
    ]
    ordered = sorted(found, key=lambda word: (-len(_folded(word)), _folded(word)))
    return Matched(tuple(ordered)) if ordered else None


def slug(keyword: str) -> str:
    """Spell a keyword so that it can be part of an anchor's name."""
    spelled = _folded(keyword).replace("+", "plus").replace("#", "sharp")
    plain = re.sub(r"[\W_]+", "-", spelled).strip("-")[:_SLUG_LIMIT].strip("-")
    return plain or "word"


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _all(text: str, key: str) -> Iterable[tuple[int, int]]:
    start = text.find(key)
    while start >= 0:
        yield start, start + len(key)
        start = text.find(key, start + 1)


def _is_whole(text: str, start: int, end: int) -> bool:
    """Say whether a place in a text begins and ends as a word does."""
    before, after = text[start - 1 : start], text[end : end + 1]
    first, last = text[start], text[end - 1]
    if _is_letter(first) and _is_letter(before):
        return False
    if not _is_letter(first) and before == first:
        return False
    if _is_letter(last):
        return not _is_letter(after) and not _SIGNS.match(text, end)
    return after != last and not (last == "+" and after == "+")


def _is_letter(character: str) -> bool:
    """Say whether a character holds a word together with one beside it."""
    if not character or _UNSPACED.match(character):
        return False
    return character == "_" or character.isalnum() or _is_mark(character)


def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("M")
