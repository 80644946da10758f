"""A project's tape on one machine or several, below one folder."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

import pytest

from gitmem.files.tree import Tree
from gitmem.tape.anchor import HANDOFF, Meta, draft
from gitmem.tape.journal import Journal, Place
from gitmem.tape.record import Draft
from gitmem.tape.tape import Tape

NOW = datetime(2026, 4, 4, 12, tzinfo=UTC)
Make = Callable[..., Tape]


def handoff(name: str, **said: object) -> Draft:
    """Prepare a handoff anchor."""
    return draft(name, HANDOFF, Meta(trigger="direct", **said), entry="e1")  # type: ignore[arg-type]


def clock() -> Iterator[datetime]:
    """Tick once a second."""
    at = NOW
    while True:
        yield at
        at += timedelta(seconds=1)


@pytest.fixture
def make_journal(tmp_path: Path) -> Callable[..., Journal]:
    """Open the journal of a machine: `make_journal("oak")`."""

    def make(machine: str = "oak", home: str = "tape", **more: int) -> Journal:
        place = Place(Tree(tmp_path), PurePosixPath(home), "beacon", machine, **more)
        return Journal(place)

    return make


@pytest.fixture
def journal(make_journal: Callable[..., Journal]) -> Journal:
    """Open the journal of one machine."""
    return make_journal()


@pytest.fixture
def make_tape(make_journal: Callable[..., Journal]) -> Make:
    """Open the tape of a machine, all on one clock."""
    ticks = clock()

    def make(machine: str = "oak", **more: int) -> Tape:
        return Tape(lambda: make_journal(machine, **more), lambda: next(ticks))

    return make


@pytest.fixture
def tape(make_tape: Make) -> Tape:
    """Open the tape of one machine."""
    return make_tape()
