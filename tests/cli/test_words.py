"""What a sync did is told in a line each, and what it could not do is told too."""

from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath

import click

from gitmem.cli import words
from gitmem.sync.record import Record, Refused
from gitmem.sync.report import Report
from gitmem.sync.standing import Standing

NOW = datetime(2026, 3, 2, tzinfo=UTC)
PATHS = tuple(PurePosixPath(f"a/{number}.md") for number in range(7))


def waiting(hours: int) -> Standing:
    since = NOW - timedelta(hours=hours)
    return Standing("main", "x", "a", 0, 3, since, (), (), Record())


def test_a_full_cycle_is_told():
    report = Report(
        committed="0123456789abcdef",
        merged=True,
        pushed=True,
        applied=PATHS,
        copies=(PurePosixPath("a/1.conflict-0123abcd.md"),),
        settled=("an interrupted merge", "a checkout of no branch"),
    )

    assert click.unstyle(words.of_report(report)) == (
        "Settled an interrupted merge. Nothing was lost.\n"
        "Settled a checkout of no branch. Nothing was lost.\n"
        "Committed 0123456789ab.\n"
        "Merged what another machine wrote with what was here.\n"
        "Took in 7 files: a/0.md, a/1.md, a/2.md, a/3.md, a/4.md and 2 more.\n"
        "Both sides wrote the same lines; the other side is in "
        "a/1.conflict-0123abcd.md\n"
        "Pushed."
    )


def test_what_is_left_over_is_told_with_its_reason():
    report = Report(refused=(Refused("a.md", "it is a link"),), held="7 files missing.")

    assert words.left_over(report) == (
        "not committed: a.md: it is a link",
        "waiting for you: 7 files missing.",
    )


def test_nothing_else_is_said_only_where_nothing_waits_for_the_person():
    refused = (Refused("a.md", "it is a link"),)

    assert click.unstyle(words.of_report(Report(refused=refused))) == (
        "Nothing else to do."
    )
    assert words.of_report(Report(refused=refused, held="7 files missing.")) == ""


def test_nothing_to_do_is_told():
    assert click.unstyle(words.of_report(Report())) == "Everything is in sync."


def test_a_commit_is_overdue_after_a_day():
    assert words.overdue(waiting(24), NOW) == ()
    assert words.overdue(waiting(25), NOW) == (
        "not pushed for 1 day: 3 commits. Run `gitmem sync`.",
    )


def test_a_decision_that_waits_is_told_in_the_form_that_a_sync_has():
    held = Standing("main", "x", "a", 0, 0, None, (), (), Record(held="7 missing."))

    last = click.unstyle(words.of_standing(held, NOW)).splitlines()[-1]

    assert (last,) == words.left_over(Report(held="7 missing."))


def test_deletions_are_counted_as_such():
    report = Report(
        committed="0123456789abcdef",
        deleted=PATHS[:1],
        applied=PATHS,
        gone=PATHS[3:],
    )

    assert click.unstyle(words.of_report(report)) == (
        "Committed 0123456789ab; it deletes 1 file.\n"
        "Took in 3 files, 4 deletions: a/0.md, a/1.md, a/2.md, a/3.md, a/4.md "
        "and 2 more."
    )


def test_of_a_memory_that_was_just_cloned_nothing_is_said_to_be_never_done():
    cloned = Standing("main", "x", "a", 0, 0, None, (), (), Record(url="x"))

    said = click.unstyle(words.of_standing(cloned, NOW))

    assert [line for line in said.splitlines() if "never" in line] == [
        "last fetch:   never"
    ]
