"""Say everything that is odd about the bytes of one memory; pure."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from gitmem import secrets
from gitmem.files.names import shown
from gitmem.memory import tags
from gitmem.memory.conflicts import is_copy, marker_line, original
from gitmem.memory.findings import Finding, finding, of_problem
from gitmem.memory.frontmatter.split import line_of, split
from gitmem.memory.layout import is_claim
from gitmem.memory.memory import Memory, Severity, Value
from gitmem.memory.rules import Rules, is_strict, size_limit
from gitmem.project.remote import normalise_claim


def inspect(memory: Memory, data: bytes, rules: Rules) -> Iterator[Finding]:
    """Give the findings of one memory that can be made without its neighbours.

    `data` may be the first bytes of a file that is larger than the rules allow.
    """
    path = memory.path
    for problem in memory.problems:
        yield of_problem(path, problem)
    yield from _text_findings(path, data, rules)
    yield from _tag_findings(memory, data, rules)
    if is_copy(path):
        yield finding(path, "conflict-copy", detail=f"of {original(path)}")
    if is_claim(path):
        yield from _claim_findings(path, memory.fields.get("remotes", ()), data)


def _text_findings(path: PurePosixPath, data: bytes, rules: Rules) -> Iterator[Finding]:
    if rules.max_file_bytes >= len(data) > size_limit(path, rules.max_file_bytes):
        yield finding(path, "too-long", detail=f"{len(data):,} bytes")
    if line := marker_line(data):
        yield finding(path, "conflict-marker", line=line)
    is_whole = len(data) <= rules.max_file_bytes
    if is_whole and data and not data.endswith((b"\n", b"\r")):
        yield finding(path, "no-final-newline", line=data.count(b"\n") + 1)
    if rules.secrets != "off":
        weight = Severity.WARNING if rules.secrets == "warn" else Severity.ERROR
        for found in secrets.in_name(str(path)):
            secret = finding(path, "secret-name", detail=found.kind)
            yield replace(secret, severity=weight)
        for found in secrets.find(data):
            secret = finding(path, "secret", line=found.line, detail=found.kind)
            yield replace(secret, severity=weight)


def _tag_findings(memory: Memory, data: bytes, rules: Rules) -> Iterator[Finding]:
    path, written = memory.path, memory.tags
    check = tags.check_strict if is_strict(path, rules) else tags.check_free
    repeated = _repeated(written)
    complaints = check([tag for tag in written if tag not in repeated])
    if not repeated and not complaints:
        return
    line = line_of(split(data), "tags")
    for tag in repeated:
        yield finding(path, "duplicate-tag", line=line, detail=tag)
    for complaint in complaints:
        yield finding(path, "bad-tags", line=line, detail=complaint)


def _repeated(written: tuple[str, ...]) -> list[str]:
    seen: set[str] = set()
    repeated = []
    for tag in written:
        key = tags.canonical(tag)
        if key in seen:
            repeated.append(tag)
        seen.add(key)
    return repeated


def _claim_findings(
    path: PurePosixPath, value: Value, data: bytes
) -> Iterator[Finding]:
    for text in [value] if isinstance(value, str) else value:
        if not isinstance(text, str) or (text and normalise_claim(text) is None):
            line = line_of(split(data), "remotes")
            yield finding(path, "bad-claim", line=line, detail=shown(str(text)[:80]))
