"""Change several files as one: all of them in one commit or, whatever happens, none.

The commit is made before a file is touched, and what is about to change is written down
beside the history. What a kill breaks off is taken back before anything is committed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import (
    Busy,
    Conflicted,
    GitmemError,
    InvalidMemory,
    PathRefused,
    StaleWrite,
)
from gitmem.files.names import shown
from gitmem.repo.history import TreeEntry
from gitmem.repo.objects import LOT_BYTES
from gitmem.repo.repository import Repository
from gitmem.repo.status import PLAIN_MODES
from gitmem.sync.author import message
from gitmem.sync.check import Rules, refuse_content, refuse_name
from gitmem.sync.pending import Swap, name_of, named, pending
from gitmem.sync.workspace import Workspace

MODE: Final = "100644"
_AGAIN: Final = "Nothing was changed. Run it again on what the file holds now."


@dataclass(frozen=True, slots=True)
class Edit:
    """One file: what it holds (None: it is new), what it is to hold (None: it goes)."""

    path: PurePosixPath
    before: bytes | None
    after: bytes | None


# Is told of an edit that cannot be made, and why; it may raise that.
Refuse = Callable[[Edit | Swap, GitmemError], None]


def together(
    work: Workspace, edits: Iterable[Edit | Swap], refuse: Refuse | None = None
) -> None:
    """Commit edits over what is committed, and nothing else.

    A swap speaks of blobs that are stored, and may be committed. An edit that cannot be
    made is given to `refuse`, and left out; without that it is raised: StaleWrite where
    a file is not what its edit was made for, PathRefused where it could not be brought
    back or written, InvalidMemory where it could not be committed.
    """
    repository, scribe = work.repository, work.scribe()
    parent = repository.head()
    head = parent or repository.empty_tree()
    committed = repository.tree(head)
    made = _made(work, committed, edits, refuse)
    swaps = tuple(_stored(repository, made))
    tree = repository.edit_tree(head, _entries(committed, swaps))
    if not _is_changed(repository, head, tree, swaps):
        return
    commit = repository.commit_tree(
        tree,
        [parent] if parent else [],
        message(work.subject, scribe.author),
        by=scribe.person(),
        at=scribe.now(),
        sign=scribe.sign,
    )
    with pending(repository, work.files, swaps):
        _move(work, head, commit)
        repository.move_ref(work.branch_ref, commit, old=parent)
    repository.refresh_index()
    gone = tuple(each.path for each in swaps if each.old and not each.new)
    # Nothing was taken in from elsewhere.
    work.tell(committed=commit, deleted=gone, applied=(), gone=())
    work.note(commit=work.record.commit.succeeded(commit, work.now()))


def _made(
    work: Workspace,
    committed: Mapping[PurePosixPath, TreeEntry],
    edits: Iterable[Edit | Swap],
    refuse: Refuse | None,
) -> Iterator[Edit | Swap]:
    """Pass on the edits that can be made."""
    new: set[PurePosixPath] = set()
    for edit in edits:
        try:
            _check(committed, edit)
            if isinstance(edit, Edit):
                _check_content(edit, work.options.rules)
                if refuse and edit.before is None:
                    _check_place(work, edit.path, new)
                    new.add(edit.path)
        except (StaleWrite, PathRefused, InvalidMemory) as error:
            if refuse is None:
                raise
            refuse(edit, error)
        else:
            yield edit


def _check(committed: Mapping[PurePosixPath, TreeEntry], edit: Edit | Swap) -> None:
    name, found = shown(str(edit.path)), committed.get(edit.path)
    old = edit.old if isinstance(edit, Swap) else name_of(edit.before)
    if found is None and old:
        raise PathRefused(
            f"{name} is not committed, so it could not be brought back.",
            "`gitmem sync` says why. Nothing was changed.",
        )
    if named(found) != old:
        raise StaleWrite(f"{name} changed meanwhile.", _AGAIN)


def _check_content(edit: Edit, rules: Rules) -> None:
    if edit.after is None:
        return
    reason = refuse_name(edit.path, rules) or refuse_content(edit.after, rules)
    if reason:
        raise InvalidMemory(
            f"{shown(str(edit.path))} could not be committed: {reason}.",
            "Nothing was changed.",
        )


def _check_place(work: Workspace, path: PurePosixPath, new: set[PurePosixPath]) -> None:
    """Refuse a new file where something else stands, or is to stand."""
    name = shown(str(path))
    if not new.isdisjoint(path.parents):
        raise PathRefused(f"{name} passes through a file.", "Nothing was changed.")
    if work.files.find(path) is not None:
        raise StaleWrite(f"{name} is there meanwhile.", _AGAIN)


def _stored(repository: Repository, edits: Iterable[Edit | Swap]) -> Iterator[Swap]:
    """Write what files are to hold as blobs, so much at a time as memory takes."""
    lot: list[Edit] = []
    size = 0
    for edit in edits:
        if isinstance(edit, Swap):
            yield edit
            continue
        lot.append(edit)
        size += len(edit.after or b"")
        if size > LOT_BYTES:
            yield from _stored_lot(repository, lot)
            lot, size = [], 0
    yield from _stored_lot(repository, lot)


def _stored_lot(repository: Repository, edits: Sequence[Edit]) -> Iterator[Swap]:
    repository.store([edit.after for edit in edits if edit.after is not None])
    for edit in edits:
        yield Swap(edit.path, name_of(edit.before), name_of(edit.after))


def _entries(
    committed: Mapping[PurePosixPath, TreeEntry], swaps: Iterable[Swap]
) -> dict[PurePosixPath, TreeEntry]:
    """Give the entries of the new tree; what may be run stays so."""
    entries: dict[PurePosixPath, TreeEntry] = {}
    for each in swaps:
        mode = committed.get(each.path, TreeEntry()).mode
        kept = mode if mode in PLAIN_MODES else MODE
        entries[each.path] = TreeEntry(kept, each.new) if each.new else TreeEntry()
    return entries


def _is_changed(
    repository: Repository, old: str, new: str, swaps: Iterable[Swap]
) -> bool:
    """Say whether anything changes; refuse a file that would push another out."""
    changed = {change.path for change in repository.changed(old, new)}
    for path in sorted(changed.difference(each.path for each in swaps)):
        raise PathRefused(
            f"{shown(str(path))} stands where something else is to be.",
            "Nothing was changed. Move it out of the way, and run this again.",
        )
    return bool(changed)


def _move(work: Workspace, old: str, new: str) -> None:
    try:
        work.move(old, new)
    except StaleWrite as error:
        raise StaleWrite(error.message, _AGAIN) from error
    except Conflicted as error:
        raise PathRefused(str(error.__cause__), "Nothing was changed.") from error
    except Busy as error:
        raise Busy(
            error.message,
            "Nothing was changed. Close it there, and run this again.",
        ) from error
