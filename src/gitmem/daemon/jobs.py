"""What the daemon does by itself: plain functions that say what came of it."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gitmem.errors import NoRepository
from gitmem.service.notices import NAMED, counted

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import PurePosixPath

    from gitmem.service.service import Service
    from gitmem.sync.record import Refused
    from gitmem.sync.report import Report


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a job, in words, and whether something waits to be sent.

    `refused` and `copies` are what a person has to look at.
    """

    words: str
    has_unsent: bool = False
    refused: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look at the work tree found; two equal ones mean that nothing happened."""

    head: str | None
    remote: str | None
    has_remote: bool
    entries: tuple[tuple[str, int, int], ...]

    @property
    def is_ahead(self) -> bool:
        """Say whether there are commits that the remote has not been seen with."""
        return self.has_remote and self.head not in {None, self.remote}


@dataclass(frozen=True, slots=True)
class Look:
    """What a look found, beside what came of it."""

    words: str
    seen: Seen


def pull(service: "Service", *, force: bool) -> Done:
    """Take in what the remote has, if it is due."""
    report = service.pull(force=force)
    if report.skipped:
        return Done(f"not due, {report.skipped}")
    return _done(report, has_unsent=bool(report.committed or report.merged))


def push(service: "Service") -> Done:
    """Commit and send what is here."""
    return _done(service.push())


def commit(service: "Service") -> Done:
    """Commit what is here, when it may not be sent yet."""
    return _done(service.commit(), has_unsent=True)


def look(service: "Service") -> Seen:
    """See what changed in the work tree, and what was not sent."""
    repository, options = service.rooms.repository(), service.rooms.options()
    status = repository.status(with_ignored=False)
    ref = f"refs/remotes/origin/{options.branch}"
    remote = repository.refs(ref).get(ref)
    found = (_entry(service, str(each.path)) for each in status.entries)
    has_remote = bool(options.url or service.rooms.engine().record().url)
    return Seen(status.head, remote, has_remote, tuple(sorted(found)))


def refresh(service: "Service") -> Done:
    """Bring a catalog that somebody uses up to date."""
    return Done("up to date" if service.keep_up() else "nobody searched yet")


def index(service: "Service") -> Done:
    """Make the catalog that a turn did not find."""
    service.index()
    return Done("made anew")


def take_in(service: "Service", paths: "Collection[PurePosixPath]") -> Done:
    """Let what changed be found, without a look at all the rest."""
    service.take_in(paths)
    return Done(f"{counted(len(paths), 'path')} looked at")


def sessions(service: "Service") -> Done:
    """End the sessions whose host died, and forget the old ones."""
    ended = service.session.end_orphans()
    service.rooms.sessions().prune(service.rooms.now())
    words = f"ended {counted(len(ended), 'session')}" if ended else "none died"
    return Done(words, has_unsent=bool(ended))


def maintain(service: "Service") -> Done:
    """Keep the object store small."""
    done = service.maintain()
    return Done(f"{counted(done.loose, 'loose object')}, {counted(done.packs, 'pack')}")


def last_words(service: "Service", lock_seconds: float) -> Done:
    """Commit what is here before the daemon leaves, without waiting long for others."""
    from gitmem.sync.engine import Engine

    try:
        options = replace(service.rooms.options(), lock_seconds=lock_seconds)
        return _done(Engine(options).commit())
    except NoRepository:
        return Done("there is no repository")


def _entry(service: "Service", path: str) -> tuple[str, int, int]:
    """Tell a file from what it is after the next edit."""
    try:
        found = (service.rooms.root / path).lstat()
    except OSError:
        return path, 0, 0
    return path, found.st_mtime_ns, found.st_size


def _done(report: "Report", *, has_unsent: bool = False) -> Done:
    refused = tuple(f"{each.path}: {each.reason}" for each in report.refused)
    return Done(_words(report), has_unsent, refused, tuple(map(str, report.copies)))


def _left_out(refused: "Sequence[Refused]") -> str:
    names = [each.path for each in refused]
    return f"left out {counted(len(names), 'file')} ({_some(names)})" if names else ""


def _settle(copies: "Sequence[PurePosixPath]") -> str:
    if not copies:
        return ""
    number = counted(len(copies), "conflict copy", "conflict copies")
    return f"{number} to settle ({_some(list(map(str, copies)))})"


def _some(names: list[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _words(report: "Report") -> str:
    said = [
        "committed" if report.committed else "",
        "fetched" if report.fetched else "",
        f"took in {counted(len(report.applied), 'file')}" if report.applied else "",
        "pushed" if report.pushed else "",
        _left_out(report.refused),
        _settle(report.copies),
        "waits for you" if report.held else "",
    ]
    return ", ".join(filter(None, said)) or "nothing to do"
