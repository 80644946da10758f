"""Read frontmatter tolerantly: every scalar stays text and nothing ever raises."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from gitmem.memory.frontmatter import envelope, lines, plain
from gitmem.memory.frontmatter.split import Block, blocks, find, leading_trivia
from gitmem.memory.memory import Problem, Value
from gitmem.memory.problems import problem

if TYPE_CHECKING:
    from frontmatter.default_handlers import BaseHandler
    from yaml import Mark

_DEPTH_LIMIT: Final = 32
# One parser for each block of a hostile head would take a second and more.
_PARSED_BLOCKS_LIMIT: Final = 256
_DEFAULT_TAGS: Final = frozenset(
    f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map")
)


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
    problems = envelope.problems(data, fence, is_truncated=is_truncated)
    head = data[fence.head : fence.closing]
    fields = plain.read(head.decode("utf-8", "replace"))
    if fields is None:
        first_line = 1 + len(data[: fence.head].splitlines())
        problems += envelope.head_problems(head, first_line)
        fields = _read_head(head, first_line, problems)
    return Document(
        fields=fields,
        body_text=data[fence.body :].decode("utf-8", "replace"),
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
        start = line + len(leading_trivia(block.text).splitlines())
        found: list[Problem] = []
        try:
            part = _parsed_block(block, count, line, found)
        except _Refused as refused:
            part = {} if block.key is None else {block.key: lines.value(block)}
            last = len(block.text.splitlines()) - 1
            at = line + min(refused.line, last)
            found = [problem(refused.code, at, refused.detail)]
        found += [problem("duplicate-key", start, key) for key in part if key in fields]
        problems += found
        fields |= part
        line += len(block.text.splitlines())
    return fields


def _parsed_block(
    block: Block, count: int, line: int, problems: list[Problem]
) -> dict[str, Any]:
    if count >= _PARSED_BLOCKS_LIMIT:
        raise _Refused("invalid-yaml", 0)
    return _parsed(block.text.decode("utf-8", "replace"), line, problems)


def _parsed(head: str, first_line: int, problems: list[Problem]) -> dict[str, Any]:
    import frontmatter  # heavy: 35 ms

    handler = cast("BaseHandler", _TextHandler(first_line, problems))
    fields, _ = frontmatter.parse(f"---\n{head}\n---", handler=handler)
    return fields


class _Node(Protocol):
    """What a composed node has; PyYAML's own types tell less."""

    id: str
    tag: str
    style: str | None
    value: Any
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
        root = _composed(head)
        if root is None:
            return {}
        value = self._built(root, 0)
        if not isinstance(value, dict):
            raise _Refused("not-a-mapping", root.start_mark.line)
        return value

    def _built(self, node: "_Node", depth: int) -> Value:
        if node.tag not in _DEFAULT_TAGS and node.tag != "!":
            raise _Refused("custom-tag", node.start_mark.line, node.tag)
        if depth > _DEPTH_LIMIT:
            raise _Refused("too-deep", node.start_mark.line)
        if node.id == "scalar":
            is_null = not node.style and node.value in plain.NULLS
            return "" if is_null else _encodable(node.value)
        if node.id == "sequence":
            return [self._built(item, depth + 1) for item in node.value]
        return dict(self._pairs(node.value, depth + 1))

    def _pairs(
        self, pairs: Iterable[tuple["_Node", "_Node"]], depth: int
    ) -> Iterator[tuple[str, Value]]:
        seen = set()
        for name, value in pairs:
            line = self.first_line + name.start_mark.line
            if name.id != "scalar":
                raise _Refused("complex-key", name.start_mark.line)
            if name.value in seen:
                self.problems.append(problem("duplicate-key", line, name.value))
            seen.add(name.value)
            yield name.value, self._built(value, depth)


def _encodable(text: str) -> str:
    # The pure loader lets "\\ud800" through, which no file or database can hold.
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _composed(head: str) -> "_Node | None":
    import yaml  # heavy: 25 ms

    loader_type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        if "&" in head and "*" in head:
            for event in yaml.parse(head, Loader=loader_type):
                if isinstance(event, yaml.AliasEvent):
                    raise _Refused("alias", cast("Mark", event.start_mark).line)
        return cast("_Node | None", yaml.compose(head, Loader=loader_type))
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        raise _refusal(error, head) from error


def _refusal(error: Exception, head: str) -> _Refused:
    detail = getattr(error, "problem", None) or ""
    mark: Mark | None = getattr(error, "problem_mark", None)
    position = getattr(error, "position", 0)
    line = mark.line if mark else head.count("\n", 0, position)
    if "undefined alias" in detail:
        return _Refused("alias", line)
    if isinstance(error, RecursionError) or "nesting depth" in detail:
        return _Refused("too-deep", line)
    return _Refused("invalid-yaml", line, detail)
