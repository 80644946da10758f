"""Say what in a text speaks for a memory, how strongly, and why; pure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from gitmem.attention import weights
from gitmem.attention.asking import is_everyday, looked_for
from gitmem.attention.weights import Weight
from gitmem.catalog.activation import Fired
from gitmem.catalog.bearing import Bearing, Found
from gitmem.memory.tags import canonical
from gitmem.memory.traits import Traits

NAMED_AT_MOST: Final = 4


@dataclass(frozen=True, slots=True)
class Signal:
    """One thing that counts for a memory, with its points and its reason."""

    name: str
    points: float
    reason: str


NOTHING: Final = Signal("", 0.0, "")


@dataclass(frozen=True, slots=True)
class Ear:
    """A text as memories are weighed against it; `hear` makes one.

    `rarities` say how much each word tells, from 1 for one that hardly any memory has,
    and `dilution` how much a long text finds by accident. `order` is that of the keys.
    """

    keys: Mapping[str, str]
    rarities: Mapping[str, float]
    dilution: float
    best_text: float
    order: Mapping[str, int]
    fired: Mapping[str, Fired] = field(default_factory=dict)


def hear(text: str, keys: Mapping[str, str], found: Found) -> Ear:
    """Measure a text once for all the memories that were found for it."""
    heard = found.heard
    memories = heard.memories + weights.UNSEEN_MEMORIES
    rarities = {
        each.label.casefold(): 1.0 - math.sqrt(min(1.0, each.holders / memories))
        for each in heard.words
    }
    best = weights.TEXT_FULL * math.log(2 + heard.memories)
    return Ear(
        keys=keys,
        rarities=rarities,
        dilution=max(1.0, math.sqrt(len(rarities) / weights.LONG_PROMPT_WORDS)),
        # A text without a word of its own is hardly about anything.
        best_text=best if looked_for(text)[1] else best / weights.EVERYDAY,
        order={key: number for number, key in enumerate(keys)},
        fired=found.fired,
    )


@dataclass(frozen=True, slots=True)
class Hearing:
    """A text, and a memory that was found for it."""

    ear: Ear
    found: Bearing


def relevance(hearing: Hearing, traits: Traits) -> tuple[Signal, ...]:
    """Say what in the text speaks for a memory; nothing where nothing does."""
    ear, found = hearing.ear, hearing.found
    signals = (
        _trigger(ear, traits),
        _rule(ear, found),
        _tag(ear, found),
        _words(ear, found),
        _text(ear, found),
    )
    return tuple(each for each in signals if each.points)


def _trigger(ear: Ear, traits: Traits) -> Signal:
    said = [ear.keys[key] for key in map(canonical, traits.triggers) if key in ear.keys]
    return _signal(weights.TRIGGER, float(bool(said)), "trigger", said)


def _rule(ear: Ear, found: Bearing) -> Signal:
    fired = [each for key, each in ear.fired.items() if key in found.names]
    said = list(dict.fromkeys(each.said for each in fired))
    meant = ", ".join(dict.fromkeys(each.domain for each in fired))
    return _signal(weights.RULE, float(bool(fired)), f"rule for {meant}", said)


def _tag(ear: Ear, found: Bearing) -> Signal:
    # A long prompt has thousands of keys, and a memory a handful of names.
    here = sorted(found.names & ear.keys.keys(), key=ear.order.__getitem__)
    said = [ear.keys[key] for key in here]
    strengths = (
        max(weights.LEAST_TAG, _rarity(ear, name, 1.0)) * _weight(name) for name in said
    )
    return _signal(weights.TAG, max(strengths, default=0.0), "tag", said)


def _words(ear: Ear, found: Bearing) -> Signal:
    """Add up the words that stand where a person chose what stands there."""
    places: dict[str, float] = {}
    for match in found.matches:
        for word in match.words:
            place = weights.PLACES[match.field]
            places[word] = max(place, places.get(word, 0.0))
    total = sum(
        _rarity(ear, word, 0.0) * place * _weight(word)
        for word, place in places.items()
    )
    strength = min(1.0, total / weights.RARE_WORDS) / ear.dilution
    return _signal(weights.WORDS, strength, "words", list(places))


def _text(ear: Ear, found: Bearing) -> Signal:
    """Put the full text's score on a scale that the size of the memory is not on."""
    strength = min(1.0, found.score / ear.best_text) / ear.dilution
    return _signal(weights.TEXT, strength, "its text", [])


def _signal(weight: Weight, strength: float, what: str, said: list[str]) -> Signal:
    if not strength:
        return NOTHING
    points = round(weight.points * strength, 1)
    return Signal(weight.name, points, f"{what} {named(said)}".strip())


def named(words: Sequence[str]) -> str:
    """Name the first few of some words."""
    return ", ".join(f"“{word}”" for word in words[:NAMED_AT_MOST])


def _rarity(ear: Ear, word: str, unheard: float) -> float:
    return ear.rarities.get(word.casefold(), unheard)


def _weight(word: str) -> float:
    return weights.EVERYDAY if is_everyday(word) else 1.0
