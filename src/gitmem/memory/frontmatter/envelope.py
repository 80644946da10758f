"""Find what is odd about the bytes of a file before its frontmatter is read."""

import re
from typing import Final

from gitmem.memory.frontmatter.split import HEAD_LIMIT_BYTES, Fence
from gitmem.memory.memory import Problem
from gitmem.memory.problems import problem

_LONGEST_CHARACTER: Final = 4
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TAB: Final = re.compile(rb"^[ ]*\t|^[^\s:\"'#]+:[ ]*\t|^[ ]*-[ ]*\t", re.MULTILINE)


def problems(
    data: bytes, fence: Fence, *, is_truncated: bool, is_read: bool
) -> list[Problem]:
    """List what is odd about a file as a whole; `is_truncated` means more follows.

    `is_read` means that nothing in its body failed to be read.
    """
    found = []
    if fence.start:
        found.append(problem("byte-order-mark", 1))
    if fence.head == fence.start:
        found.append(_missing(data, fence, is_truncated=is_truncated))
    elif data[fence.start] != ord("-"):
        found.append(problem("late-frontmatter", 1))
    at = data.find(b"\r", 0, fence.body)
    if at >= 0:
        found.append(problem("carriage-return", _line(data, at)))
    try:
        data[: fence.body if is_read else None].decode()
    except UnicodeDecodeError as error:
        # The end of what was read may lie in the middle of a character.
        if not is_truncated or error.start <= len(data) - _LONGEST_CHARACTER:
            found.append(problem("not-utf8", _line(data, error.start)))
    return found


def head_problems(head: bytes, first_line: int) -> list[Problem]:
    """List the bytes of frontmatter that YAML or its readers stumble over."""
    if head.isascii() and head.decode().replace("\n", "").isprintable():
        return []
    return [
        problem(code, first_line - 1 + _line(head, found.start()))
        for code, pattern in (("tab", _TAB), ("control-character", _CONTROL))
        if (found := pattern.search(head))
    ]


def _missing(data: bytes, fence: Fence, *, is_truncated: bool) -> Problem:
    if not data[fence.start :].strip():
        return problem("empty-file", 1)
    if not fence.is_unclosed:
        return problem("no-frontmatter", 1)
    is_long = is_truncated or len(data) > HEAD_LIMIT_BYTES
    return problem("long-frontmatter" if is_long else "unclosed-frontmatter", 1)


def _line(data: bytes, offset: int) -> int:
    return len(data[: offset + 1].splitlines())
