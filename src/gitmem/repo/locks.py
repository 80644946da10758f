"""Wait for the locks of a Git that works here, and clear those of one that died.

Only for a caller that holds gitmem's own lock. A lock is taken for dead when it is the
same file after a while, and no Git lives on this machine that could hold it; its age
alone says nothing, since a hook may run for minutes.
"""

import os
import random
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gitmem import process
from gitmem.errors import Busy, GitmemError

WAIT_SECONDS: Final = 2.0
_PROCESSES: Final = Path("/proc")
_PROGRAM: Final = "git"
_LITTER: Final = (
    "objects/??/tmp_obj_*",
    "objects/pack/tmp_*",
    "objects/pack/.tmp-*",
    "objects/tmp_objdir-*",
    "objects/info/*.lock",
    "fast_import_crash_*",
)
# These stay for hours, and lock nothing.
_IDLE: Final = (b"fsmonitor--daemon", b"credential-cache--daemon", b"cat-file")


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock file, and what tells it from another one of the same name."""

    path: Path
    owner: int
    identity: tuple[int, int]


def clear(root: Path, git_folder: Path) -> tuple[str, ...]:
    """Return once no lock is in the way; name those that were cleared.

    Raises Busy when a Git is alive that may hold one.
    """
    found = locks(git_folder)
    ends = time.monotonic() + WAIT_SECONDS
    while found and time.monotonic() < ends:
        # Jitter keeps two that wait from looking in step.
        time.sleep(random.uniform(0.02, 0.2))  # noqa: S311  not a secret
        found &= locks(git_folder)
    if found and is_in_use(root, git_folder, {lock.owner for lock in found}):
        raise Busy(
            "Another Git process is at work in the memory repository.",
            "What is here is kept; the next sync commits it.",
        )
    for lock in found & locks(git_folder):
        if lock.path.is_dir() and not lock.path.is_symlink():
            shutil.rmtree(lock.path)
        else:
            lock.path.unlink(missing_ok=True)
    return tuple(sorted(str(lock.path.relative_to(git_folder)) for lock in found))


def locks(git_folder: Path) -> frozenset[Lock]:
    """Find the locks that stop a commit, a fetch or the move of a ref."""
    folders = [git_folder, *(Path(each[0]) for each in os.walk(git_folder / "refs"))]
    paths = (path for folder in folders for path in folder.glob("*.lock"))
    return frozenset(lock for path in paths if (lock := _lock(path)))


def clear_litter(root: Path, git_folder: Path) -> None:
    """Remove the half-written objects of a Git that died, to make room."""
    if is_in_use(root, git_folder, {os.geteuid()}):
        return
    for pattern in _LITTER:
        for path in git_folder.glob(pattern):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def is_in_use(root: Path, git_folder: Path, owners: set[int]) -> bool:
    """Say whether a Git lives that may be at work in this repository."""
    if not _PROCESSES.joinpath("self", "comm").exists():
        return _is_any_alive(root)
    named = [os.fsencode(folder) for folder in (root, git_folder)]
    return any(_works_in(pid, root, named, owners) for pid in _living())


def _living() -> Iterator[Path]:
    for folder in _PROCESSES.glob("[0-9]*"):
        try:
            name = folder.joinpath("comm").read_text("utf-8", "replace")
        except OSError:
            continue
        if name.startswith(_PROGRAM):
            yield folder


def _works_in(pid: Path, root: Path, named: list[bytes], owners: set[int]) -> bool:
    try:
        uid = pid.stat().st_uid
        cwd = Path(pid.joinpath("cwd").readlink())
        said = b"".join(pid.joinpath(x).read_bytes() for x in ("cmdline", "environ"))
    except PermissionError:
        # Somebody else's, of whom nothing can be seen: it may be theirs.
        return uid in owners
    except OSError:
        return False
    is_here = cwd.is_relative_to(root) or any(each in said for each in named)
    return is_here and not any(each in said for each in _IDLE)


def _is_any_alive(root: Path) -> bool:
    """Ask `ps` where processes do not show where they work."""
    try:
        finished = process.run(
            ["ps", "-axo", "comm="],
            cwd=root,
            environment=process.environment(),
            timeout_seconds=WAIT_SECONDS,
        )
    except GitmemError:
        return True
    names = finished.stdout.decode("utf-8", "replace").splitlines()
    return any(Path(name.strip()).name.startswith(_PROGRAM) for name in names)


def _lock(path: Path) -> Lock | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return Lock(path, found.st_uid, (found.st_ino, found.st_mtime_ns))
