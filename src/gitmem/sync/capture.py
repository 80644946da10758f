"""Commit what lies in the work tree: the one place where history is written.

Each file is read once; what was checked is what is stored. A file that may not be
committed stays as it is and is reported, and everything else is committed.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import GitmemError, NotFound
from gitmem.files.atomic import TEMPORARY_PREFIX
from gitmem.files.names import shown
from gitmem.files.tree import Tree
from gitmem.memory.layout import is_memory
from gitmem.repo.history import Change, TreeEntry
from gitmem.repo.objects import LOT_BYTES, Identity
from gitmem.repo.repository import Repository
from gitmem.repo.status import ABSENT_MODE, PLAIN_MODES, Entry, Status
from gitmem.secrets import conceal
from gitmem.sessions.claims import Claims
from gitmem.sync.apply import LARGEST_BYTES
from gitmem.sync.author import Author, message, subject_of
from gitmem.sync.check import (
    Rules,
    refuse_content,
    refuse_entry,
    refuse_name,
    warn_of,
)
from gitmem.sync.record import Refused

# As many deletions as this, and this share of all files, are taken for an accident.
MASS_COUNT: Final = 20
MASS_SHARE: Final = 0.25
IGNORED: Final = "a .gitignore names it; take that line out, or move the file away"


@dataclass(frozen=True, slots=True)
class Scribe:
    """All that a commit is made with, whatever it holds."""

    repository: Repository
    files: Tree
    rules: Rules
    author: Author
    person: Callable[[], Identity]
    now: Callable[[], datetime]
    sign: bool = False
    claims: Claims | None = None


@dataclass(frozen=True, slots=True)
class Captured:
    """The commit at which the branch now stands, and what was left out of it."""

    tip: str | None
    commit: str | None
    refused: tuple[Refused, ...]
    held_deletions: tuple[PurePosixPath, ...] = ()
    warned: tuple[Refused, ...] = ()
    deleted: tuple[PurePosixPath, ...] = ()


def capture(
    scribe: Scribe,
    status: Status,
    *,
    ref: str,
    merged_with: Sequence[str] = (),
    subject: str = "",
    is_wanted: Callable[[PurePosixPath], bool] = lambda _: False,
) -> Captured:
    """Commit every change that may be committed, and move `ref` there.

    `merged_with` completes a merge that a person began: its other parents. So many
    deletions that they look like an accident are held back, but for those that are
    known to be wanted.
    """
    ignored = _ignored(status)
    if not status.entries and not merged_with:
        return Captured(status.head, None, ignored)
    repository = scribe.repository
    deleted, written = _sorted_out(status.entries)
    # A new index does not know what was never laid out; nobody has deleted that.
    unseen = _never_laid_out(repository, deleted)
    deleted = [entry for entry in deleted if entry.path not in unseen]
    entries, refused, warned = _examine(scribe, written)
    refused = (*refused, *ignored)
    lost = [path for path in _lost(deleted, entries) if not is_wanted(path)]
    held = _held(repository, status.head, lost)
    gone = {entry.path for entry in deleted} - set(held)
    entries |= dict.fromkeys(gone, TreeEntry())
    _stage(repository, status.entries, entries)
    repository.hide(sorted(unseen))
    head = status.head
    if not merged_with and not subject:
        for author, theirs in _claimed(scribe, entries).items():
            head, _ = _commit(replace(scribe, author=author), ref, head, theirs)
    commit, changes = _commit(scribe, ref, head, entries, merged_with, subject)
    if scribe.claims:
        scribe.claims.drop(map(str, entries))
    if commit == status.head:
        return Captured(commit, None, refused, held)
    deletions = tuple(change.path for change in changes if not change.new.mode)
    return Captured(commit, commit, refused, held, warned, deletions)


def _commit(
    scribe: Scribe,
    ref: str,
    head: str | None,
    entries: Mapping[PurePosixPath, TreeEntry],
    merged_with: Sequence[str] = (),
    subject: str = "",
) -> tuple[str | None, tuple[Change, ...]]:
    """Commit entries and move `ref` there; give the tip, which stays without changes.

    Made from the last commit, not from the index, which others write as well.
    """
    repository = scribe.repository
    before = head or repository.empty_tree()
    tree = repository.edit_tree(before, entries)
    changes = repository.changed(before, tree)
    if not merged_with and not changes:
        return head, ()
    commit = repository.commit_tree(
        tree,
        [*([head] if head else []), *merged_with],
        message(subject or subject_of(changes), scribe.author),
        by=scribe.person(),
        at=scribe.now(),
        sign=scribe.sign,
    )
    repository.move_ref(ref, commit, old=head)
    return commit, changes


def _claimed(
    scribe: Scribe, entries: Mapping[PurePosixPath, TreeEntry]
) -> dict[Author, dict[PurePosixPath, TreeEntry]]:
    """Find what is known to be somebody else's, as they left it."""
    found: dict[Author, dict[PurePosixPath, TreeEntry]] = {}
    for path, claim in (scribe.claims.read() if scribe.claims else {}).items():
        entry = entries.get(PurePosixPath(path))
        author = Author(scribe.author.machine, claim.host, claim.session)
        if entry and entry.oid == claim.oid and author != scribe.author:
            found.setdefault(author, {})[PurePosixPath(path)] = entry
    return found


def is_mass(deleted: int, total: int) -> bool:
    """Say whether so many deletions are more likely an accident than a wish."""
    return deleted > MASS_COUNT and deleted > total * MASS_SHARE


def _ignored(status: Status) -> tuple[Refused, ...]:
    """Tell of memories that are kept from being committed, by whomever."""
    return tuple(
        Refused(shown(str(path)), IGNORED) for path in status.ignored if is_memory(path)
    )


def _sorted_out(entries: Iterable[Entry]) -> tuple[list[Entry], list[Entry]]:
    """Tell deletions from writes; a path in both lists was replaced."""
    deleted: dict[PurePosixPath, Entry] = {}
    written: dict[PurePosixPath, Entry] = {}
    for entry in entries:
        if entry.path.name.startswith(TEMPORARY_PREFIX):
            continue
        group = deleted if entry.disk_mode == ABSENT_MODE else written
        group[entry.path] = entry
    for path in deleted.keys() & written.keys():
        # A new index does not know which file is a program.
        if (mode := deleted[path].head_mode) in PLAIN_MODES:
            written[path] = replace(written[path], disk_mode=mode)
    return [e for p, e in deleted.items() if p not in written], list(written.values())


def _never_laid_out(
    repository: Repository, deleted: Iterable[Entry]
) -> frozenset[PurePosixPath]:
    # What is only in the index was staged by a cycle that died, and deleted since.
    staged = [e for e in deleted if e.is_staged and e.head_mode != ABSENT_MODE]
    sizes = repository.sizes(dict.fromkeys(entry.head_oid for entry in staged))
    return frozenset(
        entry.path
        for entry in staged
        if refuse_entry(replace(entry, disk_mode=entry.head_mode))
        or sizes.get(entry.head_oid, 0) > LARGEST_BYTES
    )


def _lost(
    deleted: Iterable[Entry], written: Mapping[PurePosixPath, TreeEntry]
) -> tuple[PurePosixPath, ...]:
    """List the deletions that take something away: not a move, nor a replacement."""
    moved = {entry.oid for entry in written.values()}
    replaced = {folder for path in written for folder in path.parents}
    return tuple(
        entry.path
        for entry in deleted
        if entry.head_oid not in moved and entry.path not in replaced
    )


def _held(
    repository: Repository, head: str | None, lost: Sequence[PurePosixPath]
) -> tuple[PurePosixPath, ...]:
    if head is None or len(lost) <= MASS_COUNT:
        return ()
    return tuple(lost) if is_mass(len(lost), len(repository.tree(head))) else ()


def _examine(
    scribe: Scribe, entries: Sequence[Entry]
) -> tuple[dict[PurePosixPath, TreeEntry], tuple[Refused, ...], tuple[Refused, ...]]:
    staged: dict[PurePosixPath, TreeEntry] = {}
    contents: dict[PurePosixPath, tuple[str, bytes]] = {}
    size = 0
    refused: list[Refused] = []
    warned: list[Refused] = []
    for entry in entries:
        try:
            reason, data = _read(scribe, entry)
        except NotFound:
            staged[entry.path] = TreeEntry()
            continue
        if reason:
            refused.append(Refused(_shown(entry.path), reason))
            continue
        contents[entry.path] = (entry.disk_mode, data)
        size += len(data)
        if warning := warn_of(entry.path, data, scribe.rules):
            warned.append(Refused(_shown(entry.path), warning))
        if size > LOT_BYTES:
            staged |= _stored(scribe, contents)
            contents, size = {}, 0
    staged |= _stored(scribe, contents)
    return staged, tuple(refused), tuple(warned)


def _stored(
    scribe: Scribe, contents: Mapping[PurePosixPath, tuple[str, bytes]]
) -> dict[PurePosixPath, TreeEntry]:
    oids = scribe.repository.store([data for _, data in contents.values()])
    return {
        path: TreeEntry(mode if mode in PLAIN_MODES else "100644", oid)
        for (path, (mode, _)), oid in zip(contents.items(), oids, strict=True)
    }


def _shown(path: PurePosixPath) -> str:
    return conceal(shown(str(path)))


def _read(scribe: Scribe, entry: Entry) -> tuple[str, bytes]:
    if reason := refuse_entry(entry) or refuse_name(entry.path, scribe.rules):
        return reason, b""
    try:
        data = scribe.files.read(
            entry.path, limit_bytes=scribe.rules.max_file_bytes + 1
        )
    except NotFound:
        raise
    except GitmemError as error:
        return error.message, b""
    return refuse_content(data, scribe.rules), data


def _stage(
    repository: Repository,
    entries: Iterable[Entry],
    wanted: Mapping[PurePosixPath, TreeEntry],
) -> None:
    """Make the index hold what is to be committed; what was refused leaves it."""
    left_out = {
        entry.path: _as_committed(entry)
        for entry in entries
        if entry.path not in wanted and entry.is_staged
    }
    repository.stage({**left_out, **wanted})


def _as_committed(entry: Entry) -> TreeEntry:
    if entry.head_mode == ABSENT_MODE:
        return TreeEntry()
    return TreeEntry(entry.head_mode, entry.head_oid)
