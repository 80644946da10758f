"""Say where a project's HEAD stands, by reading a few small files and nothing else."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gitmem.files.names import is_of_git
from gitmem.project import gitfolder

PACKED_LIMIT_BYTES: Final = 1 << 24
_OID: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BRANCHES: Final = "refs/heads/"
_BRANCH_LIMIT: Final = 250


@dataclass(frozen=True, slots=True)
class Head:
    """A work tree and its `.git`; `branch` and `commit` are empty where none is.

    `git` is the folder of this work tree, `common` that of all of its repository.
    """

    root: Path
    git: Path
    common: Path
    branch: str = ""
    commit: str = ""


def head(root: Path) -> Head | None:
    """Read where HEAD stands; None where there is no work tree to believe."""
    found = gitfolder.find(root)
    if not isinstance(found, gitfolder.Found):
        return None
    git = gitfolder.folder_of(found)
    if git is None:
        return None
    text = _line(git / "HEAD")
    if not text.startswith("ref: "):
        commit = text if _OID.fullmatch(text) else ""
        return Head(found.root, git, found.common, commit=commit)
    ref = text.removeprefix("ref: ").strip()
    if not _is_plain(ref):
        return Head(found.root, git, found.common)
    branch = ref.removeprefix(_BRANCHES)
    return Head(found.root, git, found.common, branch, _resolved(found.common, ref))


def _is_plain(ref: str) -> bool:
    """Let a name lead nowhere but to a branch of this repository."""
    return (
        ref.startswith(_BRANCHES)
        and len(ref) < _BRANCH_LIMIT
        and ref.isprintable()
        and not {"", ".", ".."} & set(ref.split("/"))
        and not is_of_git(ref)
    )


def _resolved(common: Path, ref: str) -> str:
    loose = _line(common / ref)
    if _OID.fullmatch(loose):
        return loose
    packed = gitfolder.read(common / "packed-refs", PACKED_LIMIT_BYTES) or b""
    wanted = f" {ref}"
    for line in os.fsdecode(packed).split("\n"):
        if line.endswith(wanted) and _OID.fullmatch(line.removesuffix(wanted)):
            return line.removesuffix(wanted)
    return ""


def _line(path: Path) -> str:
    data = gitfolder.read(path, gitfolder.POINTER_LIMIT_BYTES) or b""
    return os.fsdecode(data).rstrip("\r\n")
