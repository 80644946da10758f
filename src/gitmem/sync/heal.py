"""Make good for damaged objects: from the work tree, the index, and the remote.

What was damaged is kept aside. The work tree is not touched: whatever cannot be brought
back of the history, the files are committed anew.
"""

import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path, PurePosixPath

from gitmem import log
from gitmem.errors import Corrupt, GitmemError, SyncError
from gitmem.files.atomic import disk_errors, temporary_prefix
from gitmem.repo import damage, frame
from gitmem.repo.command import Command
from gitmem.repo.remote import Remote
from gitmem.repo.repository import Repository, initialise
from gitmem.sync.apply import BATCH, blob_oid, not_shown
from gitmem.sync.options import Options
from gitmem.sync.record import Record
from gitmem.sync.twins import shadowed
from gitmem.sync.workspace import Workspace


def mend(options: Options, known: Record) -> tuple[str, ...]:
    """Make anew what Git cannot read of its own folder; say what that was."""
    with disk_errors(options.root):
        found = frame.mend(
            options.root / ".git", branch=options.branch, url=options.url or known.url
        )
    if found:
        text = f"made anew, as it was damaged: {', '.join(map(str, found))}"
        log.record(options.state, text, now=options.now())
    return tuple(f"what was damaged: {fault}" for fault in found)


def recover_branch(work: Workspace) -> str:
    """Let a branch that is gone stand where it is known to have stood; say where.

    Empty where it is there, or nobody knows.
    """
    repository, ref = work.repository, work.branch_ref
    if ref in repository.refs(ref):
        return ""
    record = work.record
    seen = repository.refs(work.seen_ref).values()
    stood = damage.commits_of_log(repository.git_folder, ref)
    for oid in (*stood, record.commit.tip, record.push.tip, *seen):
        if oid and repository.is_whole([oid]):
            repository.move_ref(ref, oid, old=None)
            return oid
    return ""


def renew_index(work: Workspace, head: str) -> None:
    """Make an index anew from the last commit; the files stay as they are.

    An empty one would take what is not laid out, or is ignored, for deleted.
    """
    repository = work.repository
    entries = repository.tree(head)
    repository.renew_index(head)
    hidden = not_shown(repository, entries)
    if work.is_folding:
        hidden |= shadowed(entries.keys() - hidden, frozenset(work.files.walk()))
    repository.hide(sorted(hidden))


def heal(work: Workspace) -> bool:
    """Replace what is damaged or missing; say whether there was anything to do.

    Raises Corrupt when something is still missing after that.
    """
    repository = work.repository
    damaged = damage.put_aside(repository.git_folder)
    has_index = _mend_index(work)
    is_mended = _leave_malformed(work) or damaged or not has_index
    if not is_mended and _is_whole(work):
        return False
    _store_files(work)
    _restore_trees(repository)
    if not _is_whole(work):
        _refetch(work)
    if not _is_whole(work):
        _step_back(work)
    _note(work, damaged)
    if not _is_whole(work):
        raise Corrupt(
            "Objects of the history are missing and nobody here has them.",
            "Sync from a machine that has them; the files here are untouched.",
        )
    return True


def _mend_index(work: Workspace) -> bool:
    """Begin a new index where the old one cannot be read."""
    try:
        work.repository.read("ls-files", "-z")
    except SyncError:
        damage.put_index_aside(work.repository.git_folder)
        return False
    return True


def _leave_malformed(work: Workspace) -> bool:
    """Stand where the history is well-formed; what the files hold is committed anew.

    The commits that are left behind stay reachable.
    """
    repository, ref = work.repository, work.branch_ref
    tips = _tips(work)
    tip, known = tips.get(ref), tips.get(work.tracking_ref)
    if tip is None or not _is_whole(work) or repository.is_well_formed(tip, known):
        return False
    earlier = (commit.oid for commit in repository.commits(f"{tip}^@"))
    sound = (oid for oid in earlier if repository.is_well_formed(oid, known))
    if (target := next(sound, known)) is None:
        return False
    repository.set_ref(f"refs/gitmem/rescue/{tip[:12]}/malformed", tip)
    repository.move_ref(ref, target, old=tip)
    damage.put_index_aside(repository.git_folder)
    return True


def _store_files(work: Workspace) -> None:
    """Write the blobs of the work tree that the repository does not have."""
    paths = iter(work.files.walk())
    while batch := tuple(islice(paths, BATCH)):
        found = {blob_oid(data): data for data in _contents(work, batch)}
        known = work.repository.sizes(found)
        work.repository.store([found[oid] for oid in found if oid not in known])


def _contents(work: Workspace, paths: tuple[PurePosixPath, ...]) -> Iterator[bytes]:
    for path in paths:
        try:
            yield work.files.read(path)
        except GitmemError:
            continue


def _restore_trees(repository: Repository) -> None:
    try:
        repository.write_tree()
    except SyncError:
        return


def _refetch(work: Workspace) -> None:
    """Fetch everything into a repository of its own, and take over its packs.

    Git would ask the remote only for what it believes that it does not have.
    """
    if work.address is None:
        return
    place = work.repository.git_folder
    with tempfile.TemporaryDirectory(prefix=temporary_prefix(), dir=place) as folder:
        root = Path(folder)
        initialise(root, work.options.branch)
        copy = Repository(root)
        remote = Remote(
            Command(copy.root, work.options.stopper),
            work.address,
            timeout_seconds=work.options.timeout_seconds,
        )
        try:
            remote.fetch(
                work.options.branch,
                into=work.tracking_ref,
                deepen=False,
                progress=work.options.progress,
            )
        except SyncError:
            return
        copy.change("repack", "-a", "-d", "-q")
        packs = place / "objects" / "pack"
        packs.mkdir(exist_ok=True)
        # An index makes its pack be used, so it comes last.
        for path in sorted(root.glob(".git/objects/pack/pack-*"), reverse=True):
            path.replace(packs / path.name)


def _step_back(work: Workspace) -> None:
    """Let each ref stand where its history is whole; the files stay as they are."""
    repository = work.repository
    for ref, oid in _tips(work).items():
        if repository.is_whole([oid]):
            continue
        if ref != work.branch_ref:
            repository.drop_ref(ref, old=oid)
            continue
        logged = damage.commits_of_log(repository.git_folder, ref)
        others = (oid for name, oid in _tips(work).items() if name != ref)
        whole = (each for each in (*logged, *others) if repository.is_whole([each]))
        if earlier := next(whole, ""):
            repository.set_ref(ref, earlier)


def _is_whole(work: Workspace) -> bool:
    return work.repository.is_whole(_tips(work).values())


def _tips(work: Workspace) -> dict[str, str]:
    refs = (work.branch_ref, work.tracking_ref, work.seen_ref)
    return work.repository.written(refs)


def _note(work: Workspace, damaged: tuple[str, ...]) -> None:
    text = f"healed the repository; {len(damaged)} damaged: {', '.join(damaged[:20])}"
    log.record(work.options.state, text, now=work.now())
