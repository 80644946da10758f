"""Take something back, and keep what came after it."""

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import NotFound, StaleWrite, UsageError
from gitmem.files.names import confine, shown
from gitmem.files.tree import Tree
from gitmem.repo.history import Change, Commit
from gitmem.repo.repository import Repository
from gitmem.secrets import conceal
from gitmem.sync.apply import holds_other, may_exist, present
from gitmem.sync.check import refuse_content, refuse_name
from gitmem.sync.conflict import copy_of, copy_path, unoccupied
from gitmem.sync.merge import merge
from gitmem.sync.pending import Swap, name_of, named
from gitmem.sync.record import Refused
from gitmem.sync.together import Edit
from gitmem.sync.workspace import Workspace

RECENT: Final = 200


def changes_of(repository: Repository, commit: Commit) -> tuple[Change, ...]:
    """List what it takes to undo a commit; refuse one that cannot be undone."""
    if len(commit.parents) > 1:
        raise UsageError(
            f"{commit.oid[:12]} is a merge; there is nothing of its own in it.",
            "Undo one of the commits that it joined: gitmem log",
        )
    if not commit.parents:
        raise UsageError(
            f"{commit.oid[:12]} is the beginning of the memory.",
            "Undo a later commit: gitmem log",
        )
    return repository.changed(commit.oid, commit.parents[0])


def undo(work: Workspace, changes: Sequence[Change]) -> tuple[Edit | Swap, ...]:
    """Decide what it takes to undo what a commit changed, and keep what came after it.

    A file that was edited since is merged; where the two overlap, the file stays and
    its former version is laid beside it as a conflict copy. One that the commit made
    stays then, and is told. What may not be committed, as it is or as it was, stays as
    it is; the latter is told.
    """
    committed = work.repository.tree("HEAD")
    here = {change.path: named(committed.get(change.path)) for change in changes}
    wanted = [
        swap
        for swap in (Swap(c.path, named(c.old), named(c.new)) for c in changes)
        if may_exist(swap.path)
        and here[swap.path] != swap.new
        and _is_as_committed(work, swap.path, here[swap.path])
    ]
    plain = [swap for swap in wanted if here[swap.path] == swap.old]
    refused = _refused(work, plain)
    edits: dict[PurePosixPath, Edit | Swap] = {
        swap.path: swap for swap in plain if swap.path not in refused
    }
    for swap in wanted:
        if here[swap.path] not in {"", swap.old} and swap.new:
            merged = tuple(_merged(work, swap, here[swap.path]))
            reasons = (_reason(work, each.path, each.after or b"") for each in merged)
            if reason := next(filter(None, reasons), ""):
                refused[swap.path] = reason
            else:
                edits |= {each.path: each for each in merged}
    told = (Refused(conceal(shown(str(p))), why) for p, why in refused.items())
    stayed = (s.path for s in wanted if not s.new and here[s.path] != s.old)
    work.tell(refused=(*work.report.refused, *told), stayed=tuple(stayed))
    return tuple(edits.values())


def restore(
    repository: Repository, files: Tree, path: PurePosixPath, revision: str
) -> None:
    """Write a file as it was at a revision."""
    path = confine(str(path))
    data = repository.show(revision, path)
    found = files.find(path)
    if found != data:
        files.replace(path, data, expected=found)


def chosen(repository: Repository, revision: str, machine: str) -> Commit:
    """Find the commit that a person means: by default this machine's last."""
    if revision:
        return repository.commits(repository.resolve(revision), limit=1)[0]
    if repository.head() is not None:
        for commit in repository.commits(limit=RECENT):
            if commit.machine == machine and len(commit.parents) == 1:
                return commit
    raise NotFound(
        "This machine has committed nothing lately that could be undone.",
        "Name the commit: `gitmem log` lists them.",
    )


def which(pending: str) -> UsageError:
    """Ask which commit is meant, where the last change was not committed yet."""
    return UsageError(
        f"What was not committed yet is {pending[:12]} now; nothing was taken back.",
        "Run `gitmem undo` again to take that back, or name another: gitmem log",
    )


def _is_as_committed(work: Workspace, path: PurePosixPath, oid: str) -> bool:
    """Say whether a file is what the last commit has; if not, it stays as it is.

    Raises StaleWrite where a commit is all that it takes.
    """
    found = present(work.files, path)
    if name_of(found) == oid:
        return True
    name = conceal(shown(str(path)))
    if found is None or name in {each.path for each in work.record.refused}:
        return False
    raise StaleWrite(f"{name} changed while a commit was undone.", "Run it again.")


def _refused(work: Workspace, swaps: Sequence[Swap]) -> dict[PurePosixPath, str]:
    """Find what was committed once, and may not be any more."""
    paths: dict[str, list[PurePosixPath]] = {}
    for swap in swaps:
        if swap.new:
            paths.setdefault(swap.new, []).append(swap.path)
    return {
        path: reason
        for blobs in work.repository.lots(paths)
        for oid, data in blobs.items()
        for path in paths[oid]
        if (reason := _reason(work, path, data))
    }


def _reason(work: Workspace, path: PurePosixPath, data: bytes) -> str:
    rules = work.options.rules
    return refuse_name(path, rules) or refuse_content(data, rules)


def _merged(work: Workspace, swap: Swap, here: str) -> Iterator[Edit]:
    """Put what was before the commit and what came after it into one file, or two."""
    repository = work.repository
    blobs = repository.blobs(filter(None, (swap.old, swap.new, here)))
    found, before = blobs[here], blobs[swap.new]
    merged = merge(
        swap.path, blobs.get(swap.old), found, before, repository.merge_lines
    )
    if merged.copy is None:
        yield Edit(swap.path, found, merged.data)
        return
    # Which side a sync would keep is no question here: what is there was meant since.
    copy = copy_of(swap.path, before)
    kept = unoccupied(copy_path(swap.path, before), copy, holds_other(work.files, copy))
    yield Edit(kept, work.files.find(kept), copy)
