"""Say in lines what a sync did, where a repository stands, who wrote what."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from gitmem.cli.quick import skipped
from gitmem.cli.style import bold, faint, good, listed, safe, worrying
from gitmem.service.notices import age, counted

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
    return "\n".join(_reverted_lines(done)) or nothing


def left_over(report: "Report | Reverted") -> tuple[str, ...]:
    """Say what a cycle could not do, one complaint each."""
    refused = (f"not committed: {each.path}: {each.reason}" for each in report.refused)
    held = (f"waiting for you: {report.held}",) if report.held else ()
    return (*refused, *held)


def of_standing(standing: "Standing", now: datetime) -> str:
    """Say where the repository stands, one line each."""
    return "\n".join(_standing_lines(standing, now))


def waiting(standing: "Standing", now: datetime) -> tuple[str, ...]:
    """Complain of what needs the person: a decision, commits older than a day."""
    return (*_undecided(standing), *_overdue(standing, now))


def of_versions(versions: "Iterable[Version]") -> str:
    """List commits, newest first, each with who wrote it and what it touched."""
    return "\n".join(line for each in versions for line in _version_lines(each))


def _undecided(standing: "Standing") -> tuple[str, ...]:
    if not standing.record.held:
        return ()
    return ("a decision waits for you: `gitmem sync` says which.",)


def _overdue(standing: "Standing", now: datetime) -> tuple[str, ...]:
    oldest = standing.oldest_unpushed
    if oldest is None or now - oldest <= OVERDUE:
        return ()
    commits = counted(standing.unpushed, "commit")
    return (f"not pushed for {age(oldest, now)}: {commits}. Run `gitmem sync`.",)


def _report_lines(report: "Report") -> Iterator[str]:
    yield from _commit_lines(report)
    if report.merged and (report.applied or report.copies):
        yield "Merged what another machine wrote with what was here."
    if report.applied:
        yield f"Took in {_named(report.applied)}."
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
        yield f"Committed {bold(report.committed[:SHORT])}."
    for each in report.warned:
        yield worrying(f"Committed all the same: {each.path}: {each.reason}")
    if report.kept:
        yield f"Brought back {_named(report.kept)}."


def _reverted_lines(done: "Reverted") -> Iterator[str]:
    if not done.committed:
        return
    yield f"Committed {bold(done.committed[:SHORT])}."
    yield f"Changed {_named(done.changed)}."
    for copy in done.copies:
        yield worrying(f"A later edit overlaps; the former version is in {copy}")
    yield "Next: `gitmem sync` brings it to your other machines."


def _named(paths: "Sequence[PurePosixPath]") -> str:
    named, more = listed(paths[:NAMED_PATHS]), len(paths) - NAMED_PATHS
    rest = f" and {more} more" if more > 0 else ""
    return f"{counted(len(paths), 'file')}: {named}{rest}"


def _standing_lines(standing: "Standing", now: datetime) -> Iterator[str]:
    where = safe(standing.url) if standing.url else "none; it stays on this machine"
    yield f"remote:       {where}"
    yield f"branch:       {safe(standing.branch)}"
    yield f"uncommitted:  {counted(standing.uncommitted, 'file')}"
    since = standing.oldest_unpushed
    waiting = f", the oldest for {age(since, now)}" if since else ""
    yield f"not pushed:   {counted(standing.unpushed, 'commit')}{waiting}"
    for name, step in (
        ("commit", standing.record.commit),
        ("fetch", standing.record.fetch),
        ("push", standing.record.push),
    ):
        done = f"{age(step.at, now)} ago" if step.at else "never"
        failed = f"; failed since: {step.message}" if step.failed_at else ""
        yield f"{f'last {name}:':<14}{done}{safe(failed)}"
    for copy in standing.conflicts:
        yield worrying(f"to settle:    {copy}")
    for refused in standing.record.refused:
        yield worrying(f"not committed: {refused.path}: {refused.reason}")
    if standing.record.held:
        yield worrying(f"waiting for you: {standing.record.held}")
    for leftover in standing.leftovers:
        yield worrying(f"unfinished:   {leftover}")


def _version_lines(version: "Version") -> Iterator[str]:
    writer = version.machine or version.author
    who = listed(filter(None, (writer, version.host, version.session)))
    when = version.at.strftime("%Y-%m-%d %H:%M")
    head = f"{bold(version.commit[:SHORT])}  {when}  {safe(version.subject)}"
    yield f"{head}  {faint(f'({who})')}"
