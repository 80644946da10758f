"""Read frontmatter tolerantly: every scalar stays text and nothing ever raises."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from gitmem.memory.frontmatter import envelope, lines, plain
from gitmem.memory.frontmatter.split import (
    Block,
    blocks,
    find,
    is_unclosed,
    key_end,
    leading_trivia,
)
from gitmem.memory.memory import Problem, Value
from gitmem.memory.problems import problem

if TYPE_CHECKING:
    from frontmatter.default_handlers import BaseHandler
    from yaml import Mark

_STAND_IN: Final = "\N{REPLACEMENT CHARACTER}"
_DEPTH_LIMIT: Final = 32
# YAML 1.1 ends a line here; Git, editors and YAML 1.2 do not.
_FOREIGN_LINE_END: Final = re.compile("[\x85\u2028\u2029]")
# One parser for each block of a hostile head would take a second and more.
_PARSED_BLOCKS_LIMIT: Final = 256
_KNOWN_TAGS: Final = frozenset(
    (None, "!", *(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map")))
)
_PREAMBLE: Final = frozenset({"StreamStartEvent", "DocumentStartEvent"})


@dataclass(frozen=True, slots=True)
class Document:
    """A file as read: its fields, its text, and the line its text begins on."""

    fields: dict[str, Any]
    body_text: str
    body_line: int
    problems: tuple[Problem, ...]


def read(data: bytes, *, is_truncated: bool = False) -> Document:
    """Read a file, or the beginning of one, whatever it holds."""
    fence = find(data)
    body_text = data[fence.body :].decode("utf-8", "replace")
    problems = envelope.problems(
        data, fence, is_truncated=is_truncated, is_read=_STAND_IN not in body_text
    )
    head = data[fence.head : fence.closing]
    fields = plain.read(head.decode("utf-8", "replace"))
    if fields is None:
        first_line = 1 + len(data[: fence.head].splitlines())
        problems += envelope.head_problems(head, first_line)
        fields = _read_head(head, first_line, problems)
    return Document(
        fields=fields,
        body_text=body_text,
        body_line=1 + len(data[: fence.body].splitlines()),
        problems=tuple(sorted(problems, key=lambda found: found.line)),
    )


def block_value(block: Block) -> Value:
    """Read the value of one field as `read` would: text, a list or a mapping."""
    if block.key is None:
        return ""
    return cast("Value", _read_head(block.text, 1, []).get(block.key, ""))


class _Refused(Exception):
    """What YAML rejects, and what it accepts and gitmem does not follow."""

    def __init__(self, code: str, line: int, detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.line = line
        self.detail = detail


def _read_head(head: bytes, first_line: int, problems: list[Problem]) -> dict[str, Any]:
    found: list[Problem] = []
    try:
        fields = _parsed(head.decode("utf-8", "replace"), first_line, found)
    except _Refused as refused:
        fields = _read_blocks(head, first_line, found)
        if not fields and refused.code == "not-a-mapping":
            found = []
        if not found:
            found = [problem(refused.code, refused.line + first_line, refused.detail)]
    problems += found
    return fields


def _read_blocks(
    head: bytes, first_line: int, problems: list[Problem]
) -> dict[str, Any]:
    """Read field by field, so that one that cannot be parsed spoils no other."""
    fields: dict[str, Any] = {}
    line = first_line
    for count, block in enumerate(blocks(head)):
        trivia = leading_trivia(block.text)
        start = line + len(trivia.splitlines())
        bare = Block(block.key, block.text[len(trivia) :])
        part, found = _read_block(bare, start, is_parsed=count < _PARSED_BLOCKS_LIMIT)
        found += [problem("duplicate-key", start, key) for key in part if key in fields]
        problems += found
        fields |= part
        line += len(block.text.splitlines())
    return fields


def _read_block(
    block: Block, line: int, *, is_parsed: bool
) -> tuple[dict[str, Any], list[Problem]]:
    found: list[Problem] = []
    try:
        if is_parsed:
            return _parsed(block.text.decode("utf-8", "replace"), line, found), found
        refused = _Refused("invalid-yaml", 0)
    except _Refused as error:
        refused = error
    # A parser that runs off the end of a block would name the line below it.
    last = len(block.text.splitlines()) - 1
    at = line + max(0, min(refused.line, last))
    if block.key is None:
        is_complex = refused.code == "complex-key"
        return {}, [problem("complex-key" if is_complex else "stray-line", at)]
    part = {block.key: lines.value(block)}
    if refused.code == "invalid-yaml" and is_unclosed(block.text, key_end(block.text)):
        return part, [problem("unclosed-bracket", at, block.key)]
    return part, [problem(refused.code, at, refused.detail)]


def _parsed(head: str, first_line: int, problems: list[Problem]) -> dict[str, Any]:
    import frontmatter  # heavy: 35 ms

    if not head.isascii() and (found := _FOREIGN_LINE_END.search(head)):
        raise _Refused("control-character", head.count("\n", 0, found.start()))
    handler = cast("BaseHandler", _TextHandler(first_line, problems))
    fields, _ = frontmatter.parse(f"---\n{head}\n---", handler=handler)
    return fields


class _Event(Protocol):
    """What a parser's event may have; PyYAML's own types tell less."""

    tag: str | None
    style: str | None
    value: str
    start_mark: "Mark"


@dataclass(frozen=True, slots=True)
class _TextHandler:
    """Has python-frontmatter read a head whose scalars all stay text.

    `no`, `1.10`, `12:30` and dates are words to the people who wrote them.
    """

    first_line: int
    problems: list[Problem]

    def split(self, text: str) -> tuple[str, str]:
        return text[4:-4], ""

    def load(self, head: str) -> dict[str, Any]:
        import yaml  # heavy: 25 ms

        # Composing nodes first, as PyYAML's loaders do, takes twice as long.
        loader_type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
        events = cast("Iterator[_Event]", yaml.parse(head, Loader=loader_type))
        try:
            return self._root(events)
        except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
            raise _refusal(error, head) from error

    def _root(self, events: Iterator[_Event]) -> dict[str, Any]:
        first = next(event for event in events if _kind(event) not in _PREAMBLE)
        if _kind(first) == "StreamEndEvent":
            return {}
        value = self._built(first, events, 0)
        for event in events:
            if _kind(event) == "DocumentStartEvent":
                raise _Refused("invalid-yaml", event.start_mark.line)
        if not isinstance(value, dict):
            raise _Refused("not-a-mapping", first.start_mark.line)
        return value

    def _built(self, event: _Event, events: Iterator[_Event], depth: int) -> Value:
        kind = _kind(event)
        if kind == "AliasEvent":
            raise _Refused("alias", event.start_mark.line)
        if event.tag not in _KNOWN_TAGS:
            raise _Refused("custom-tag", event.start_mark.line, str(event.tag))
        if depth > _DEPTH_LIMIT:
            raise _Refused("too-deep", event.start_mark.line)
        if kind == "ScalarEvent":
            is_null = not event.style and event.value in plain.NULLS
            return "" if is_null else _encodable(event.value)
        if kind == "SequenceStartEvent":
            return list(self._items(events, depth + 1))
        return dict(self._pairs(events, depth + 1))

    def _items(self, events: Iterator[_Event], depth: int) -> Iterator[Value]:
        while _kind(event := next(events)) != "SequenceEndEvent":
            yield self._built(event, events, depth)

    def _pairs(
        self, events: Iterator[_Event], depth: int
    ) -> Iterator[tuple[str, Value]]:
        seen = set()
        while (kind := _kind(name := next(events))) != "MappingEndEvent":
            line = name.start_mark.line
            if kind != "ScalarEvent":
                raise _Refused("alias" if kind == "AliasEvent" else "complex-key", line)
            if name.value in seen:
                found = problem("duplicate-key", self.first_line + line, name.value)
                self.problems.append(found)
            seen.add(name.value)
            yield name.value, self._built(next(events), events, depth)


def _kind(event: _Event) -> str:
    return type(event).__name__


def _encodable(text: str) -> str:
    # The pure loader lets "\\ud800" through, which no file or database can hold.
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _refusal(error: Exception, head: str) -> _Refused:
    detail = getattr(error, "problem", None) or ""
    mark: Mark | None = getattr(error, "problem_mark", None)
    position = getattr(error, "position", 0)
    line = mark.line if mark else head.count("\n", 0, position)
    if isinstance(error, RecursionError) or "nesting depth" in detail:
        return _Refused("too-deep", line)
    return _Refused("invalid-yaml", line, detail)
