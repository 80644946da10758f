"""Faults that were put into gitmem on purpose, to see that they are found."""

import subprocess
from typing import Any

from gitmem.files.tree import Tree
from gitmem.sync import advance, apply, pending
from gitmem.sync.engine import Engine


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


def no_journal() -> None:
    """Write nothing down of what is about to change as one."""
    pending.write = lambda *_, **__: None  # type: ignore[attr-defined]


def hard_reset() -> None:
    """Let Git move the work tree, as if nobody could have written to it."""

    def apply_(work: Any, tips: Any, target: str, *, may_set_aside: bool) -> None:
        _git(work, "reset", "--hard", "--quiet", target)

    advance._apply = apply_


def rebase() -> None:
    """Do as many a tool does: rebase over what is not committed, then commit it all."""

    def cycle(self: Engine, **_: Any) -> None:
        work = self._workspace()
        _git(work, "fetch", "--quiet", "origin")
        _git(work, "rebase", "--quiet", "--autostash", work.tracking_ref)
        _git(work, "add", "--all")
        _git(work, "commit", "--quiet", "--message", "sync")
        _git(work, "push", "--quiet", "origin", f"HEAD:{work.branch_ref}")

    Engine.cycle = cycle  # type: ignore[assignment, method-assign]


def _git(work: Any, *arguments: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@example.invalid", *arguments],
        cwd=work.repository.root,
        capture_output=True,
        check=True,
    )
