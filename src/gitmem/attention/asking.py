"""Read a prompt as what memories are looked for by, and widen one that says little."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from gitmem.catalog.analysis import is_unspaced, runs
from gitmem.catalog.query import is_stop_word
from gitmem.memory.tags import canonical

# A longer prompt has said what it is about by then.
PROMPT_CHARACTERS: Final = 4_000
PHRASE_WORDS: Final = 5
PHRASE_CHARACTERS: Final = 8
THIN_WORDS: Final = 3
# Of earlier turns, their ends: a question stands there that a thin prompt answers.
TURNS: Final = 4
TURN_CHARACTERS: Final = 400
# Words of every task, which alone are about nothing.
EVERYDAY: Final = frozenset(
    """
    add again ahead also anything back best better build change changes check code
    continue could create current different done edit else even every everything
    file files find first fix folder following get give go going good got great
    happen help implement improve instead issue keep know last let lets like line
    list look make makes making many maybe move much name need needs new next nice
    note okay ok old one open option part place please point possible problem
    project put question read really remove rename right run same say see set
    should show simple small something start still stop sure take tell test tests
    thank thanks thing things think time today together tomorrow try turn two
    update use used using version want way well word work working works write
    wrong yes yesterday yet
    """.split()  # noqa: SIM905  a list has a line for each
)
_EDGES: Final = (
    "\"'`()[]{}<>,;:!?*."
    "\u201c\u201d\u2018\u2019\u201e\u00ab\u00bb\u2026\u3001\u3002\uff01\uff1f"
)


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked now, and what was said before where that alone is too little.

    `keys` map the canonical key of each word and phrase to how it was written.
    """

    now: str
    before: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)
    keys_before: Mapping[str, str] = field(default_factory=dict)


def ask(prompt: str, earlier: Sequence[str] = ()) -> Asking:
    """Read a prompt; `earlier` are the turns before it, the latest last."""
    now = _encodable(prompt[:PROMPT_CHARACTERS])
    before = ""
    if now.strip() and is_thin(prompt):
        said = [each for each in earlier if each.strip() != prompt.strip()]
        ends = (each[-TURN_CHARACTERS:] for each in reversed(said[-TURNS:]))
        before = _encodable("\n".join(ends))
    return Asking(now, before, phrases(now), phrases(before))


def _encodable(text: str) -> str:
    """Replace halves of characters: JSON carries them, and no index takes them."""
    return text.encode("utf-8", "replace").decode("utf-8")


def is_thin(prompt: str) -> bool:
    """Say whether a prompt has too few words of its own to be looked for."""
    own = (word for word in _words(prompt[:PROMPT_CHARACTERS]) if is_own(word))
    return sum(min(_weight(word), THIN_WORDS) for word in own) < THIN_WORDS


def looked_for(text: str) -> tuple[str, bool]:
    """Give the words worth looking for, and whether they are words of its own."""
    own = " ".join(word for word in _words(text) if is_own(word))
    return own or text, bool(own)


def is_own(word: str) -> bool:
    """Say whether a word is about something, in whatever task it is said."""
    return not is_stop_word(word) and not is_everyday(word)


def is_everyday(word: str) -> bool:
    """Say whether a word belongs to every task, and so to none."""
    return word.casefold() in EVERYDAY


def phrases(text: str) -> dict[str, str]:
    """Map the key of each word and each short phrase to how it is written.

    Stop words stand in phrases only.
    """
    found: dict[str, str] = {}
    words = _words(text)
    keys = [canonical(word) for word in words]
    for at, word in enumerate(words):
        if not is_stop_word(word):
            found.setdefault(keys[at], word)
        for end in range(at + 2, min(at + PHRASE_WORDS, len(words)) + 1):
            found.setdefault("".join(keys[at:end]), " ".join(words[at:end]))
        for piece in _pieces(word):
            found.setdefault(canonical(piece), piece)
    found.pop("", None)
    return found


def _words(text: str) -> list[str]:
    chunks = (chunk.strip(_EDGES) for chunk in text.split())
    return [chunk for chunk in chunks if chunk]


def _pieces(word: str) -> Iterator[str]:
    """Cut what may be a word out of a name, and out of a script without spaces."""
    if word.isascii():
        if not word.isalnum():
            parts = re.split(r"[\W_]+", word)
            yield from (part for part in parts if part and not is_stop_word(part))
        return
    for run in runs(word):
        if is_unspaced(run):
            lengths = range(1, min(PHRASE_CHARACTERS, len(run)) + 1)
            yield from (
                run[at : at + length]
                for length, at in itertools.product(lengths, range(len(run)))
                if at + length <= len(run)
            )


def _weight(word: str) -> int:
    """Count the words in a word: scripts without spaces write several as one."""
    return sum(
        (len(run) + 1) // 2 if is_unspaced(run) else 1
        for run in runs(word)
        if any(map(str.isalnum, run))
    )
