"""Ask Git which files of somebody's project changed, without obeying that project.

Git is given a folder of our own in place of the project's `.git`: a configuration that
names no program, and attributes that name no filter. Of the project it sees the
objects, the index and the work tree, and all of them it only reads.
"""

import tempfile
from datetime import datetime
from pathlib import Path
from typing import Final

from gitmem.errors import GitmemError
from gitmem.project.head import Head
from gitmem.repo import status
from gitmem.repo.command import Command
from gitmem.repo.environment import variables

PATIENCE_SECONDS: Final = 2.0
_PLAIN: Final = "* -text !eol !filter !diff !merge !ident !working-tree-encoding\n"
_CONFIG: Final = "[core]\n\trepositoryformatversion = {}\n\tbare = false\n"
_LONG: Final = "[extensions]\n\tobjectFormat = sha256\n"
_SHA1_DIGITS: Final = 40


def touched(head: Head, since: datetime | None) -> tuple[str, ...]:
    """Name the files that are not as the last commit has them, and those of commits.

    Commits count that were made after `since`. Where Git cannot say it in time, or at
    all, there are none.
    """
    with tempfile.TemporaryDirectory(prefix="gitmem-") as folder:
        asked = _Asked(Path(folder), head)
        found = [*asked.changed(), *(asked.committed(since) if since else ())]
    return tuple(dict.fromkeys(found))


class _Asked:
    """A `.git` folder of our own, through which Git sees a project."""

    def __init__(self, folder: Path, head: Head) -> None:
        is_long = len(head.commit) > _SHA1_DIGITS
        for name in ("objects", "refs", "info"):
            (folder / name).mkdir()
        config = _CONFIG.format(int(is_long)) + (_LONG if is_long else "")
        (folder / "config").write_text(config, "ascii")
        (folder / "HEAD").write_text(f"{head.commit or 'ref: refs/heads/none'}\n")
        (folder / "info" / "attributes").write_text(_PLAIN, "ascii")
        self._head = head
        # Git goes to the work tree by itself, and nothing is started in there.
        self._command = Command(folder)
        self._variables = {
            **variables(head.root, may_lock=False),
            "GIT_DIR": str(folder),
            "GIT_WORK_TREE": str(head.root),
            "GIT_INDEX_FILE": str(head.git / "index"),
            "GIT_OBJECT_DIRECTORY": str(head.common / "objects"),
        }

    def changed(self) -> tuple[str, ...]:
        """Name what differs from the last commit, and what no commit knows."""
        data = self._ask(
            "status",
            "--porcelain=v2",
            "--branch",
            "-z",
            "--untracked-files=all",
            "--no-renames",
            "--ignore-submodules=all",
        )
        return tuple(str(entry.path) for entry in status.parse(data).entries)

    def committed(self, since: datetime) -> tuple[str, ...]:
        """Name what the commits after a moment changed."""
        if not self._head.commit:
            return ()
        before = f"--before={since.isoformat()}"
        base = self._ask("rev-list", "-1", before, self._head.commit).strip().decode()
        if not base or base == self._head.commit:
            return ()
        data = self._ask(
            "diff-tree",
            "-r",
            "-z",
            "--name-only",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            base,
            self._head.commit,
        )
        names = data.decode("utf-8", "surrogateescape").split("\0")
        return tuple(filter(None, names))

    def _ask(self, *arguments: str) -> bytes:
        try:
            done = self._command.run(
                *arguments,
                variables=self._variables,
                timeout_seconds=PATIENCE_SECONDS,
            )
        except GitmemError:
            return b""
        return done.stdout if done.status == 0 else b""
