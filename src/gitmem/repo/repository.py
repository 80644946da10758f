"""The verbs of one repository: small questions and small acts, each one Git process."""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem.errors import Busy, Corrupt, NotFound
from gitmem.files.atomic import private_folder, write
from gitmem.repo import config, history, status
from gitmem.repo.command import Command, git_folder
from gitmem.repo.environment import variables
from gitmem.repo.failure import explain
from gitmem.repo.history import Change, Commit, MergedTree, TreeEntry
from gitmem.repo.status import ABSENT_MODE, Status

CONFLICT_MARKER_SIZE: Final = 61
# `-merge` instead of `!merge` would turn every merge into a conflict.
ATTRIBUTES: Final = (
    b"* -text !eol !filter !diff !merge !ident !working-tree-encoding !export-subst\n"
)
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


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a commit is by."""

    name: str
    email: str


class Repository:
    """A Git repository with a work tree at `root`."""

    def __init__(self, root: Path) -> None:
        """Resolve the root; raises NoRepository where there is none."""
        self.root = root.resolve()
        self.git_folder = git_folder(self.root)
        self._command = Command(self.root)

    def read(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Run a command that changes nothing."""
        return self._command.check(
            *arguments,
            variables=variables(self.root, may_lock=False),
            stdin=stdin,
        )

    def change(
        self,
        *arguments: str,
        stdin: bytes = b"",
        extra: Mapping[str, str] | None = None,
    ) -> bytes:
        """Run a command that changes the repository on this machine."""
        return self._command.check(
            *arguments,
            variables={**variables(self.root), **(extra or {})},
            stdin=stdin,
        )

    # What stands here

    def status(self) -> Status:
        """Compare the work tree with the last commit, each untracked file by name."""
        return status.parse(
            self.read(
                "status",
                "--porcelain=v2",
                "--branch",
                "-z",
                "--untracked-files=all",
                "--no-renames",
                "--ignore-submodules=all",
            )
        )

    def leftovers(self) -> tuple[str, ...]:
        """Name what an interrupted Git operation left behind."""
        return tuple(name for name in LEFTOVERS if (self.git_folder / name).exists())

    def is_shallow(self) -> bool:
        """Say whether the history was cut off when the repository was cloned."""
        return (self.git_folder / "shallow").exists()

    def local_config(self) -> tuple[tuple[str, str], ...]:
        """Read the repository's own configuration, and none that it includes."""
        return config.parse(
            self.read(
                "config",
                "--file",
                str(self.git_folder / "config"),
                "--no-includes",
                "--list",
                "-z",
            )
        )

    def person(self) -> Identity | None:
        """Read whom the person's own Git configuration commits as."""
        asked = ("config", "--includes", "--list", "-z")
        items = config.parse(self.read(*asked))
        name = config.value(items, "user.name")
        email = config.value(items, "user.email")
        return Identity(name, email) if name and email else None

    def refs(self, *prefixes: str) -> dict[str, str]:
        """Map each full ref name below the prefixes to the object it names."""
        output = self.read(
            "for-each-ref", "--format=%(refname) %(objectname)", *prefixes
        )
        pairs = (line.split(" ") for line in output.decode().splitlines())
        return {name: oid for name, oid in pairs}  # noqa: C416  pairs are lists

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

    def are_related(self, one: str, other: str) -> bool:
        """Say whether two commits have an ancestor in common."""
        finished = self._command.run(
            "merge-base", one, other, variables=variables(self.root, may_lock=False)
        )
        if finished.status in {0, 1}:
            return finished.status == 0
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
        return tuple(datetime.fromtimestamp(int(t), UTC) for t in output.split())

    def last_changed(self) -> dict[PurePosixPath, datetime]:
        """Map every path in the history to the commit that touched it last."""
        newest: dict[PurePosixPath, datetime] = {}
        for commit in self.commits():
            for path in commit.paths:
                newest.setdefault(path, commit.at)
        return newest

    # Objects

    def changed(self, old: str, new: str) -> tuple[Change, ...]:
        """List what differs between two trees or commits."""
        return history.parse_changes(
            self.read("diff-tree", "-r", "-z", "--raw", "--no-renames", old, new)
        )

    def empty_tree(self) -> str:
        """Write the tree that holds nothing, and name it."""
        return self.change("mktree", "-z").decode().strip()

    def tree_of(self, revision: str) -> str:
        """Name the tree of a commit."""
        return self.read("rev-parse", f"{revision}^{{tree}}").decode().strip()

    def tree(self, revision: str) -> dict[PurePosixPath, TreeEntry]:
        """List every file that a commit or tree holds."""
        return history.parse_tree(
            self.read("ls-tree", "-r", "-z", "--full-tree", revision)
        )

    def sizes(self, oids: Iterable[str]) -> dict[str, int]:
        """Map each object to its size in bytes, without reading it."""
        wanted = "".join(f"{oid}\n" for oid in oids).encode()
        if not wanted:
            return {}
        output = self.read(
            "cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=wanted
        )
        pairs = (line.split(" ") for line in output.decode().splitlines())
        return {oid: int(size) for oid, size in pairs if size.isdigit()}

    def blobs(self, oids: Iterable[str]) -> dict[str, bytes]:
        """Read many objects in one process."""
        wanted = list(dict.fromkeys(oids))
        if not wanted:
            return {}
        output = self.read(
            "cat-file", "--batch", stdin="".join(f"{o}\n" for o in wanted).encode()
        )
        return _batch(output)

    def show(self, revision: str, path: PurePosixPath) -> bytes:
        """Read a file as a commit has it; raises NotFound."""
        entry = history.parse_tree(
            self.read("ls-tree", "-z", "--full-tree", revision, "--", str(path))
        ).get(path)
        if entry is None:
            raise NotFound(
                f"{path} did not exist at {revision[:12]}.",
                f"See its versions with `gitmem history {path}`.",
            )
        return self.blobs([entry.oid])[entry.oid]

    def store(self, contents: Sequence[bytes]) -> tuple[str, ...]:
        """Write blobs in one process, from memory, and name them in order.

        The bytes that were checked are the bytes that are stored: `git add` would read
        the file again, and it may have become another one, or a link, meanwhile.
        """
        if not contents:
            return ()
        feed = bytearray()
        for number, data in enumerate(contents, start=1):
            feed += b"blob\nmark :%d\ndata %d\n%b\n" % (number, len(data), data)
            feed += b"get-mark :%d\n" % number
        output = self.change(
            "fast-import", "--quiet", "--done", stdin=bytes(feed) + b"done\n"
        )
        return tuple(output.decode().split())

    def merge_trees(self, ours: str, theirs: str) -> MergedTree:
        """Merge two commits without touching the work tree."""
        finished = self._command.run(
            "merge-tree",
            "--write-tree",
            "-z",
            "--no-messages",
            "--allow-unrelated-histories",
            ours,
            theirs,
            variables=variables(self.root),
        )
        if finished.status not in {0, 1}:
            raise explain("merge-tree", finished.stderr)
        return history.parse_merge(finished.stdout)

    def merge_lines(self, ours: bytes, base: bytes, theirs: bytes, style: str) -> bytes:
        """Merge three texts line by line; what overlaps stands between markers."""
        with tempfile.TemporaryDirectory(prefix="gitmem-") as folder:
            names = [Path(folder, name) for name in ("ours", "base", "theirs")]
            for name, data in zip(names, (ours, base, theirs), strict=True):
                name.write_bytes(data)
            finished = self._command.run(
                "merge-file",
                "--stdout",
                "--quiet",
                f"--marker-size={CONFLICT_MARKER_SIZE}",
                *([f"--{style}"] if style else []),
                *map(str, names),
                variables=variables(self.root, may_lock=False),
            )
        if finished.status > 127:  # noqa: PLR2004  up to there it counts overlaps
            raise explain("merge-file", finished.stderr)
        return finished.stdout

    def edit_tree(self, tree: str, entries: Mapping[PurePosixPath, TreeEntry]) -> str:
        """Write a tree that is `tree` with some entries replaced or removed."""
        if not entries:
            return tree
        with tempfile.TemporaryDirectory(prefix="gitmem-") as folder:
            index = {"GIT_INDEX_FILE": str(Path(folder, "index"))}
            self.change("read-tree", tree, extra=index)
            self._update_index(entries, extra=index)
            return self.change("write-tree", extra=index).decode().strip()

    def commit_tree(
        self,
        tree: str,
        parents: Sequence[str],
        message: str,
        *,
        by: Identity,
        at: datetime,
        sign: bool = False,
    ) -> str:
        """Write a commit object; no ref moves."""
        when = f"@{int(at.timestamp())} +0000"
        who = {
            "GIT_AUTHOR_NAME": by.name,
            "GIT_AUTHOR_EMAIL": by.email,
            "GIT_AUTHOR_DATE": when,
            "GIT_COMMITTER_NAME": by.name,
            "GIT_COMMITTER_EMAIL": by.email,
            "GIT_COMMITTER_DATE": when,
        }
        given = [flag for parent in parents for flag in ("-p", parent)]
        output = self.change(
            "commit-tree",
            *(["-S"] if sign else []),
            tree,
            *given,
            "-F",
            "-",
            stdin=message.encode(),
            extra=who,
        )
        return output.decode().strip()

    # Index and refs

    def stage(self, entries: Mapping[PurePosixPath, TreeEntry]) -> None:
        """Put entries into the index; an empty one takes its path out."""
        if entries:
            self._update_index(entries, extra={})

    def hide(self, paths: Sequence[PurePosixPath]) -> None:
        """Keep paths in the tree that are not to appear in the work tree."""
        if paths:
            names = "\0".join(map(_text, paths)).encode("utf-8", "surrogateescape")
            self.change(
                "update-index", "--skip-worktree", "-z", "--stdin", stdin=names + b"\0"
            )

    def write_tree(self) -> str:
        """Write the index as a tree."""
        return self.change("write-tree").decode().strip()

    def load_index(self, tree: str) -> None:
        """Make the index hold exactly a tree, whatever it held."""
        self.change("read-tree", "--reset", tree)

    def refresh_index(self) -> None:
        """Let the index remember what it sees on disk; a lock in the way is no harm."""
        self._command.run(
            "update-index", "-q", "--refresh", variables=variables(self.root)
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
            raise Busy(
                f"{ref} was moved by somebody else meanwhile.", "Run it again."
            ) from explain("update-ref", finished.stderr)

    def set_ref(self, ref: str, new: str) -> None:
        """Point a ref that only gitmem uses at `new`, whatever it named."""
        self.change("update-ref", "--no-deref", ref, new)

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

    def _update_index(
        self, entries: Mapping[PurePosixPath, TreeEntry], *, extra: Mapping[str, str]
    ) -> None:
        lines = [
            f"{entry.mode or ABSENT_MODE} {entry.oid or '0' * 40}\t{_text(path)}\0"
            # A file that becomes a folder leaves the index before its children enter.
            for path, entry in sorted(entries.items(), key=lambda e: bool(e[1].mode))
        ]
        feed = "".join(lines).encode("utf-8", "surrogateescape")
        self.change("update-index", "-z", "--index-info", stdin=feed, extra=extra)


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


def _text(path: PurePosixPath) -> str:
    return path.as_posix()


def _batch(output: bytes) -> dict[str, bytes]:
    """Read the output of `git cat-file --batch`."""
    found: dict[str, bytes] = {}
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        oid, kind, *size = output[at:end].decode().split(" ")
        at = end + 1
        if kind == "missing":
            raise Corrupt(
                f"The object {oid} is missing from the memory repository.",
                "Run `gitmem doctor`; the files themselves are untouched.",
            )
        length = int(size[0])
        found[oid] = output[at : at + length]
        at += length + 1
    return found
