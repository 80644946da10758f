"""Cut a file into frontmatter and body, and frontmatter into fields, losing no byte."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

HEAD_LIMIT_BYTES: Final = 65_536

_BOM: Final = b"\xef\xbb\xbf"
_OPENING: Final = re.compile(rb"(?:[ \t]{0,80}(?:\r\n?|\n)){0,80}---[ \t]*(?:\r\n?|\n)")
_CLOSING: Final = re.compile(rb"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)")
_NEWLINE: Final = re.compile(rb"\r\n?|\n")
_KEY: Final = re.compile(
    rb"""([ \t]*)(?:[&!]\S{0,99}[ \t]{1,16}){0,2}(?:
        "((?:[^"\\\r\n]|\\.)*)" | '((?:[^'\r\n]|'')*)'
        | (?![\s#"'\[{]|[-?:](?:\s|\Z)) ((?:[^\s:]|:(?!\s|\Z)|[ \t](?!\#)){1,256}?)
    )[ \t]{0,16}:(?=\s|\Z)""",
    re.VERBOSE,
)
_COMPLEX: Final = re.compile(rb"([ \t]*)\?(?:\s|\Z)")
# A line as far left as the fields that YAML could not take for part of a value.
_STRAY: Final = re.compile(rb"([ \t]*)(?![-:](?:\s|\Z)|[\s#\]},])")
_BLANK: Final = re.compile(rb"[ \t]*(?:\r\n?|\n|\Z)")
_COMMENT: Final = re.compile(rb"([ \t]*)#")
_KEEPS_BLANK_LINES: Final = re.compile(rb"[ \t]*(?:[&!]\S*[ \t]+)*[|>]\d?\+")
_SPANNING: Final = re.compile(rb"[ \t]*(?:[&!]\S*[ \t]+)*(?=[\[{\"'])")
_TOKEN: Final = re.compile(
    rb"""(?P<open>[\[{]) | (?P<close>[\]}]) | (?P<skip>
        [\s,]+ | : | [?-](?=\s) | \#[^\r\n]* | "(?:[^"\\]|\\.)*" | '(?:[^']|'')*'
        | [^\s,\[\]{}"'\#] (?:[^,\[\]{}\r\n:\#]|:(?!\s)|(?<=\S)\#)* )""",
    re.VERBOSE | re.DOTALL,
)
_REST_IS_EMPTY: Final = re.compile(rb"(?:[ \t]+#[^\r\n]*|[ \t]*)(?:[\r\n]|\Z)")
# Unclosed brackets on every line would otherwise cost the square of the length.
_SCAN_FACTOR: Final = 4


@dataclass(frozen=True, slots=True)
class Block:
    """One field with the comments above it, or lines that belong to no field."""

    key: str | None
    text: bytes


@dataclass(frozen=True, slots=True)
class Parts:
    """A file whose pieces, put together in this order, are the file."""

    bom: bytes
    opening: bytes
    blocks: tuple[Block, ...]
    closing: bytes
    body: bytes
    newline: bytes

    def block(self, key: str) -> Block | None:
        """Find a field; of duplicates the last, which is the one that counts."""
        return next((b for b in reversed(self.blocks) if b.key == key), None)


@dataclass(frozen=True, slots=True)
class Fence:
    """Where the frontmatter of a file lies; without one all offsets are `start`."""

    start: int
    head: int
    closing: int
    body: int
    is_unclosed: bool = False


@dataclass(frozen=True, slots=True)
class _Start:
    """The line a field begins on, and the line behind its quotes or brackets."""

    key: str | None
    line: int
    next_line: int


def split(data: bytes) -> Parts:
    """Cut a file; what has no closed frontmatter within the limit is all body."""
    fence = find(data)
    head = data[fence.head : fence.closing]
    first = _NEWLINE.search(data, 0, HEAD_LIMIT_BYTES)
    return Parts(
        bom=data[: fence.start],
        opening=data[fence.start : fence.head],
        blocks=tuple(blocks(head)),
        closing=data[fence.closing : fence.body],
        body=data[fence.body :],
        newline=first.group() if first else b"\n",
    )


def join(parts: Parts) -> bytes:
    """Put a file together again; the inverse of `split`."""
    texts = (block.text for block in parts.blocks)
    return b"".join(
        (parts.bom, parts.opening, *texts, parts.closing, parts.body),
    )


def line_of(parts: Parts, key: str) -> int:
    """Say on which line of the file a field begins; 1 when it is not there."""
    wanted = parts.block(key)
    line = 1 + _count_lines(parts.opening)
    for block in parts.blocks:
        if block is wanted:
            return line + _count_lines(leading_trivia(block.text))
        line += _count_lines(block.text)
    return 1


def leading_trivia(text: bytes) -> bytes:
    """Return the comment and blank lines with which a block begins."""
    lines = text.splitlines(keepends=True)
    count = 0
    while count < len(lines) and _is_trivia(lines[count], len(lines[count])):
        count += 1
    return b"".join(lines[:count])


def find(data: bytes) -> Fence:
    """Find the frontmatter without looking into it."""
    return _find_plain(data) or _find(data)


def _find_plain(data: bytes) -> Fence | None:
    """Find a frontmatter between two plain lines of three, as most have it."""
    if not data.startswith(b"---\n"):
        return None
    closing = data.find(b"\n---", 3, HEAD_LIMIT_BYTES - 1)
    head = data[4 : closing + 1]
    if closing < 0 or data[closing + 4 : closing + 5] != b"\n":
        return None
    is_odd = b"\r" in head or b"..." in head
    return None if is_odd else Fence(0, 4, closing + 1, closing + 5)


def _find(data: bytes) -> Fence:
    start = len(_BOM) if data.startswith(_BOM) else 0
    opening = _OPENING.match(data, start)
    if opening is None:
        return Fence(start, start, start, start)
    closing = _CLOSING.search(data, opening.end(), HEAD_LIMIT_BYTES)
    if closing is None or _is_cut_by_the_limit(closing, data):
        return Fence(start, start, start, start, is_unclosed=True)
    return Fence(start, opening.end(), closing.start(), closing.end())


def blocks(head: bytes) -> Iterator[Block]:
    """Cut frontmatter, or the indented lines of a nested mapping, into its fields."""
    lines = head.splitlines(keepends=True)
    base = _base_indent(lines)
    budget = _SCAN_FACTOR * len(head)
    starts: list[_Start] = []
    begin = next_line = 0
    for index, line in enumerate(lines):
        found = _field_start(line, base) if index >= next_line else None
        if found is not None:
            key, value = found
            end = 0
            if value and budget > 0 and _SPANNING.match(head, begin + value):
                # A value that never closes is one line of text, not all that follows.
                end = flow_end(head, begin + value)
                budget -= 0 if end else len(head) - begin
            next_line = index + max(1, len(head[begin:end].splitlines()))
            starts.append(_Start(key, index, next_line))
        begin += len(line)
    yield from _cut(lines, starts, base)


def flow_end(text: bytes, offset: int) -> int:
    """Return where a quoted or bracketed value ends; 0 if there is none, or no end."""
    start = _SPANNING.match(text, offset)
    if start is None:
        return 0
    position, depth = _spanned(text, start.end())
    is_closed = depth == 0 and _REST_IS_EMPTY.match(text, position)
    return position if is_closed else 0


def is_unclosed(text: bytes, offset: int) -> bool:
    """Tell whether a value begins with a bracket that nothing closes."""
    start = _SPANNING.match(text, offset)
    return start is not None and _spanned(text, start.end())[1] > 0


def _spanned(text: bytes, position: int) -> tuple[int, int]:
    """Return where a value ends, and how many of its brackets are open there."""
    depth = 0
    while token := _TOKEN.match(text, position):
        depth += (token.lastgroup == "open") - (token.lastgroup == "close")
        position = token.end()
        if depth <= 0:
            break
    return position, depth


def key_end(line: bytes) -> int:
    """Return the offset behind the colon of a `key: value` line; 0 if it is none."""
    match = _KEY.match(line)
    return match.end() if match else 0


def _field_start(line: bytes, base: int) -> tuple[str | None, int] | None:
    """Return the name of what begins on this line, if any, and where its value is."""
    match = _KEY.match(line) or _COMPLEX.match(line) or _STRAY.match(line)
    if match is None or len(match.group(1)) > base:
        return None
    if match.re is not _KEY:
        return None, 0
    double, single, plain = match.group(2, 3, 4)
    if double is not None:
        name = re.sub(rb"\\(.)", rb"\1", double)
    else:
        name = plain if single is None else single.replace(b"''", b"'")
    return name.decode("utf-8", "replace"), match.end()


def _cut(
    lines: Sequence[bytes], starts: Sequence[_Start], base: int
) -> Iterator[Block]:
    key: str | None = None
    begin = value_end = 0
    last = _Start(None, len(lines), len(lines))
    for start in (*starts, last):
        trimmed = _without_trivia(lines, value_end, start.line, base)
        if trimmed > begin:
            yield Block(key, b"".join(lines[begin:trimmed]))
        begin, key, value_end = trimmed, start.key, start.next_line
    if begin < len(lines):
        yield Block(None, b"".join(lines[begin:]))


def _without_trivia(lines: Sequence[bytes], low: int, high: int, base: int) -> int:
    """Return where the comments and blank lines at the end of a block begin."""
    end = high
    while end > low and _is_trivia(lines[end - 1], base):
        end -= 1
    header = lines[low - 1] if low else b""
    if not _KEEPS_BLANK_LINES.match(header, key_end(header)):
        return end
    while end < high and _BLANK.match(lines[end]):
        end += 1
    return end


def _is_trivia(line: bytes, base: int) -> bool:
    comment = _COMMENT.match(line)
    return bool(_BLANK.match(line)) or (
        comment is not None and len(comment.group(1)) <= base
    )


def _base_indent(lines: Sequence[bytes]) -> int:
    for line in lines:
        if not _is_trivia(line, len(line)):
            return len(line) - len(line.lstrip(b" \t"))
    return 0


def _is_cut_by_the_limit(closing: re.Match[bytes], data: bytes) -> bool:
    return (
        closing.end() == HEAD_LIMIT_BYTES < len(data)
        and closing.group()[-1:] not in b"\r\n"
    )


def _count_lines(text: bytes) -> int:
    return len(text.splitlines())
