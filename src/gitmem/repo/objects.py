"""What a repository holds: blobs, trees and commits, read and written."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem.errors import Corrupt, NotFound
from gitmem.files.atomic import temporary_prefix
from gitmem.process import Stopper
from gitmem.repo import history
from gitmem.repo.command import Command, git_folder
from gitmem.repo.environment import variables
from gitmem.repo.failure import explain
from gitmem.repo.folders import Folder, is_well_formed, parse_folder, rewrite, touched
from gitmem.repo.history import Change, TreeEntry
from gitmem.repo.status import ABSENT_MODE

CONFLICT_MARKER_SIZE: Final = 61
# So much is held in memory at a time, however much there is.
LOT_BYTES: Final = 16_000_000


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a commit is by."""

    name: str
    email: str


class Objects:
    """The objects of the repository at `root`; no ref, index or file is touched."""

    def __init__(self, root: Path, stopper: Stopper | None = None) -> None:
        """Resolve the root, so that no link is followed twice.

        Raises NoRepository where there is none.
        """
        self.root = root.resolve()
        self.git_folder = git_folder(self.root)
        self._command = Command(self.root, stopper)
        self._is_flushed = True

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
            variables={
                **variables(self.root, is_flushed=self._is_flushed),
                **(extra or {}),
            },
            stdin=stdin,
        )

    @contextmanager
    def unflushed(self) -> Iterator[None]:
        """Write objects that can be made again without waiting for the disk.

        After a power cut they may be missing, and are healed; what they were made of
        must have been flushed.
        """
        self._is_flushed = False
        try:
            yield
        finally:
            self._is_flushed = True

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

    def names(self, revision: str) -> frozenset[str]:
        """Name every file that a commit or tree holds, as Git writes its path."""
        return history.parse_names(
            self.read("ls-tree", "-r", "-z", "--name-only", "--full-tree", revision)
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

    def lots(self, oids: Iterable[str]) -> Iterator[dict[str, bytes]]:
        """Read any number of objects, so much of them at a time as memory takes."""
        wanted = list(dict.fromkeys(oids))
        sizes = self.sizes(wanted)
        lot: list[str] = []
        total = 0
        for oid in wanted:
            # One that is missing is told of as it is read.
            size = sizes.get(oid, 0)
            if lot and total + size > LOT_BYTES:
                yield self.blobs(lot)
                lot, total = [], 0
            lot.append(oid)
            total += size
        if lot:
            yield self.blobs(lot)

    def is_whole(self, oids: Iterable[str]) -> bool:
        """Say whether all that these commits lead to is here."""
        finished = self._command.run(
            "rev-list",
            "--objects",
            "--quiet",
            "--stdin",
            variables=variables(self.root, may_lock=False),
            stdin="".join(f"{oid}\n" for oid in oids).encode(),
        )
        return finished.status == 0

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
        feed += b"done\n"
        output = self.change("fast-import", "--quiet", "--done", stdin=bytes(feed))
        return tuple(output.decode().split())

    def merge_lines(self, ours: bytes, base: bytes, theirs: bytes, style: str) -> bytes:
        """Merge three texts line by line; what overlaps stands between markers."""
        with self._workshop() as folder:
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
        """Write a tree that is `tree` with some entries replaced or removed.

        `tree` may be a commit.
        """
        if not entries:
            return self.tree_of(tree)
        folders = self._folders(tree, touched(entries))
        rewritten = rewrite(folders, entries)
        output = self.change("mktree", "-z", "--batch", stdin=rewritten.feed)
        if tuple(output.decode().split()) != rewritten.written:
            raise Corrupt(
                "git mktree made another tree than was asked for.",
                "Run `gitmem doctor`; the files themselves are untouched.",
            )
        return rewritten.oid

    def _folders(
        self, tree: str, wanted: Sequence[PurePosixPath]
    ) -> dict[PurePosixPath, Folder]:
        """Read some folders of a tree; those that it does not have are left out."""
        asked = [f"{tree}:{path if path.parts else ''}" for path in wanted]
        names = [name.encode("utf-8", "surrogateescape") for name in asked]
        feed = b"".join(name + b"\0" for name in names)
        output = self.read("cat-file", "--batch", "-z", stdin=feed)
        answers = zip(wanted, _answers(output, names), strict=True)
        return {p: parse_folder(data) for p, (kind, data) in answers if kind == "tree"}

    def is_well_formed(self, tip: str, known: str | None) -> bool:
        """Say whether every Git can read the folders that `tip` adds to `known`."""
        listed = self.read(
            "rev-list",
            "--objects",
            "--no-object-names",
            "--filter=blob:none",
            tip,
            *([f"^{known}"] if known else []),
        )
        output = self.read("cat-file", "--batch", stdin=listed)
        answers = _answers(output, listed.splitlines())
        return all(kind != "tree" or is_well_formed(data) for kind, data in answers)

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

    def _workshop(self) -> tempfile.TemporaryDirectory[str]:
        """Make a folder that is found, and cleared, if a kill leaves it behind."""
        return tempfile.TemporaryDirectory(
            prefix=temporary_prefix(), dir=self.git_folder
        )

    def update_index(
        self, entries: Mapping[PurePosixPath, TreeEntry], *, extra: Mapping[str, str]
    ) -> None:
        """Put entries into the index that the variables in `extra` name."""
        lines = [
            f"{entry.mode or ABSENT_MODE} {entry.oid or '0' * 40}\t{path}\0"
            # A file that becomes a folder leaves the index before its children enter.
            for path, entry in sorted(entries.items(), key=lambda e: bool(e[1].mode))
        ]
        feed = "".join(lines).encode("utf-8", "surrogateescape")
        self.change("update-index", "-z", "--index-info", stdin=feed, extra=extra)


def _answers(output: bytes, names: Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
    """Read what `git cat-file --batch` says to each name: its kind and its bytes."""
    at = 0
    for name in names:
        missing = name + b" missing\n"
        if output.startswith(missing, at):
            at += len(missing)
            yield "", b""
            continue
        end = output.index(b"\n", at)
        _, kind, size = output[at:end].decode().split(" ")
        at = end + 1 + int(size) + 1
        yield kind, output[end + 1 : at - 1]


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
