"""What another machine wrote may lie at the edge of the calendar."""

import time
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from gitmem.tape.anchor import HANDOFF, Anchor, Meta
from gitmem.tape.threads import Node, Thread
from gitmem.tui import rows, tree
from gitmem.tui.clock import local


@pytest.fixture
def live_in(monkeypatch):
    """Move this machine to a time zone, and back."""

    def move(zone):
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield move
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("zone", "at"),
    [
        ("Asia/Tokyo", datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("America/New_York", datetime(1, 1, 1, tzinfo=UTC)),
    ],
    ids=["end", "beginning"],
)
def test_a_moment_that_has_no_local_time_is_shown_as_it_is(zone, at, live_in):
    live_in(zone)
    anchor = Anchor("a", at, "name", HANDOFF, Meta(), "s", "e")
    thread = Thread("t", "Topic", at, at, (Node("n", "n", at, ""),), ())

    row = rows.row(anchor)

    assert row.at == at
    assert tree.tree([thread])
    assert tree.details(thread, thread.nodes[0])


def test_any_other_moment_is_shown_in_the_time_of_this_machine(live_in):
    live_in("Asia/Tokyo")
    at = datetime(2026, 4, 4, 20, 30, tzinfo=UTC)

    assert local(at).date() == at.astimezone(ZoneInfo("Asia/Tokyo")).date()
