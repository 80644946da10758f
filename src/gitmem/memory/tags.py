"""Compare tags by what they mean, and check them against the two contracts; pure."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

TAGS_PER_MEMORY: Final = 3
TAGS_PER_LAYER: Final = 200
WORDS_PER_TAG: Final = 8
TAG_LIMIT_CHARACTERS: Final = 100

# Half of a character (Cs) is none, and no database takes it.
_SEPARATOR_CATEGORIES: Final = frozenset(
    {"Zs", "Zl", "Zp", "Pd", "Pc", "Cc", "Cf", "Cs"}
)
# Variation selectors and skin tones: how an emoji is drawn, not which it is.
_EMOJI_STYLES: Final = frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0x1F3FB, 0x1F400)))
)
_SYMBOLS: Final = frozenset({"So"})
# What the same comes to for ASCII: small letters, and no spaces, dashes and controls.
_PLAIN: Final = {
    **dict.fromkeys((*range(33), ord("-"), ord("_"), 127)),
    **{code: code + 32 for code in range(ord("A"), ord("Z") + 1)},
}
# Compiled where they are used: a turn has no use for them.
_HUMP: Final = r"(?<=[a-z0-9])(?=[A-Z])"
_CJK: Final = (
    "[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff]"
)


def canonical(tag: str) -> str:
    """Return the key under which spellings of one tag are the same.

    Case, width, what separates words, and how an emoji is drawn are dropped; `c`,
    `c++` and `c#` stay apart. What has no letter, digit or emoji is no tag: its key is
    empty.
    """
    if tag.isascii():
        # Nearly all are, and a turn asks for hundreds.
        key = tag.translate(_PLAIN).removeprefix("#")
        return key if key.isalnum() or any(map(str.isalnum, key)) else ""
    folded = unicodedata.normalize("NFKC", tag).casefold()
    folded = unicodedata.normalize("NFKC", folded).casefold()
    kept = (c for c in folded if not _is_dropped(c))
    key = unicodedata.normalize("NFKC", "".join(kept)).removeprefix("#")
    return key if any(map(_says_something, key)) else ""


def unique(tags: Iterable[str]) -> tuple[str, ...]:
    """Keep the first spelling of each tag, and what is no tag for whoever checks it."""
    spellings: dict[tuple[str, str], str] = {}
    for tag in filter(str.strip, tags):
        spellings.setdefault(_identity(tag), tag)
    return tuple(spellings.values())


class LayerTags:
    """The tags that a layer's memories carry; kept as memories come, change and go."""

    def __init__(self, tags: Iterable[str] = ()) -> None:
        """Begin with the tags of some memories, whatever is said twice."""
        self._spellings: dict[tuple[str, str], Counter[str]] = {}
        self.add(tags)

    @classmethod
    def of(cls, tags: Iterable[str]) -> "LayerTags":
        """Take tags as they are kept already, or gather them."""
        return tags if isinstance(tags, cls) else cls(tags)

    def add(self, tags: Iterable[str]) -> None:
        """Take in the tags of a memory."""
        for tag in filter(str.strip, tags):
            self._spellings.setdefault(_identity(tag), Counter())[tag] += 1

    def remove(self, tags: Iterable[str]) -> None:
        """Forget tags that were taken in."""
        for tag in filter(str.strip, tags):
            spelled = self._spellings[_identity(tag)]
            spelled[tag] -= 1
            if not spelled[tag]:
                del spelled[tag]
            if not spelled:
                del self._spellings[_identity(tag)]

    def __contains__(self, tag: str) -> bool:
        """Say whether a tag is there, however it is spelled."""
        return _identity(tag) in self._spellings

    def __len__(self) -> int:
        """Count the tags; spellings of one are one."""
        return len(self._spellings)

    def __iter__(self) -> Iterator[str]:
        """Give each tag as it was spelled first."""
        return (next(iter(spelled)) for spelled in self._spellings.values())


def nearest(tag: str, tags: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Return the tags that somebody who wrote `tag` may have meant, best first."""
    import difflib  # rare: 2 ms

    spellings = {canonical(known): known for known in reversed(unique(tags))}
    spellings.pop("", None)
    found = difflib.get_close_matches(canonical(tag), spellings, limit, cutoff=0.6)
    return tuple(spellings[key] for key in found)


def respelled(tags: Iterable[str], layer_tags: Iterable[str]) -> tuple[str, ...]:
    """Say which tags a layer spells in another way; they are the same tags there."""
    written, known = tuple(tags), tuple(layer_tags)
    spellings = {canonical(tag): tag for tag in reversed(unique(known))}
    pairs = ((tag, spellings.get(canonical(tag), tag)) for tag in written)
    return tuple(
        f"{tag!r} is spelled {other!r} in this layer; it is one tag"
        for tag, other in pairs
        if tag not in known and tag != other
    )


def check_free(tags: Iterable[str], layer_tags: Iterable[str] = ()) -> tuple[str, ...]:
    """Say what is wrong with a memory's tags when any number of them is allowed."""
    del layer_tags
    return tuple(_complaints_on_each(tuple(tags)))


def check_strict(
    tags: Iterable[str], layer_tags: Iterable[str] = (), had: Iterable[str] = ()
) -> tuple[str, ...]:
    """Say what breaks the strict contract, given the tags its layer has already.

    What the memory itself `had` may stay, however many its layer has.
    """
    written = tuple(tags)
    layer = LayerTags.of(layer_tags)
    return (
        *_complaints_on_each(written),
        *_complaints_on_count(written),
        *_complaints_on_length(written),
        *_complaints_on_layer(written, layer, LayerTags.of(had)),
    )


def _identity(tag: str) -> tuple[str, str]:
    """Tell tags apart, and each text that is none from every other."""
    key = canonical(tag)
    return key, "" if key else tag


def _is_dropped(character: str) -> bool:
    return (
        unicodedata.category(character) in _SEPARATOR_CATEGORIES
        or character in _EMOJI_STYLES
    )


def _says_something(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character) in _SYMBOLS


def _complaints_on_each(tags: tuple[str, ...]) -> Iterator[str]:
    seen: dict[str, str] = {}
    for tag in tags:
        key = canonical(tag)
        if not key:
            yield f"{tag!r} is no tag: write a word, or leave it out"
        elif "," in tag:
            yield f"{tag!r} is more than one tag: give each by itself, without a comma"
        elif key in seen:
            yield f"{tag!r} and {seen[key]!r} are the same tag: keep one"
        elif len(tag) > TAG_LIMIT_CHARACTERS or not tag.isprintable():
            yield f"{tag[:40]!r} is no tag: use a few words on one line"
        seen.setdefault(key, tag)


def _complaints_on_count(tags: tuple[str, ...]) -> Iterator[str]:
    if not tags:
        yield f"There are no tags: give 1 to {TAGS_PER_MEMORY}"
    elif len(unique(tags)) > TAGS_PER_MEMORY:
        yield f"There are {len(tags)} tags: keep at most {TAGS_PER_MEMORY}"


def _complaints_on_length(tags: tuple[str, ...]) -> Iterator[str]:
    for tag in tags:
        if _units(tag) > WORDS_PER_TAG:
            yield (
                f"{tag!r} is too long: use at most {WORDS_PER_TAG} words"
                f" or {WORDS_PER_TAG} CJK characters"
            )


def _complaints_on_layer(
    tags: tuple[str, ...], layer: LayerTags, had: LayerTags
) -> Iterator[str]:
    here = [tag for tag in unique(tags) if tag not in layer]
    new = [tag for tag in here if tag not in had]
    if new and len(layer) + len(here) > TAGS_PER_LAYER:
        some = tuple(islice(layer, TAGS_PER_LAYER))
        names = ", ".join(nearest(new[0], some) or some[:3])
        yield (
            f"The layer has {len(layer)} of {TAGS_PER_LAYER} tags, {new[0]!r} would be"
            f" a new one: use an existing tag, for example {names}"
        )


def _units(tag: str) -> int:
    """Count words, and each CJK character for one; accents and vowel signs are none."""
    whole = unicodedata.normalize("NFKC", tag)
    spaced = re.sub(_HUMP, " ", re.sub(_CJK, " ", whole))
    words = "".join(c if _is_of_a_word(c) else " " for c in spaced).split()
    return len(re.findall(_CJK, whole)) + len(words)


def _is_of_a_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character).startswith("M")
