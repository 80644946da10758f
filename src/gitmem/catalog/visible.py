"""Ask ripgrep which of a few files its ignore rules leave visible."""

import os
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem.catalog.ripgrep import program
from gitmem.process import environment, run

DEADLINE_SECONDS: Final = 2.0
OUTPUT_LIMIT_BYTES: Final = 4_000_000
_SPECIAL: Final = re.compile(r"([\\*?\[\]{}!#\s])")


def visible(root: Path, paths: Iterable[PurePosixPath]) -> frozenset[PurePosixPath]:
    """Give those of the paths below a folder that no `.gitignore` or `.ignore` hides.

    Only their folders are looked into. Raises ToolMissing and DeadlineExceeded.
    """
    wanted = frozenset(each for each in paths if not _has_line_end(each))
    if not wanted:
        return frozenset()
    finished = run(
        [
            *(program(), "--no-config", "--files", "--null", "--no-messages"),
            # What no other rule speaks of is left to these, which come last.
            *("--no-require-git", "--ignore-file", "/dev/stdin", "."),
        ],
        cwd=root,
        environment=environment(without_prefix="RIPGREP_"),
        timeout_seconds=DEADLINE_SECONDS,
        stdin=_only(wanted),
        output_limit_bytes=OUTPUT_LIMIT_BYTES,
    )
    names = (os.fsdecode(name) for name in finished.stdout.split(b"\0"))
    return wanted & {PurePosixPath(name) for name in names}


def _only(paths: Iterable[PurePosixPath]) -> bytes:
    """Write ignore rules that hide everything but some files and their folders."""
    files = {f"!/{_quoted(each)}" for each in paths}
    folders = {
        f"!/{_quoted(folder)}/"
        for each in paths
        for folder in each.parents
        if folder.name
    }
    return os.fsencode("\n".join(["*", *sorted(folders), *sorted(files), ""]))


def _quoted(path: PurePosixPath) -> str:
    return _SPECIAL.sub(r"\\\1", str(path))


def _has_line_end(path: PurePosixPath) -> bool:
    return "\n" in str(path) or "\r" in str(path)
