"""Tell what a broken head still says from what is only a piece of it; pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from gitmem.memory.frontmatter.read import Document, block_value, read
from gitmem.memory.frontmatter.split import Block, leading_trivia, split
from gitmem.memory.memory import Problem, Severity

# What a memory is listed under. A piece of any other field stays where it is.
_TOLD: Final = frozenset({"description", "tags", "title", "name"})
_REJECTED: Final = frozenset({"invalid-yaml", "unclosed-bracket", "custom-tag"})
_ENDLESS: Final = frozenset({"unclosed-frontmatter", "long-frontmatter"})
_PAIRS: Final = (("[", "]"), ("{", "}"))
_QUOTES: Final = ('"', "'")


@dataclass(frozen=True, slots=True)
class Head:
    """A file as read, without the fields of which only a piece could be read.

    `trouble` says where the head is so broken that it hides a part of the file, or
    what the memory would be listed under. Where a head has no end, the text begins
    below the first blank line.
    """

    document: Document
    trouble: str = ""


def head(data: bytes) -> Head:
    """Read a head that another program or a person wrote."""
    document = read(data)
    torn = dict(_torn(data, document.problems))
    troubles = [*_errors(document), *(torn[name] for name in _TOLD & torn.keys())]
    if not troubles:
        return Head(document)
    line, said = min(troubles)
    sound = {key: value for key, value in document.fields.items() if key not in torn}
    text = document.body_text
    if any(each.code in _ENDLESS for each in document.problems):
        text = text.replace("\r\n", "\n").partition("\n\n")[2]
    return Head(replace(document, fields=sound, body_text=text), f"line {line}: {said}")


def _errors(document: Document) -> Iterator[tuple[int, str]]:
    for each in document.problems:
        if each.severity is Severity.ERROR:
            yield each.line, each.message


def _torn(
    data: bytes, problems: tuple[Problem, ...]
) -> Iterator[tuple[str, tuple[int, str]]]:
    """Name the fields that YAML rejects, and that are no plain text either."""
    rejected = {each.line for each in problems if each.code in _REJECTED}
    if not rejected:
        return
    parts = split(data)
    line = 1 + len(parts.opening.splitlines())
    for block in parts.blocks:
        lines = range(line, line := line + len(block.text.splitlines()))
        at = min(rejected.intersection(lines), default=0)
        if block.key is not None and at and _is_torn(block):
            yield block.key, (at, f"A quote or bracket of {block.key} does not match.")


def _is_torn(block: Block) -> bool:
    bare = replace(block, text=block.text[len(leading_trivia(block.text)) :])
    return any(map(_is_piece, _texts(block_value(bare))))


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401  whatever YAML holds
    if isinstance(value, str):
        yield value
    else:
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)


def _is_piece(text: str) -> bool:
    """Say whether a quote or a bracket in it is never closed, or never opened."""
    is_open = any(text.count(left) != text.count(right) for left, right in _PAIRS)
    return is_open or any(
        text.startswith(quote) and text.count(quote) % 2 for quote in _QUOTES
    )
