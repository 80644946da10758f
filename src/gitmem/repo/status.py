"""What differs between the work tree, the index and the last commit; pure parsing.

Format: git-status(1), "Porcelain Format Version 2", with `-z --branch`.
"""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

EXECUTABLE_MODE: Final = "100755"
PLAIN_MODES: Final = frozenset({"100644", EXECUTABLE_MODE})
ABSENT_MODE: Final = "000000"
GITLINK_MODE: Final = "160000"


class Kind(StrEnum):
    """How Git sees one path."""

    CHANGED = "changed"
    UNTRACKED = "untracked"
    UNMERGED = "unmerged"


@dataclass(frozen=True, slots=True)
class Entry:
    """One path that is not as the last commit has it.

    `head_mode` and `head_oid` are what the commit holds (ABSENT_MODE: nothing);
    `disk_mode` is what the work tree holds.
    """

    path: PurePosixPath
    kind: Kind
    head_mode: str = ABSENT_MODE
    head_oid: str = ""
    disk_mode: str = ABSENT_MODE
    is_staged: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """Where HEAD stands, what differs from it, and what a .gitignore leaves out."""

    head: str | None
    branch: str | None
    entries: tuple[Entry, ...]
    ignored: tuple[PurePosixPath, ...] = ()


def parse(output: bytes) -> Status:
    """Read the output of `git status --porcelain=v2 --branch -z --no-renames`."""
    head: str | None = None
    branch: str | None = None
    entries: list[Entry] = []
    ignored: list[PurePosixPath] = []
    for raw in output.split(b"\0"):
        line = raw.decode("utf-8", "surrogateescape")
        if line.startswith("# branch.oid "):
            oid = line.removeprefix("# branch.oid ")
            head = None if oid == "(initial)" else oid
        elif line.startswith("# branch.head "):
            name = line.removeprefix("# branch.head ")
            branch = None if name == "(detached)" else name
        elif line.startswith("! "):
            ignored.append(PurePosixPath(line[2:]))
        elif entry := _entry(line):
            entries.append(entry)
    return Status(head, branch, tuple(entries), tuple(ignored))


def _entry(line: str) -> Entry | None:
    match line[:2]:
        case "1 ":
            _, states, _, head_mode, _, disk_mode, oid, _, path = line.split(" ", 8)
            return Entry(
                PurePosixPath(path),
                Kind.CHANGED,
                head_mode=head_mode,
                head_oid=oid,
                disk_mode=disk_mode,
                is_staged=states[0] != ".",
            )
        case "u ":
            fields = line.split(" ", 10)
            return Entry(PurePosixPath(fields[10]), Kind.UNMERGED, disk_mode=fields[6])
        case "? ":
            path = line[2:]
            # Git names a repository inside the repository as one folder.
            mode = GITLINK_MODE if path.endswith("/") else "100644"
            return Entry(PurePosixPath(path), Kind.UNTRACKED, disk_mode=mode)
    return None
