"""Find the repository that a folder belongs to, by reading `.git` and nothing else.

A `.git` that points elsewhere is believed only when the place it points at names this
folder in return; otherwise an unpacked archive could pass for another project.
"""

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gitmem.project.gitconfig import GitConfig, parse

CONFIG_LIMIT_BYTES: Final = 1 << 20
POINTER_LIMIT_BYTES: Final = 1 << 13


@dataclass(frozen=True, slots=True)
class Found:
    """A repository: where its work tree is, where its common directory is."""

    root: Path
    common: Path
    config: GitConfig
    is_linked: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """Something called `.git` that must not be believed, and why."""

    holder: Path
    note: str


def find(folder: Path) -> Found | Refused | None:
    """Walk up from a real path to the first believable repository, or doubtful one.

    A bare repository counts only when no `.git` lies above it: any clone can carry a
    folder laid out like one.
    """
    bare: Path | None = None
    for holder in (folder, *folder.parents):
        outcome = _at(holder)
        if outcome is not None:
            return outcome
        if bare is None and _is_repository(holder, holder):
            bare = holder
    if bare is None:
        return None
    if not is_mine(bare):
        return Refused(bare, "this bare repository belongs to another user")
    return Found(bare, bare, _config(bare), is_linked=False)


def folder_of(found: Found) -> Path | None:
    """Give the `.git` folder of a work tree itself; None for a bare repository."""
    entry = found.root / ".git"
    mode = _mode(entry)
    if mode is None or stat.S_ISDIR(mode):
        return entry if mode is not None else None
    return _target(found.root, entry, mode)


def read(path: Path, limit_bytes: int) -> bytes | None:
    """Read a small regular file, or give None; never through a link, never waiting."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        try:
            data = file.read(limit_bytes + 1)
        except OSError:
            return None
    return data if len(data) <= limit_bytes else None


def _at(holder: Path) -> Found | Refused | None:
    """Judge the `.git` in one folder; None when there is none worth the name."""
    entry = holder / ".git"
    mode = _mode(entry)
    if mode is None:
        return None
    if not (is_mine(entry) and is_mine(holder)):
        return Refused(holder, "its .git belongs to another user")
    if stat.S_ISDIR(mode):
        return _own(holder, entry)
    target = _target(holder, entry, mode)
    if target is None:
        return Refused(holder, "its .git leads nowhere")
    return _pointed(holder, target)


def _own(holder: Path, git: Path) -> Found | Refused | None:
    """Take a plain `.git` folder, which has no business pointing elsewhere."""
    if _mode(git / "commondir") is not None:
        return Refused(holder, "its .git folder borrows from another repository")
    if not _is_repository(git, git):
        return None
    return Found(holder, git, _config(git), is_linked=False)


def _target(holder: Path, entry: Path, mode: int) -> Path | None:
    """Follow a `.git` file or link to the folder it means."""
    if stat.S_ISLNK(mode):
        return _real(entry)
    text = _pointer(entry)
    return _real(holder / text[8:]) if text[:8] == "gitdir: " else None


def _pointed(holder: Path, git: Path) -> Found | Refused:
    """Believe a pointer that is answered from the other side."""
    common = _common(git)
    if common is None or not _is_repository(git, common):
        return Refused(holder, "its .git does not lead to a repository")
    if not (is_mine(git) and is_mine(common)):
        return Refused(holder, "its .git leads to a folder of another user")
    if common != git:
        back = _pointer(git / "gitdir")
        if not back or not _is_same((git / back).parent, holder):
            return Refused(holder, "its .git leads to the worktree of another folder")
        return Found(holder, common, _config(common), is_linked=True)
    is_inside = git.is_relative_to(holder)
    config = _config(git) if is_inside or git.name != ".git" else None
    if config is None or not (is_inside or _answers(holder, git, config)):
        return Refused(holder, "its .git leads to the repository of another folder")
    return Found(holder, git, config, is_linked=False)


def _answers(holder: Path, git: Path, config: GitConfig) -> bool:
    """Tell a submodule or a separate Git folder from somebody else's repository."""
    if config.work_tree is not None:
        return _is_same(git / config.work_tree, holder)
    return not config.is_bare


def _common(git: Path) -> Path | None:
    """Give the common directory of a Git folder, itself unless it is a worktree's."""
    if _mode(git / "commondir") is None:
        return git
    common = _real(git / (_pointer(git / "commondir") or "."))
    return common if common and git.parent == common / "worktrees" else None


def _is_repository(git: Path, common: Path) -> bool:
    head = _mode(git / "HEAD")
    if head is None or stat.S_ISDIR(head):
        return False
    return all((common / name).is_dir() for name in ("objects", "refs"))


def _config(common: Path) -> GitConfig:
    data = read(common / "config", CONFIG_LIMIT_BYTES) or b""
    return parse(os.fsdecode(data))


def _pointer(path: Path) -> str:
    """Read a file that holds one path; empty when it does not."""
    text = os.fsdecode(read(path, POINTER_LIMIT_BYTES) or b"").rstrip("\r\n")
    return "" if "\0" in text or "\n" in text else text


def _real(path: Path) -> Path | None:
    try:
        return Path(os.path.realpath(path, strict=True))
    except (OSError, ValueError):
        return None


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


def is_mine(path: Path) -> bool:
    """Tell whether a folder or file belongs to this user."""
    try:
        return path.lstat().st_uid == os.geteuid()
    except OSError:
        return False


def _mode(path: Path) -> int | None:
    try:
        return path.lstat().st_mode
    except (OSError, ValueError):
        return None
