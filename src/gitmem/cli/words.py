"""Say in lines what a sync did, where a repository stands, who wrote what."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from gitmem.cli.quick import skipped
from gitmem.cli.style import bold, faint, good, listed, safe, worrying
from gitmem.service.notices import age, counted, has_joined, took_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import PurePosixPath

    from gitmem.service.answers import Reverted, Version
    from gitmem.sync.report import Report
    from gitmem.sync.standing import Standing

OVERDUE: Final = timedelta(hours=24)
NAMED_PATHS: Final = 5
SHORT: Final = 12


def of_report(report: "Report") -> str:
    """Say what a cycle did, one line each."""
    said = "\n".join(_report_lines(report))
    if said or report.held:
        return said
    return good("Nothing else to do." if report.refused else "Everything is in sync.")


def of_reverted(done: "Reverted", nothing: str) -> str:
    """Say what was taken back or brought back, and what comes next."""
    return "\n".join(_reverted_lines(done, nothing))


def of_change(report: "Report") -> str:
    """Say that a change is committed, and what comes next."""
    if not report.committed:
        return "That is not committed yet."
    commit = bold(report.committed[:SHORT])
    return f"Committed {commit}; `gitmem undo` takes it back, `gitmem sync` sends it."


def left_over(report: "Report | Reverted") -> tuple[str, ...]:
    """Say what a cycle could not do, one complaint each."""
    refused = (f"not committed: {each.path}: {each.reason}" for each in report.refused)
    return (*refused, *question(report.held))


def question(held: str) -> tuple[str, ...]:
    """Say what waits for the person's decision, in the one form that there is."""
    return (f"waiting for you: {held}",) if held else ()


def of_standing(standing: "Standing", now: datetime) -> str:
    """Say where the repository stands, one line each."""
    return "\n".join(_standing_lines(standing, now))


def overdue(standing: "Standing", now: datetime) -> tuple[str, ...]:
    """Complain of commits that have waited for more than a day."""
    oldest = standing.oldest_unpushed
    if oldest is None or now - oldest <= OVERDUE:
        return ()
    commits = counted(standing.unpushed, "commit")
    return (f"not pushed for {age(oldest, now)}: {commits}. Run `gitmem sync`.",)


def of_versions(versions: "Sequence[Version]") -> str:
    """List commits, newest first, each with who wrote it and what it touched.

    Where a memory lay elsewhere before, that is said.
    """
    place = versions[0].path if versions else None
    return "\n".join(_version_line(each, place) for each in versions)


def _report_lines(report: "Report") -> Iterator[str]:
    yield from _commit_lines(report)
    if has_joined(report):
        yield "Merged what another machine wrote with what was here."
    if report.applied:
        what = took_in(len(report.applied), len(report.gone))
        yield f"Took in {what}: {_names(report.applied)}."
    for copy in report.copies:
        yield worrying(f"Both sides wrote the same lines; the other side is in {copy}")
    if report.pushed:
        yield good("Pushed.")


def _commit_lines(report: "Report") -> Iterator[str]:
    if report.skipped:
        yield skipped(report.skipped)
    for what in report.settled:
        yield f"Settled {safe(what)}. Nothing was lost."
    if report.committed:
        deletes = counted(len(report.deleted), "file")
        what = f"; it deletes {deletes}" if report.deleted else ""
        yield f"Committed {bold(report.committed[:SHORT])}{what}."
    for each in report.warned:
        yield worrying(f"Committed all the same: {each.path}: {each.reason}")
    if report.kept:
        yield f"Brought back {_named(report.kept)}."


def _reverted_lines(done: "Reverted", nothing: str) -> Iterator[str]:
    if done.undone:
        commit, subject = done.undone.commit[:SHORT], safe(done.undone.subject)
        label = "Took back" if done.committed else "To take back:"
        yield f"{label} {bold(commit)} {subject}"
    if done.stayed:
        yield worrying(f"Edited since, and left as it is: {_names(done.stayed)}")
    if not done.committed:
        yield nothing
        return
    yield f"Committed {bold(done.committed[:SHORT])}."
    yield f"Changed {_named(done.changed)}."
    for copy in done.copies:
        yield worrying(f"A later edit overlaps; the former version is in {copy}")
    yield "Next: `gitmem sync` brings it to your other machines."


def _named(paths: "Sequence[PurePosixPath]") -> str:
    return f"{counted(len(paths), 'file')}: {_names(paths)}"


def _names(paths: "Sequence[PurePosixPath]") -> str:
    named, more = listed(paths[:NAMED_PATHS]), len(paths) - NAMED_PATHS
    return f"{named} and {more} more" if more > 0 else named


def _standing_lines(standing: "Standing", now: datetime) -> Iterator[str]:
    where = safe(standing.url) if standing.url else "none; it stays on this machine"
    yield f"remote:       {where}"
    yield f"branch:       {safe(standing.branch)}"
    yield f"uncommitted:  {counted(standing.uncommitted, 'file')}"
    since = standing.oldest_unpushed
    waiting = f", the oldest for {age(since, now)}" if since else ""
    yield f"not pushed:   {counted(standing.unpushed, 'commit')}{waiting}"
    yield from _step_lines(standing, now)
    for copy in standing.conflicts:
        yield worrying(f"to settle:    {copy}")
    for refused in standing.record.refused:
        yield worrying(f"not committed: {refused.path}: {refused.reason}")
    yield from map(worrying, question(standing.record.held))
    for leftover in standing.leftovers:
        yield worrying(f"unfinished:   {leftover}")


def _step_lines(standing: "Standing", now: datetime) -> Iterator[str]:
    """Say when each step was last done here; what others did here is not known."""
    record = standing.record
    for name, step, is_never in (
        ("commit", record.commit, standing.head is None),
        ("fetch", record.fetch, bool(standing.url)),
        ("push", record.push, bool(standing.url and standing.unpushed)),
    ):
        if step.at or step.failed_at or is_never:
            done = f"{age(step.at, now)} ago" if step.at else "never"
            failed = f"; failed since: {step.message}" if step.failed_at else ""
            yield f"{f'last {name}:':<14}{done}{safe(failed)}"


def _version_line(version: "Version", place: "PurePosixPath | None") -> str:
    writer = version.machine or version.author
    who = listed(filter(None, (writer, version.host, version.session)))
    when = version.at.strftime("%Y-%m-%d %H:%M")
    head = f"{bold(version.commit[:SHORT])}  {when}  {safe(version.subject)}"
    elsewhere = "" if version.path == place else f"  as {safe(str(version.path))}"
    return f"{head}  {faint(f'({who})')}{elsewhere}"
