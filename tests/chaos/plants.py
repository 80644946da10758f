"""Faults that were put into gitmem on purpose, to see that they are found."""

import subprocess
from typing import Any

from gitmem.errors import Conflicted
from gitmem.files.tree import Tree
from gitmem.sync import advance, apply


def ref_before_files() -> None:
    """Move the branch first, and the files after it."""

    def apply_(work: Any, tips: Any, target: str, *, may_set_aside: bool) -> None:
        old = tips.local or work.repository.empty_tree()
        work.repository.move_ref(work.branch_ref, target, old=tips.local)
        work.move(old, target, may_set_aside=may_set_aside)
        work.repository.refresh_index()

    advance._apply = apply_


def apply_without_a_look() -> None:
    """Overwrite what lies on the disk without comparing it."""
    apply._is_untouched = lambda *_: True
    real = Tree.replace

    def replace(self, path, data, *, expected, durable=True):
        if expected is None:
            real(self, path, data, expected=None, durable=durable)
        else:
            (self.root / path).write_bytes(data)

    Tree.replace = replace  # type: ignore[method-assign]


def hard_reset() -> None:
    """Let Git move the work tree, as if nobody could have written to it."""

    def apply_(work: Any, tips: Any, target: str, *, may_set_aside: bool) -> None:
        _git(work, "reset", "--hard", "--quiet", target)

    advance._apply = apply_


def rebase() -> None:
    """Rebase in the work tree where a merge is to be made."""

    def merge(work: Any, ours: str, theirs: str, decision: Any) -> str:
        _git(work, "rebase", "--quiet", "--autostash", theirs)
        return str(work.repository.head())

    advance._merge = merge


def _git(work: Any, *arguments: str) -> None:
    done = subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@example.invalid", *arguments],
        cwd=work.repository.root,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise Conflicted(done.stderr.decode()[:300])
