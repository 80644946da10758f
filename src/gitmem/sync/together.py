"""Change several files as one: all of them in one commit or, whatever happens, none.

The commit is made before a file is touched, and what is about to change is written down
beside the history. What a kill breaks off is taken back before anything is committed.
"""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem import log
from gitmem.errors import Busy, Corrupt, InvalidMemory, PathRefused, StaleWrite
from gitmem.files.atomic import write
from gitmem.files.names import shown
from gitmem.files.tree import Tree
from gitmem.repo.history import TreeEntry
from gitmem.repo.repository import Repository
from gitmem.sync.apply import blob_oid, present
from gitmem.sync.author import message
from gitmem.sync.check import refuse_content, refuse_name
from gitmem.sync.options import Options
from gitmem.sync.workspace import Workspace

# Beside the history, not in the state folder: that one may vanish at any moment.
JOURNAL: Final = "gitmem-pending"
MODE: Final = "100644"
_AGAIN: Final = "Nothing was changed. Run it again on what the file holds now."


@dataclass(frozen=True, slots=True)
class Edit:
    """One file: what it holds (None: it is new), what it is to hold (None: it goes)."""

    path: PurePosixPath
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True)
class _Pending:
    """One file of a change that is not done yet, by the names of its blobs."""

    path: PurePosixPath
    old: str
    new: str


def together(work: Workspace, edits: Sequence[Edit]) -> None:
    """Commit edits over what is committed, and nothing else.

    Raises StaleWrite where a file is not what its edit was made for, PathRefused where
    it is in no commit, and so could not be brought back.
    """
    repository, scribe = work.repository, work.scribe()
    parent = repository.head()
    head = parent or repository.empty_tree()
    committed = repository.tree(head)
    _check(work, committed, edits)
    commit = repository.commit_tree(
        repository.edit_tree(head, _stored(repository, committed, edits)),
        [parent] if parent else [],
        message(work.subject, scribe.author),
        by=scribe.person(),
        at=scribe.now(),
        sign=scribe.sign,
    )
    pending = tuple(_pending(edit) for edit in edits)
    journal = repository.git_folder / JOURNAL
    write(journal, _written(pending))
    try:
        _move(work, head, commit)
        repository.move_ref(work.branch_ref, commit, old=parent)
    except BaseException:
        _put_back(repository, work.files, pending)
        journal.unlink(missing_ok=True)
        raise
    journal.unlink(missing_ok=True)
    repository.refresh_index()
    gone = tuple(edit.path for edit in edits if edit.after is None)
    work.tell(committed=commit, deleted=gone)
    work.note(commit=work.record.commit.succeeded(commit, work.now()))


def take_back(options: Options) -> tuple[str, ...]:
    """Take back what a change left that was broken off; say so if there was any.

    For a caller that holds the lock. A file that was edited since stays as it is.
    """
    journal = options.root / ".git" / JOURNAL
    if not journal.exists():
        return ()
    repository = Repository(options.root, options.stopper)
    # Damaged objects are healed by the cycle; the next one takes back.
    with suppress(Corrupt):
        put_back = _put_back(repository, Tree(repository.root), _read(journal))
        journal.unlink(missing_ok=True)
        if put_back:
            text = f"took back {put_back} files of a change that was broken off"
            log.record(options.state, text, now=options.now())
            return ("a change of several files that was broken off: it was taken back",)
    return ()


def _check(
    work: Workspace,
    committed: dict[PurePosixPath, TreeEntry],
    edits: Iterable[Edit],
) -> None:
    rules = work.options.rules
    for edit in edits:
        name = shown(str(edit.path))
        found = committed.get(edit.path)
        if found is None and edit.before is not None:
            raise PathRefused(
                f"{name} is not committed, so it could not be brought back.",
                "`gitmem sync` says why. Nothing was changed.",
            )
        if (found.oid if found else "") != _oid(edit.before):
            raise StaleWrite(f"{name} changed meanwhile.", _AGAIN)
        if edit.after is None:
            continue
        reason = refuse_name(edit.path, rules) or refuse_content(edit.after, rules)
        if reason:
            raise InvalidMemory(
                f"{name} could not be committed: {reason}.", "Nothing was changed."
            )


def _stored(
    repository: Repository,
    committed: dict[PurePosixPath, TreeEntry],
    edits: Sequence[Edit],
) -> dict[PurePosixPath, TreeEntry]:
    """Write the new contents as blobs, and give the entries of the new tree."""
    kept = [(edit.path, edit.after) for edit in edits if edit.after is not None]
    oids = repository.store([data for _, data in kept])
    entries = {edit.path: TreeEntry() for edit in edits}
    for (path, _), oid in zip(kept, oids, strict=True):
        mode = committed[path].mode if path in committed else MODE
        entries[path] = TreeEntry(mode, oid)
    return entries


def _move(work: Workspace, old: str, new: str) -> None:
    try:
        work.move(old, new)
    except StaleWrite as error:
        raise StaleWrite(error.message, _AGAIN) from error
    except Busy as error:
        raise Busy(
            "Another program has one of the files open and may still write to it.",
            "Nothing was changed. Close it there, and run this again.",
        ) from error


def _put_back(repository: Repository, files: Tree, pending: Sequence[_Pending]) -> int:
    """Undo in the work tree what is of a change and in no commit; count the files."""
    head = repository.head()
    committed = repository.tree(head) if head else {}
    half = [
        each
        for each in pending
        if each.old != each.new
        and _named(committed.get(each.path)) == each.old
        and _oid(present(files, each.path)) == each.new
    ]
    blobs = repository.blobs(each.old for each in half if each.old)
    for each in half:
        # Whoever edited it in this moment has it now.
        with suppress(StaleWrite, PathRefused):
            _write(files, each.path, blobs.get(each.old), files.find(each.path))
    return len(half)


def _write(
    files: Tree, path: PurePosixPath, data: bytes | None, found: bytes | None
) -> None:
    if data is not None:
        files.replace(path, data, expected=found)
    elif found is not None:
        files.remove(path, expected=found)


def _pending(edit: Edit) -> _Pending:
    return _Pending(edit.path, _oid(edit.before), _oid(edit.after))


def _oid(data: bytes | None) -> str:
    return "" if data is None else blob_oid(data)


def _named(entry: TreeEntry | None) -> str:
    return entry.oid if entry else ""


def _written(pending: Iterable[_Pending]) -> bytes:
    rows = [[str(each.path), each.old, each.new] for each in pending]
    return json.dumps(rows).encode()


def _read(journal: Path) -> tuple[_Pending, ...]:
    """Read what was about to change; a journal is written whole or not at all."""
    try:
        rows = json.loads(journal.read_bytes())
        return tuple(_Pending(PurePosixPath(p), old, new) for p, old, new in rows)
    except (OSError, ValueError, TypeError):
        return ()
