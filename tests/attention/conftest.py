"""Memories as the catalog finds them, made from a few words."""

from datetime import UTC, date, datetime
from pathlib import PurePosixPath

import pytest

from gitmem.attention.asking import phrases
from gitmem.attention.score import judge
from gitmem.attention.signals import Hearing, hear
from gitmem.catalog.activation import Fired
from gitmem.catalog.bearing import Bearing, Found, Heard, Word
from gitmem.catalog.reads import Reads
from gitmem.catalog.reason import Match
from gitmem.catalog.recall import names_of
from gitmem.catalog.rows import Row
from gitmem.memory.traits import traits

TODAY = date(2026, 3, 2)


@pytest.fixture
def found():
    """Make a memory that was found: its path, fields, score and matching words."""

    def make(path="p/a.md", score=0.0, words=(), tags=(), day=2, reads=0, **fields):
        row = Row(
            path=PurePosixPath(path),
            layer="p",
            description="",
            title="",
            tags=tuple(tags),
            created="",
            updated="",
            changed_at=datetime(2026, 3, day, tzinfo=UTC),
            author="",
            author_email="",
            size=1,
            problems=(),
        )
        matches = (Match("description", tuple(words)),) if words else ()
        known = traits(fields)
        names = names_of(tags, known)
        often = Reads(reads, TODAY)
        return Bearing(row, known, names, b"", score, matches, often)

    return make


@pytest.fixture
def weighed(found):
    """Weigh such a memory against a prompt, and against what was said before."""

    def make(prompt="", before="", memories=100, fired=None, **memory):
        def hearing(text):
            words = tuple(Word(word, 1) for word in text.split())
            rules = {key: Fired(key, said) for key, said in (fired or {}).items()}
            heard = Found(Heard(words, memories), fired=rules)
            ear = hear(text, phrases(text), heard)
            return Hearing(ear, found(**memory)) if text else None

        return judge(hearing(prompt), hearing(before), TODAY)

    return make
