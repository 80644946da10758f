"""Put the texts that YAML rejects into quotes, so that they read as before."""

from dataclasses import replace

from gitmem.memory.frontmatter import lines, quote
from gitmem.memory.frontmatter.read import read
from gitmem.memory.frontmatter.split import (
    Block,
    join,
    key_end,
    leading_trivia,
    split,
)


def requote(data: bytes) -> bytes:
    """Quote each text on one line that is no YAML; every other byte stays."""
    found = read(data)
    if not any(each.code == "invalid-yaml" for each in found.problems):
        return data
    parts = split(data)
    blocks = tuple(
        _quoted(each) if _is_rejected(each) else each for each in parts.blocks
    )
    better = join(replace(parts, blocks=blocks))
    return better if read(better).fields == found.fields else data


def _is_rejected(block: Block) -> bool:
    if block.key is None:
        return False
    found = read(b"---\n" + block.text + b"---\n").problems
    return any(each.code == "invalid-yaml" for each in found)


def _quoted(block: Block) -> Block:
    trivia = leading_trivia(block.text)
    line, *more = block.text[len(trivia) :].splitlines(keepends=True)
    value = lines.value(block)
    if not isinstance(value, str) or b"".join(more).strip():
        return block
    written = line[key_end(line) :].strip()
    begin = line.index(written, key_end(line))
    end = begin + len(written)
    text = line[:begin] + quote.text(value, '"').encode() + line[end:]
    return Block(block.key, trivia + text + b"".join(more))
