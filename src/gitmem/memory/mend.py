"""Mend what can be mended without a judgement, each thing by itself."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import NotFound, PathRefused, StaleWrite
from gitmem.files.names import refusal, shown
from gitmem.files.tree import Tree
from gitmem.memory import tags
from gitmem.memory.conflicts import marker_line
from gitmem.memory.findings import Finding
from gitmem.memory.frontmatter.edit import edit
from gitmem.memory.frontmatter.requote import requote
from gitmem.memory.frontmatter.split import join, split
from gitmem.memory.load import load
from gitmem.memory.memory import Memory, Severity
from gitmem.memory.survey import nested_repository


@dataclass(frozen=True, slots=True)
class Mend:
    """How the finding of one code is mended, told to the person beforehand."""

    what: str
    apply: Callable[[Memory, bytes], bytes]


@dataclass(frozen=True, slots=True)
class Mended:
    """What was done to one file, or why it was left."""

    path: PurePosixPath
    codes: tuple[str, ...]
    left_because: str = ""


def fix(tree: Tree, findings: Iterable[Finding]) -> tuple[Mended, ...]:
    """Mend what can be mended of the findings given, file by file.

    A file that has an error, is not gitmem's to write, or changed meanwhile is left
    as it is, and said so.
    """
    wanted: dict[PurePosixPath, set[str]] = defaultdict(set)
    errors: dict[PurePosixPath, str] = {}
    for found in findings:
        if found.severity is Severity.ERROR:
            errors.setdefault(found.path, _said(found.line, found.message))
        if found.code in MENDS:
            wanted[found.path].add(found.code)
    done = (
        _left(path, errors[path]) if path in errors else _fix_file(tree, path, codes)
        for path, codes in sorted(wanted.items())
    )
    return tuple(each for each in done if each.codes or each.left_because)


def mended(
    path: PurePosixPath, data: bytes, codes: Iterable[str]
) -> tuple[bytes, tuple[str, ...]]:
    """Give a file's mended bytes and what was mended, in the order of `MENDS`."""
    wanted = set(codes)
    done = []
    for code, mend in MENDS.items():
        if code in wanted:
            better = mend.apply(load(path, data, path.parts[0]), data)
            if better != data:
                done.append(code)
            data = better
    return data, tuple(done)


def _fix_file(tree: Tree, path: PurePosixPath, codes: set[str]) -> Mended:
    try:
        before = tree.read(path)
        if reason := _not_ours(tree, path) or _broken(path, before):
            return _left(path, reason)
        after, done = mended(path, before, codes)
        if done:
            tree.replace(path, after, expected=before)
    except (NotFound, PathRefused, StaleWrite) as error:
        return _left(path, error.message)
    return Mended(path, done)


def _left(path: PurePosixPath, reason: str) -> Mended:
    return Mended(path, (), reason)


def _not_ours(tree: Tree, path: PurePosixPath) -> str:
    """Say why a path is never written to; a check of one folder sees none above it."""
    for part in path.parts:
        if reason := refusal(part):
            return f"The name {shown(part)} cannot be used on every machine: {reason}."
    if folder := nested_repository(tree, path):
        return f"It lies in {shown(str(folder))}, a Git repository of its own."
    return ""


def _broken(path: PurePosixPath, data: bytes) -> str:
    """Say what is an error in the bytes as they are now."""
    for problem in load(path, data, path.parts[0]).problems:
        if problem.severity is Severity.ERROR:
            return _said(problem.line, problem.message)
    if line := marker_line(data):
        return _said(line, "The markers of an unsettled conflict begin here.")
    return ""


def _said(line: int, message: str) -> str:
    return f"Line {line}: {message}" if line else message


def _without_bom(_memory: Memory, data: bytes) -> bytes:
    return join(replace(split(data), bom=b""))


def _without_returns(_memory: Memory, data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _without_blank_start(_memory: Memory, data: bytes) -> bytes:
    parts = split(data)
    return join(replace(parts, opening=parts.opening.lstrip()))


def _with_newline(_memory: Memory, data: bytes) -> bytes:
    is_open = data and not data.endswith((b"\n", b"\r"))
    return data + split(data).newline if is_open else data


def _with_quotes(_memory: Memory, data: bytes) -> bytes:
    return requote(data)


def _with_tag_list(memory: Memory, data: bytes) -> bytes:
    return edit(data, {"tags": list(tags.unique(memory.tags))})


def _with_description(memory: Memory, data: bytes) -> bytes:
    return (
        edit(data, {"description": memory.description}) if memory.description else data
    )


MENDS: Final[Mapping[str, Mend]] = {
    "byte-order-mark": Mend("Take the byte order mark away.", _without_bom),
    "carriage-return": Mend("End every line with a line feed alone.", _without_returns),
    "invalid-yaml": Mend(
        "Put a text on one line into quotes; the rest is mended by hand.", _with_quotes
    ),
    "late-frontmatter": Mend("Take the blank lines away.", _without_blank_start),
    "no-final-newline": Mend("End the last line.", _with_newline),
    "tags-not-a-list": Mend("Write the tags as a list.", _with_tag_list),
    "duplicate-tag": Mend("Keep the first spelling of each tag.", _with_tag_list),
    "no-description": Mend(
        "Write what stands in for the description as the description.",
        _with_description,
    ),
}
