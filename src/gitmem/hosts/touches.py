"""Tell which file a call of a host's tool touches, and which lines of it; pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from gitmem.hosts.entry import EDIT, MEMORY_WRITE, READ, WRITE, Call, Lines, Touch

MEMORY_TOOL: Final = "memory_write"
_KINDS: Final = {
    "read": READ,
    "notebookread": READ,
    "edit": EDIT,
    "multiedit": EDIT,
    "notebookedit": EDIT,
    "write": WRITE,
}
_PATHS: Final = ("path", "file_path", "notebook_path", "filePath")
# A file of more lines is no text that anybody reads.
_MOST_LINES: Final = 10_000_000
_PATCHED: Final = re.compile(
    r"^\*\*\* (Add|Update|Delete) File: (.+?)\s*$|^\*\*\* (Move to): (.+?)\s*$",
    re.MULTILINE,
)
_BREAK: Final = re.compile(r"\n\s*\.\.\.\s*(?:\n|$)")
_ADDED: Final = re.compile(r"^\+\s*(\d{1,8})(?:\s|$)", re.MULTILINE)
_REMOVED: Final = re.compile(r"^-\s*(\d{1,8})(?:\s|$)", re.MULTILINE)


def tool_calls(content: object, *, kind: str, given: str) -> Iterator[Call]:
    """Read the calls among the parts of a message, as a host spells them.

    A part of this kind is a call; its arguments stand under the key `given`.
    """
    for part in content if isinstance(content, list) else ():
        if isinstance(part, Mapping) and part.get("type") == kind:
            tool, found = str(part.get("name", "")), part.get(given)
            arguments = found if isinstance(found, Mapping) else {}
            yield Call(str(part.get("id", "")), tool, arguments, touch(tool, arguments))


def touch(tool: str, arguments: Mapping[str, Any]) -> Touch | None:
    """Give the file that a call touches; None for a call that touches no one file."""
    path = next((arguments[key] for key in _PATHS if _is_name(arguments, key)), "")
    if tool == MEMORY_TOOL or tool.endswith(f"__{MEMORY_TOOL}"):
        return Touch(path, MEMORY_WRITE) if path else None
    kind = _KINDS.get(tool.casefold())
    if kind is None or not path:
        return None
    return Touch(path, kind, _read(arguments) if kind == READ else ())


def patched(patch: str) -> Iterator[Touch]:
    """Give the files that a patch in Codex's own form changes."""
    for verb, path, moves, place in _PATCHED.findall(patch):
        if verb != "Delete":
            yield Touch(path or place, WRITE if verb == "Add" or moves else EDIT)


def numbered(diff: str, first: object) -> tuple[Lines, ...]:
    """Give the changed lines of a diff whose lines are numbered, as pi's are.

    What was added says where; only where nothing was, what was removed does.
    """
    found = []
    for section in _BREAK.split(diff):
        numbers = _ADDED.findall(section) or _REMOVED.findall(section)
        if numbers:
            several = [int(each) for each in numbers]
            found.append((min(several), max(several)))
    if not found and isinstance(first, int) and 0 < first < _MOST_LINES:
        return ((first, first),)
    return tuple(found)


def hunks(patch: object) -> tuple[Lines, ...]:
    """Give the changed lines of a patch in hunks, as Claude Code's is."""
    several = patch if isinstance(patch, list) else []
    return tuple(
        found
        for hunk in several
        if isinstance(hunk, Mapping) and (found := _hunk(hunk)) is not None
    )


def _hunk(hunk: Mapping[str, Any]) -> Lines | None:
    at, lines = hunk.get("newStart"), hunk.get("lines")
    if not isinstance(at, int) or not isinstance(lines, list):
        return None
    added, removed = _numbers(at, [str(each)[:1] for each in lines])
    changed = added or removed
    return (min(changed), max(changed)) if changed else None


def _numbers(at: int, marks: Sequence[str]) -> tuple[list[int], list[int]]:
    """Count out the lines added, and where others were removed, in the new file."""
    added, removed = [], []
    for mark in marks:
        if mark == "-":
            removed.append(max(at, 1))
            continue
        if mark == "+":
            added.append(at)
        at += mark != "\\"
    return added, removed


def _read(arguments: Mapping[str, Any]) -> tuple[Lines, ...]:
    start, count = _whole(arguments.get("offset")), _whole(arguments.get("limit"))
    if not count:
        return ()
    first = start or 1
    return ((first, first + count - 1),)


def _whole(value: object) -> int:
    """Take a number of lines; what is none, or no number, counts as not said."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return int(value) if 0 < value < _MOST_LINES else 0


def _is_name(arguments: Mapping[str, Any], key: str) -> bool:
    found = arguments.get(key)
    return isinstance(found, str) and bool(found) and "\0" not in found


def merged(ranges: Iterable[Lines]) -> tuple[Lines, ...]:
    """Join ranges that overlap or touch one another, in order."""
    found: list[Lines] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return tuple(found)
