"""Look for what keeps gitmem from working, and say how each thing is mended.

Every check stands alone: one that fails says so and the next goes on.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from gitmem.catalog import damaged
from gitmem.errors import GitmemError, Offline
from gitmem.files.names import shown
from gitmem.memory.check import rules_findings
from gitmem.repo import command, damage, frame
from gitmem.repo.address import parse
from gitmem.repo.config import refuse_harmful, value
from gitmem.repo.locks import locks
from gitmem.repo.remote import Remote
from gitmem.service import hosting
from gitmem.service.answers import Diagnosis, Verdict
from gitmem.service.notices import counted
from gitmem.service.rooms import Rooms

_FINE, _WORRY, _BROKEN = Verdict.FINE, Verdict.WORRY, Verdict.BROKEN
# Services that copy a folder file by file, and break a `.git` while doing so.
_SYNCED: Final = re.compile(
    r"/(Dropbox|OneDrive[^/]*|Google ?Drive|GoogleDrive[^/]*|iCloud ?Drive"
    r"|Mobile Documents|CloudStorage|Nextcloud|ownCloud|Syncthing|pCloud ?Drive)/",
    re.IGNORECASE,
)
_FOREIGN_COPY: Final = re.compile(
    r"conflicted copy|\.sync-conflict-|\(\d+\)$| \d+$", re.IGNORECASE
)
_NETWORK_FILE_SYSTEMS: Final = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afpfs", "fuse.sshfs", "webdav"}
)


def examine(rooms: Rooms) -> Iterator[Diagnosis]:
    """Look at the programs, the settings, the folder, the repository, the remote."""
    yield from _guarded("git", _git)
    yield from _guarded("ripgrep", _ripgrep)
    yield from _settings(rooms)
    if rooms.loaded.broken:
        return
    yield from _own_folders(rooms)
    yield from _guarded("host", lambda: hosting.examine(rooms.loaded.folders))
    yield from _folder(rooms.root)
    if not (rooms.root / ".git").exists():
        where = f"there is none at {rooms.root}"
        yield Diagnosis("repository", _BROKEN, where, "Create one: gitmem init [URL]")
        return
    yield from _guarded("repository", lambda: _repository(rooms))
    yield from _guarded("catalog", lambda: _catalog(rooms))
    yield from _guarded("rules", lambda: _rules(rooms))
    yield from _guarded("sync", lambda: _sync(rooms))
    yield from _guarded("remote", lambda: _remote(rooms))


def _guarded(what: str, look: Callable[[], Iterator[Diagnosis]]) -> Iterator[Diagnosis]:
    try:
        yield from look()
    except GitmemError as error:
        yield Diagnosis(what, _BROKEN, error.message, error.hint)


def _git() -> Iterator[Diagnosis]:
    command.require_git()
    version = ".".join(map(str, command.git_version()))
    yield Diagnosis("git", _FINE, f"version {version}")


def _ripgrep() -> Iterator[Diagnosis]:
    from gitmem.catalog.ripgrep import program

    yield Diagnosis("ripgrep", _FINE, str(program()))


def _settings(rooms: Rooms) -> Iterator[Diagnosis]:
    loaded = rooms.loaded
    if loaded.broken:
        mend = "Mend it: until then no command works, and nothing else is looked at."
        yield Diagnosis("settings", _BROKEN, str(loaded.broken), mend)
        return
    for problem in loaded.problems:
        mend = "Correct it in that place; see `gitmem settings --explain`."
        yield Diagnosis("settings", _WORRY, str(problem), mend)
    for inert in loaded.inert:
        yield Diagnosis("settings", _WORRY, str(inert), "Take it out of that place.")
    for refusal in loaded.refused:
        mend = "Set it in your own config.toml if you want it."
        yield Diagnosis("project", _WORRY, str(refusal), mend)
    if rooms.project.note:
        mend = "gitmem uses the folder's name for the project until that is settled."
        yield Diagnosis("project", _WORRY, rooms.project.note, mend)
    if not (loaded.problems or loaded.inert or loaded.refused):
        yield Diagnosis("settings", _FINE, f"from {loaded.folders.config}")


def _own_folders(rooms: Rooms) -> Iterator[Diagnosis]:
    """Look whether gitmem can write to the folders that it needs."""
    own = rooms.loaded.folders
    if not _is_writable(own.state):
        message = f"{own.state} cannot be written, so nothing can be synced."
        mend = "Make it yours and writable, or let GITMEM_HOME name another place."
        yield Diagnosis("state", _BROKEN, message, mend)
    if not _is_writable(own.cache):
        message = f"{own.cache} cannot be written; each search reads all memories."
        mend = "Make it yours and writable, or set XDG_CACHE_HOME to another place."
        yield Diagnosis("cache", _WORRY, message, mend)


def _is_writable(folder: Path) -> bool:
    there = next(each for each in (folder, *folder.parents) if os.path.lexists(each))
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def _folder(root: Path) -> Iterator[Diagnosis]:
    """Look at the place of the repository on this machine."""
    real = os.path.realpath(root)
    if found := _SYNCED.search(f"{real}/"):
        yield Diagnosis(
            "folder",
            _WORRY,
            f"{root} lies in a folder that {found[1]} copies, which damages Git.",
            "Move it, set memory_dir.local_path, and let `gitmem sync` do the copying.",
        )
    if (kind := _file_system(real)) in _NETWORK_FILE_SYSTEMS:
        yield Diagnosis(
            "folder",
            _WORRY,
            f"{root} lies on a network file system ({kind}); its locks may not hold.",
            "Keep a repository on each machine's own disk, and sync them.",
        )
    if (copies := _foreign_copies(Path(real, ".git"))) != ():
        yield Diagnosis(
            "folder",
            _BROKEN,
            f"Another program copied files inside .git: {', '.join(copies)}.",
            "Stop that program there, then run `git fsck` and delete the copies.",
        )


def _file_system(real: str) -> str:
    """Name the kind of file system that holds a path; empty where nobody says."""
    try:
        mounts = Path("/proc/self/mounts").read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    found = ("", "")
    for _, place, kind, *_ in (line.split(" ") for line in mounts):
        inside = f"{real}/".startswith(f"{place.rstrip('/')}/")
        if inside and len(place) >= len(found[0]):
            found = (place, kind)
    return found[1]


def _foreign_copies(git_folder: Path) -> tuple[str, ...]:
    found: list[str] = []
    for _, folders, files in os.walk(git_folder):
        # Objects are named by their hash, and too many to look at.
        folders[:] = [name for name in folders if name != "objects"]
        found += [shown(name) for name in files if _is_foreign_copy(name)]
    return tuple(found[:3])


def _is_foreign_copy(name: str) -> bool:
    return any(_FOREIGN_COPY.search(part) for part in (name, Path(name).stem))


def _repository(rooms: Rooms) -> Iterator[Diagnosis]:
    damaged = tuple(_damage(rooms))
    yield from damaged or _state(rooms)


def _damage(rooms: Rooms) -> Iterator[Diagnosis]:
    """Look for what no Git could work with."""
    mend = "Run `gitmem sync`, which makes it anew; the files are untouched."
    faults = tuple(frame.faults(rooms.root / ".git"))
    for fault in faults:
        yield Diagnosis("repository", _BROKEN, shown(str(fault)), mend)
    if faults or rooms.repository().head() is not None:
        return
    branch = rooms.loaded.settings.sync.branch
    log = damage.commits_of_log(rooms.repository().git_folder, f"refs/heads/{branch}")
    if log or rooms.engine().record().commit.tip:
        mend = "Run `gitmem sync`, which finds where it stood."
        yield Diagnosis("repository", _BROKEN, f"The branch {branch} is gone.", mend)


def _state(rooms: Rooms) -> Iterator[Diagnosis]:
    repository = rooms.repository()
    refuse_harmful(repository.local_config())
    status = repository.status()
    wanted = rooms.loaded.settings.sync.branch
    if status.branch != wanted:
        yield Diagnosis(
            "repository",
            _WORRY,
            f"It stands on {status.branch or 'no branch'}, not on {wanted}.",
            "The next `gitmem sync` brings it home; or set sync.branch.",
        )
    is_whole = status.head is None or repository.is_whole([status.head])
    if not is_whole or damage.find(repository.git_folder):
        yield Diagnosis(
            "repository",
            _BROKEN,
            "Objects of its history are damaged or missing.",
            "Run `gitmem sync`, which mends what it can.",
        )
    for lock in locks(repository.git_folder):
        yield Diagnosis(
            "repository",
            _WORRY,
            f"A Git has locked it: {lock.path.name}",
            "Run `gitmem sync`, which clears it if that Git is dead.",
        )
    for name in repository.leftovers():
        mend = "The next `gitmem sync` settles it and keeps both sides."
        yield Diagnosis("repository", _WORRY, f"An unfinished {name} lies there.", mend)
    if stashed := repository.refs("refs/stash"):
        yield Diagnosis(
            "repository",
            _WORRY,
            f"{counted(len(stashed), 'stash', 'stashes')} of yours; gitmem never "
            "touches them.",
            f"Look at them: git -C {rooms.root} stash list",
        )
    if repository.is_shallow():
        mend = "The next `gitmem sync` fetches the rest."
        yield Diagnosis("repository", _WORRY, "Its history is cut off.", mend)
    what = "no commit yet" if status.head is None else f"at {status.head[:12]}"
    yield Diagnosis("repository", _FINE, f"{rooms.root}, {what}")


def _catalog(rooms: Rooms) -> Iterator[Diagnosis]:
    """Look whether what is found, and told at a turn, can be read."""
    catalog = rooms.catalog()
    if not catalog.is_built():
        yield Diagnosis("catalog", _FINE, "none yet; the first session makes it")
    elif fault := damaged.fault(catalog.folder):
        message = f"The catalog in {catalog.folder} is damaged: {fault}."
        mend = "Delete that folder; the next search or turn makes it anew."
        yield Diagnosis("catalog", _BROKEN, message, mend)
    else:
        yield Diagnosis("catalog", _FINE, f"in {catalog.folder}")


def _rules(rooms: Rooms) -> Iterator[Diagnosis]:
    for each in rules_findings(rooms.tree()):
        message = f"{each.path}:{each.line}: {each.message}"
        yield Diagnosis("rules", _WORRY, message, "Mend that line.")


def _sync(rooms: Rooms) -> Iterator[Diagnosis]:
    standing = rooms.engine().status()
    for refused in standing.record.refused:
        message = f"{shown(refused.path)} is not committed: {refused.reason}"
        yield Diagnosis("sync", _WORRY, message, "Mend the file, then: gitmem sync")
    if standing.record.held:
        mend = "Decide, and run the command that is named there."
        yield Diagnosis("sync", _WORRY, standing.record.held, mend)
    for copy in standing.conflicts:
        message = f"{copy} is the other side of a conflict."
        yield Diagnosis("sync", _WORRY, message, "Take over what counts, delete it.")
    waiting = counted(standing.unpushed, "commit")
    if standing.unpushed:
        yield Diagnosis("sync", _WORRY, f"{waiting} not pushed", "Run `gitmem sync`.")
    else:
        yield Diagnosis("sync", _FINE, "nothing waits to be pushed")


def _remote(rooms: Rooms) -> Iterator[Diagnosis]:
    options = rooms.options()
    origin = value(rooms.repository().local_config(), "remote.origin.url")
    text = options.url or origin
    if text is None:
        yield Diagnosis("remote", _FINE, "none; the memory stays on this machine")
        return
    address = parse(text)
    remote = Remote(
        command.Command(options.root), address, timeout_seconds=options.timeout_seconds
    )
    try:
        offered = remote.refs().branches
    except Offline as error:
        mend = (
            "Nothing is lost, and it goes out once the remote answers. If this machine "
            "is online: is the address right, and is the remote up? Another one is set "
            "by `gitmem remote URL`."
        )
        message = f"{address.text} does not answer: {error.message}"
        yield Diagnosis("remote", _BROKEN, message, mend)
        return
    if offered and options.branch not in offered:
        message = f"{address.text} has no branch {options.branch}."
        mend = f"Set sync.branch to one of: {', '.join(sorted(offered)[:5])}"
        yield Diagnosis("remote", _WORRY, message, mend)
    else:
        yield Diagnosis("remote", _FINE, f"{address.text} answers")
