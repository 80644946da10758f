"""Say in sentences what needs the person, for the status line of a start; pure."""

from collections.abc import Container, Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.errors import ErrorClass

if TYPE_CHECKING:
    from gitmem.settings.report import Loaded
    from gitmem.sync.record import Record
    from gitmem.sync.report import Report
    from gitmem.sync.standing import Standing

NAMED: Final = 3
PASSING: Final = frozenset({ErrorClass.OFFLINE, ErrorClass.REJECTED, ErrorClass.BUSY})
_UNKNOWN: Final = "The repository cannot be synced as it is: run `gitmem doctor`."
_UNITS: Final = (
    ("day", timedelta(days=1)),
    ("hour", timedelta(hours=1)),
    ("minute", timedelta(minutes=1)),
)


def notices(
    standing: "Standing | None",
    loaded: "Loaded",
    unreadable: Iterable[PurePosixPath],
    now: datetime,
) -> tuple[str, ...]:
    """Give one sentence for each thing that somebody must look at.

    Without a standing nobody could look at the repository.
    """
    of_sync = _of_sync(standing, now) if standing else (_UNKNOWN,)
    return (*of_sync, *_of_settings(loaded), *_of_files(tuple(unreadable)))


def at_turn(record: "Record", loaded: "Loaded") -> tuple[str, ...]:
    """Give the sentences that cost no look at the repository.

    What passes by itself is not worth a word in the middle of the work.
    """
    return (*_of_record(record, PASSING), *_of_settings(loaded))


def of_mistakes(loaded: "Loaded") -> str:
    """Say that some of the person's settings were not used."""
    mistakes = counted(len(loaded.mistakes), "mistake")
    return f"{mistakes} in your settings: see `gitmem settings --explain`"


def age(then: datetime, now: datetime) -> str:
    """Say how long ago something was, in its largest unit."""
    passed = now - then
    for name, unit in _UNITS:
        if passed >= unit:
            return counted(passed // unit, name)
    return "less than a minute"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Say a number of things: `1 file`, `2 memories`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def took_in(files: int, deletions: int) -> str:
    """Say what came from the remote: `3 files, 14 deletions`."""
    counts = ((files - deletions, "file"), (deletions, "deletion"))
    return ", ".join(counted(number, noun) for number, noun in counts if number)


def has_joined(report: "Report") -> bool:
    """Say whether anything of another machine's was merged with what was here."""
    return report.merged and bool(report.applied or report.copies)


def _of_sync(standing: "Standing", now: datetime) -> Iterator[str]:
    if standing.unpushed and standing.oldest_unpushed:
        since = age(standing.oldest_unpushed, now)
        commits = counted(standing.unpushed, "commit")
        yield f"{commits} not pushed, the oldest for {since}: run `gitmem sync`."
    if standing.conflicts:
        copies = counted(len(standing.conflicts), "conflict copy", "conflict copies")
        yield f"{copies} to settle: {_named(standing.conflicts)}."
    yield from _of_record(standing.record)


def _of_record(
    record: "Record", passing: Container[ErrorClass | None] = ()
) -> Iterator[str]:
    if record.held:
        yield f"Sync waits for a decision: {record.held}"
    for refused in record.refused[:NAMED]:
        yield f"{refused.path} is not committed: {refused.reason}."
    for step in (record.fetch, record.push):
        if step.failed_at is not None and step.error_class not in passing:
            yield f"The last sync failed ({step.error_class}): {step.message}"
            break


def _of_settings(loaded: "Loaded") -> Iterator[str]:
    if loaded.refused:
        wishes = counted(len(loaded.refused), "wish", "wishes")
        yield f"{wishes} of this project refused: see `gitmem settings --explain`."
    if loaded.mistakes:
        yield f"{of_mistakes(loaded)}."


def _of_files(unreadable: tuple[PurePosixPath, ...]) -> Iterator[str]:
    if unreadable:
        memories = counted(len(unreadable), "memory", "memories")
        yield f"{memories} cannot be read whole: run `gitmem check`."


def _named(paths: tuple[PurePosixPath, ...]) -> str:
    names = ", ".join(map(str, paths[:NAMED]))
    more = len(paths) - NAMED
    return f"{names} and {more} more" if more > 0 else names
