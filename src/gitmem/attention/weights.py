"""The one table of what counts how much when a memory is weighed against a turn.

`docs/attention.md` shows it, and a test keeps that page true.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Weight:
    """One thing that counts: its points at full strength, and when it has that."""

    name: str
    points: float
    meaning: str


TRIGGER: Final = Weight(
    "trigger", 60.0, "a trigger of the memory was said, word for word"
)
RULE: Final = Weight(
    "rule", 30.0, "a rule of `activation.yaml` says that one of its domains is meant"
)
TAG: Final = Weight(
    "tag", 25.0, "a tag or subject of it was said; down to 0.6 for a common word"
)
WORDS: Final = Weight(
    "words", 40.0, "two rare words that were said stand in its title or description"
)
TEXT: Final = Weight("text", 24.0, "the full text answers to several rare words")
OPEN: Final = Weight("open loop", 12.0, "it is an open loop")
AMBIENT: Final = Weight("ambient", 4.0, "it asks to be kept in mind")
CRITICAL: Final = Weight("critical", 10.0, "its priority is critical")
HIGH: Final = Weight("high", 5.0, "its priority is high, or it is pinned")
LOW: Final = Weight("low", -6.0, "its priority is low")
RECENT: Final = Weight("recent", 5.0, "it changed today; half after 30 days")
READ: Final = Weight(
    "read", 4.0, "it was read many times after a cue; half for two, fading in months"
)
# The first five say whether it is about the turn at all.
RELEVANCE: Final = (TRIGGER, RULE, TAG, WORDS, TEXT)
TABLE: Final = (*RELEVANCE, OPEN, AMBIENT, CRITICAL, HIGH, LOW, RECENT, READ)

# Below so many points of relevance nothing is said, however important it is.
FLOOR: Final = 20.0
# So much relevance of the prompt itself, by so many words that were chosen for a
# memory, makes a turn clearly about it.
CLEARLY: Final = 50.0
CLEARLY_WORDS: Final = 2
# What was said in earlier turns counts less than the prompt that they widen.
BEFORE: Final = 0.7
RESERVED_FOR_OPEN: Final = 2

# How strong a signal is.
RARE_WORDS: Final = 2.0
# Everyday words of any task say little: so much of a word that is one's own.
EVERYDAY: Final = 0.35
# A tag was chosen to be found by, also where many memories carry it.
LEAST_TAG: Final = 0.6
TEXT_FULL: Final = 4.0
LONG_PROMPT_WORDS: Final = 8
# A handful of memories is no measure of which words are rare.
UNSEEN_MEMORIES: Final = 20
HALF_AGE_DAYS: Final = 30.0
# However often a memory was read, READ is the most that comes of it.
HALF_READS: Final = 2.0
# Where a word stands: what a person chose to write about a memory says more.
PLACES: Final = {"tags": 1.0, "title": 0.9, "description": 0.9, "path": 0.6}
