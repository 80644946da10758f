"""Files are weighed by what was done with them, one factor at a time."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gitmem.attention.activity import Mark, Window, marks, weigh, window, words
from gitmem.hosts.entry import EPOCH, Session
from gitmem.hosts.transcripts import File
from gitmem.hosts.work import Access, Read
from gitmem.tape.anchor import Anchor, Meta

HOUR = 3600.0
NOW = 1_000 * HOUR


def access(kind="read", hours=0.0, path="a", **more):
    said = {"session": "s", "ordinal": 0, **more}
    return Access(NOW - hours * HOUR, path, kind, **said)


def score(*accesses, marks=()):
    [found] = weigh(accesses, marks, NOW)
    return found.score


HANDOFF = Mark("s", 10, NOW, 30.0)
KEYWORD = Mark("s", 10, NOW, 40.0)
# What is done, and what it comes to, worked out by hand: e**-1 is 0.36788, the
# square root of 2 is 1.41421, of 3 it is 1.73205.
TABLE = {
    "a memory is written": ([access("memory_write")], (), 16.0),
    "a file is read": ([access("read")], (), 20.0),
    "a file is edited": ([access("edit")], (), 28.0),
    "a file is written": ([access("write")], (), 30.0),
    # 20 × e**-1
    "a day ago": ([access(hours=24)], (), 7.3576),
    # 20 × e**-0.5 = 20 × 0.60653
    "half a day ago": ([access(hours=12)], (), 12.1306),
    # 30 × e**-2 = 30 × 0.13534
    "two days ago": ([access("write", hours=48)], (), 4.0601),
    # 20 + 20 / 1.41421
    "twice": ([access(), access()], (), 34.1421),
    # 20 + 14.14214 + 20 / 1.73205
    "three times": ([access(), access(), access()], (), 45.6891),
    # 20 × e**-1 + 20 / 1.41421: the later one is the repetition
    "again after a day": ([access(), access(hours=24)], (), 21.4997),
    # 20 + 28 / 1.41421 + 2
    "of two kinds": ([access(), access("edit")], (), 41.7990),
    # 20 + 28 / 1.41421 + 30 / 1.73205 + 16 / 2 + 6
    "of four kinds": (
        [access(), access("edit"), access("write"), access("memory_write")],
        (),
        71.1195,
    ),
    # 20 + 30
    "after a handoff": ([access(ordinal=11)], (HANDOFF,), 50.0),
    # 20 + 40
    "after a keyword": ([access(ordinal=11)], (KEYWORD,), 60.0),
    # 20 + 30 + 40
    "after both": ([access(ordinal=11)], (HANDOFF, KEYWORD), 90.0),
    "as the fifteenth after it": ([access(ordinal=25)], (HANDOFF,), 50.0),
    "as the sixteenth after it": ([access(ordinal=26)], (HANDOFF,), 20.0),
    "at it": ([access(ordinal=10)], (HANDOFF,), 20.0),
    "before it": ([access(ordinal=9)], (HANDOFF,), 20.0),
    "in another session": ([access(ordinal=11, session="t")], (HANDOFF,), 20.0),
    # 20 + 30 × e**-1: twelve hours after the anchor
    "half a day after it": (
        [access(ordinal=11)],
        (Mark("s", 10, NOW - 12 * HOUR, 30.0),),
        31.0364,
    ),
    # (20 + 30) + (20 + 30) / 1.41421: the boost is divided too
    "twice after it": (
        [access(ordinal=11), access(ordinal=12)],
        (HANDOFF,),
        85.3553,
    ),
    "in time to come": ([access(hours=-5)], (), 20.0),
}


@pytest.mark.parametrize(("accesses", "anchors", "points"), TABLE.values(), ids=TABLE)
def test_each_factor_counts_as_it_should(accesses, anchors, points):
    assert score(*accesses, marks=anchors) == pytest.approx(points, abs=1e-4)


def test_files_come_by_their_score_then_without_the_bonus_then_by_their_last():
    several = [
        access(path="read twice"),
        access(path="read twice"),
        access("edit", path="edited"),
        access("edit", path="edited later", hours=-1),
        access(path="read"),
    ]

    assert [each.path for each in weigh(several, (), NOW)] == [
        "read twice",
        "edited later",
        "edited",
        "read",
    ]


def test_what_is_worth_the_same_comes_by_its_name():
    found = weigh([access(path="b"), access(path="a")], (), NOW)

    assert [each.path for each in found] == ["a", "b"]


@pytest.mark.parametrize(
    ("ages", "hours", "seen"),
    [
        ([1, 2, 3, 4, 5], 72, 5),
        ([1, 2, 3, 4, 73], 96, 5),
        ([1, 2, 3, 4, 120], 120, 5),
        ([1, 2, 3, 167, 169], 168, 4),
        ([], 168, 0),
    ],
)
def test_the_window_widens_by_a_day_until_it_shows_enough(ages, hours, seen):
    accesses = [access(hours=age) for age in sorted(ages, reverse=True)]
    found = window(accesses, NOW, (72, 168))

    assert (found.hours, len(found.accesses)) == (hours, seen)


def test_a_window_ends_where_it_must_not_at_a_whole_day():
    assert window([], NOW, (72, 100)) == Window(100)
    assert window([], NOW, (72, 72)) == Window(72)


def read(session, *ids, count=None, accesses=()):
    owner = Session("pi", session, "/x", "/y", EPOCH)
    file = File("pi", f"/{session}", 0, 0, 0)
    total = len(ids) if count is None else count
    return Read(file, owner, count=total, ids=ids, accesses=accesses)


def anchor(name, hours=0, session="s", entry="b", **meta):
    at = datetime.fromtimestamp(NOW, UTC) - timedelta(hours=hours)
    kind = meta.pop("type", "handoff")
    return Anchor(name, at, name, kind, Meta(**meta), session, entry)


def test_the_latest_handoff_and_the_latest_of_a_keyword_are_found():
    anchors = [
        anchor("old", 3, entry="a"),
        anchor("keyword", 2, entry="b", trigger="keyword"),
        anchor("latest", 1, entry="c"),
        anchor("lifecycle", 0, entry="d", type="session"),
    ]

    assert marks(anchors, [read("s", "a", "b", "c", "d", count=10)]) == (
        Mark("s", 8, NOW - HOUR, 30.0),
        Mark("s", 7, NOW - 2 * HOUR, 40.0),
    )


def test_an_anchor_whose_entry_is_not_known_is_placed_by_its_time():
    accesses = (access(hours=2, ordinal=4), access(hours=0.5, ordinal=9))

    assert marks([anchor("x", 1, entry="?")], [read("s", accesses=accesses)]) == (
        Mark("s", 4, NOW - HOUR, 30.0),
    )
    assert marks([anchor("x", 1, entry="")], [read("s")])[0].ordinal == -1


def test_an_anchor_of_a_session_that_is_gone_counts_for_nothing():
    assert marks([anchor("x", session="gone")], [read("s", "b")]) == ()
    assert marks([], [read("s", "b"), Read(File("pi", str(Path()), 0, 0, 0))]) == ()


def test_the_words_of_the_latest_anchors_are_joined():
    anchors = [
        anchor("1", 9, summary="long ago"),
        anchor("2", 3, summary="Move the parser", purpose="refactor"),
        anchor("3", 2, keywords=("tape",)),
        anchor("4", 1),
    ]

    assert words(anchors) == "Move the parser refactor tape"
