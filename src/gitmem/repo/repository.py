"""The verbs of one repository: its work tree, index, refs and history."""

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem.errors import BadConfig, Busy, NotFound
from gitmem.files.atomic import private_folder, write
from gitmem.files.names import shown
from gitmem.repo import config, history, own_config, status
from gitmem.repo.command import Command
from gitmem.repo.environment import variables
from gitmem.repo.failure import explain
from gitmem.repo.history import Commit, TreeEntry
from gitmem.repo.objects import Identity, Objects
from gitmem.repo.status import Status

# `-merge` instead of `!merge` would turn every merge into a conflict.
ATTRIBUTES: Final = (
    b"* -text !eol !filter !diff !merge !ident !working-tree-encoding !export-subst\n"
)
# What Git opens wherever it lies in the work tree.
_OPENED: Final = frozenset({".gitignore", ".gitattributes", ".gitmodules"})
# Git's own names: what an interrupted operation leaves in `.git`.
LEFTOVERS: Final = (
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "BISECT_LOG",
    "rebase-merge",
    "rebase-apply",
    "sequencer",
)


class Repository(Objects):
    """A Git repository at `root`: its objects, and what names and shows them."""

    # What stands here

    def status(self, *, with_ignored: bool = True) -> Status:
        """Compare the work tree with the last commit, each file by its own name.

        To name what is ignored takes half as long again.
        """
        for path in self._traps():
            raise BadConfig(
                f"{shown(str(path))} is no plain file, and Git would wait for it.",
                "Remove it, and run `gitmem sync` again.",
            )
        # To compare a file, Git runs the filter that its attributes name.
        self.guard_attributes()
        return status.parse(
            self.read(
                "status",
                "--porcelain=v2",
                "--branch",
                "-z",
                "--untracked-files=all",
                f"--ignored={'traditional' if with_ignored else 'no'}",
                "--no-renames",
                "--ignore-submodules=dirty",
            )
        )

    def _traps(self) -> Iterator[PurePosixPath]:
        """Find what Git opens as it looks around, and would never come back from."""
        folders = [str(self.root)]
        while folders:
            with contextlib.suppress(OSError), os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name != ".git":
                            folders.append(entry.path)
                    elif entry.name in _OPENED and not (
                        entry.is_file(follow_symlinks=False) or entry.is_symlink()
                    ):
                        yield PurePosixPath(os.path.relpath(entry.path, self.root))

    def leftovers(self) -> tuple[str, ...]:
        """Name what an interrupted Git operation left behind."""
        return tuple(name for name in LEFTOVERS if (self.git_folder / name).exists())

    def is_shallow(self) -> bool:
        """Say whether the history was cut off when the repository was cloned."""
        return (self.git_folder / "shallow").exists()

    def local_config(self) -> own_config.Items:
        """Read the repository's own configuration, and none that it includes."""
        return own_config.read(self.git_folder)

    def person(self) -> Identity | None:
        """Read whom the person's own Git configuration commits as."""
        return self.person_from()[0]

    def person_from(self) -> tuple[Identity | None, tuple[str, ...]]:
        """Read whom the person commits as, and name the files that were read for it."""
        asked = ("config", "--includes", "--list", "--show-origin", "-z")
        origins, items = config.parse_origins(self.read(*asked))
        name = config.value(items, "user.name")
        email = config.value(items, "user.email")
        person = Identity(name, email) if name and email else None
        return person, tuple(str(self.root / path) for path in origins)

    def refs(self, *prefixes: str) -> dict[str, str]:
        """Map each full ref name below the prefixes to the object it names."""
        output = self.read(
            "for-each-ref", "--format=%(refname) %(objectname)", *prefixes
        )
        pairs = (line.split(" ") for line in output.decode().splitlines())
        return {name: oid for name, oid in pairs}  # noqa: C416  pairs are lists

    def written(self, refs: Iterable[str]) -> dict[str, str]:
        """Read what refs name, whether there is such an object or not."""
        found: dict[str, str] = {}
        for ref in refs:
            finished = self._command.run(
                "rev-parse",
                "--verify",
                "--quiet",
                ref,
                variables=variables(self.root, may_lock=False),
            )
            if oid := finished.stdout.decode().strip():
                found[ref] = oid
        return found

    def head(self) -> str | None:
        """Give the commit that HEAD names; None before the first one."""
        finished = self._command.run(
            "rev-parse",
            "--verify",
            "--quiet",
            "HEAD^{commit}",
            variables=variables(self.root, may_lock=False),
        )
        return finished.stdout.decode().strip() or None

    def resolve(self, revision: str) -> str:
        """Find the commit that a person means by `revision`."""
        finished = self._command.run(
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            f"{revision}^{{commit}}",
            variables=variables(self.root, may_lock=False),
        )
        oid = finished.stdout.decode().strip()
        if not oid:
            raise NotFound(
                f"There is no commit {revision!r} in the memory repository.",
                "Find one with `gitmem log`.",
            )
        return oid

    # History

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Say whether `newer` contains `older`."""
        finished = self._command.run(
            "merge-base",
            "--is-ancestor",
            older,
            newer,
            variables=variables(self.root, may_lock=False),
        )
        if finished.status in {0, 1}:
            return finished.status == 0
        raise explain("merge-base", finished.stderr)

    def merge_bases(self, one: str, other: str) -> tuple[str, ...]:
        """List the commits at which two histories parted; none if they never met."""
        finished = self._command.run(
            "merge-base",
            "--all",
            one,
            other,
            variables=variables(self.root, may_lock=False),
        )
        if finished.status in {0, 1}:
            return tuple(finished.stdout.decode().split())
        raise explain("merge-base", finished.stderr)

    def commits(
        self, *revisions: str, paths: Sequence[PurePosixPath] = (), limit: int = 0
    ) -> tuple[Commit, ...]:
        """List commits, newest first, each with the paths that it changed."""
        bound = [f"--max-count={limit}"] if limit else []
        output = self.read(
            "log",
            "-z",
            "--name-only",
            "--no-renames",
            "--no-color",
            "--no-show-signature",
            "--diff-merges=first-parent",
            f"--format={history.LOG_FORMAT}",
            *bound,
            *(revisions or ("HEAD",)),
            "--",
            *map(str, paths),
        )
        return history.parse_log(output)

    def unpushed(self, local: str, remote: str | None) -> tuple[datetime, ...]:
        """Give the times of the commits that only this machine has, newest first."""
        excluded = [f"^{remote}"] if remote else []
        output = self.read("log", "--format=%ct", local, *excluded, "--")
        return tuple(history.moment(each) for each in output.decode().split())

    def last_commits(self, *revisions: str) -> dict[str, Commit]:
        """Map every path, as Git writes it, to the commit that touched it last.

        A merge counts only for what no other commit wrote: it carries along what the
        other side wrote, and is not its author.
        """
        written: dict[str, Commit] = {}
        merged: dict[str, Commit] = {}
        for commit in self.commits(*revisions):
            newest = written if len(commit.parents) < 2 else merged  # noqa: PLR2004
            for name in commit.names:
                newest.setdefault(name, commit)
        return merged | written

    # Objects

    def count_objects(self) -> tuple[int, int]:
        """Count what lies loose, and the packs."""
        lines = self.read("count-objects", "-v").decode().splitlines()
        found = dict(line.split(": ", 1) for line in lines)
        return int(found["count"]), int(found["packs"])

    def pack(self) -> None:
        """Put loose objects and small packs into larger ones; none is thrown away."""
        self.change("repack", "-d", "-l", "-q", "--geometric=2")
        self.change("prune-packed", "-q")

    # Index and refs

    def stage(self, entries: Mapping[PurePosixPath, TreeEntry]) -> None:
        """Put entries into the index; an empty one takes its path out."""
        if entries:
            self.update_index(entries, extra={})

    def hide(self, paths: Sequence[PurePosixPath]) -> None:
        """Keep paths in the tree that are not to appear in the work tree."""
        if paths:
            names = "\0".join(map(str, paths)).encode("utf-8", "surrogateescape")
            self.change(
                "update-index", "--skip-worktree", "-z", "--stdin", stdin=names + b"\0"
            )

    def fill(self, revision: str, *, hidden: Sequence[PurePosixPath]) -> None:
        """Lay out the files of a commit in an empty work tree, but for some of them."""
        self.change("read-tree", revision)
        self.hide(hidden)
        private = Command(self.root, self._command.stopper, umask=0o077)
        private.check(
            "checkout-index",
            "--all",
            "--index",
            "--quiet",
            variables=variables(self.root),
        )

    def hidden(self) -> frozenset[PurePosixPath]:
        """Name the paths that `hide` keeps out of the work tree."""
        output = self.read("ls-files", "-t", "-z").decode("utf-8", "surrogateescape")
        lines = output.split("\0")
        return frozenset(PurePosixPath(x[2:]) for x in lines if x.startswith("S "))

    def assumed(self) -> dict[PurePosixPath, TreeEntry]:
        """Give the paths that somebody told Git to take for unchanged."""
        output = self.read("ls-files", "-v", "-s", "-z")
        found: dict[PurePosixPath, TreeEntry] = {}
        for line in output.decode("utf-8", "surrogateescape").split("\0"):
            fields, _, path = line.partition("\t")
            if line[:1].islower() and line[0] != "s":
                _, mode, oid, _ = fields.split(" ")
                found[PurePosixPath(path)] = TreeEntry(mode, oid)
        return found

    def notice(self, paths: Iterable[PurePosixPath]) -> None:
        """Let Git look again at paths that it was told to take for unchanged."""
        names = "\0".join(map(str, paths)).encode("utf-8", "surrogateescape")
        self.change(
            "update-index", "--no-assume-unchanged", "-z", "--stdin", stdin=names
        )

    def renew_index(self, revision: str) -> None:
        """Let the index hold what a commit holds, and know nothing of the disk."""
        self.change("read-tree", revision)

    def write_tree(self) -> str:
        """Write the index as a tree."""
        return self.change("write-tree").decode().strip()

    def refresh_index(self) -> None:
        """Let the index remember what it sees on disk; a lock in the way is no harm.

        A changed file that somebody marked as unchanged loses that mark.
        """
        self._command.run(
            "update-index", "-q", "--really-refresh", variables=variables(self.root)
        )

    def move_ref(self, ref: str, new: str, *, old: str | None) -> None:
        """Point a ref at `new` if it still names `old` (None: if there is none).

        Raises Busy when somebody else moved it meanwhile.
        """
        finished = self._command.run(
            "update-ref",
            "--no-deref",
            "--create-reflog",
            ref,
            new,
            old or "0" * len(new),
            variables=variables(self.root),
        )
        if finished.status != 0:
            error = explain("update-ref", finished.stderr, status=finished.status)
            if not isinstance(error, Busy):
                raise error
            raise Busy(
                f"{ref} was moved by somebody else meanwhile.", "Run it again."
            ) from error

    def set_ref(self, ref: str, new: str) -> None:
        """Point a ref that only gitmem uses at `new`, whatever it named."""
        self.change("update-ref", "--no-deref", ref, new)

    def set_refs(self, wanted: Mapping[str, str]) -> None:
        """Point several such refs, all or none of them, in one process."""
        lines = [f"update {ref}\0{new}\0\0" for ref, new in wanted.items()]
        feed = "".join(lines).encode()
        self.change("update-ref", "--no-deref", "-z", "--stdin", stdin=feed)

    def drop_ref(self, ref: str, *, old: str) -> None:
        """Delete a ref that only gitmem uses, if it still names `old`."""
        self.change("update-ref", "--no-deref", "-d", ref, old)

    def guard_attributes(self) -> None:
        """Let no `.gitattributes`, ours or a stranger's, change bytes or run a filter.

        `.git/info/attributes` outranks every other; in it the last line wins.
        """
        path = self.git_folder / "info" / "attributes"
        try:
            found = path.read_bytes()
        except FileNotFoundError:
            found = b""
        if not found.endswith(ATTRIBUTES):
            private_folder(path.parent)
            write(path, (found.rstrip(b"\n") + b"\n").lstrip(b"\n") + ATTRIBUTES)

    def attach(self, branch: str) -> None:
        """Let HEAD name a branch, without moving either."""
        self.change("symbolic-ref", "HEAD", f"refs/heads/{branch}")

    def set_config(self, key: str, text: str) -> None:
        """Write one key of the repository's own configuration."""
        self.change("config", "--local", key, text)


def initialise(folder: Path, branch: str) -> None:
    """Make a folder a repository whose first commit will be on `branch`."""
    # An empty template: the person's own could bring hooks and attributes.
    Command(folder).check(
        "init",
        "--quiet",
        "--template=",
        f"--initial-branch={branch}",
        variables=variables(folder),
    )
