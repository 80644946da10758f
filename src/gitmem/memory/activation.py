"""Read `activation.yaml`: which words that are said mean which domains; pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from gitmem.memory.frontmatter.read import read
from gitmem.memory.memory import Severity
from gitmem.memory.tags import canonical
from gitmem.memory.traits import NAME_LIMIT

# At the root of the memory repository: it holds for every project.
PATH: Final = PurePosixPath("activation.yaml")
LIMIT_BYTES: Final = 64 * 1024
RULES_AT_MOST: Final = 1_000
_OPENING: Final = b"---\n"


@dataclass(frozen=True, slots=True)
class Rule:
    """A word or short phrase, and a domain that it stands for."""

    said: str
    domain: str


@dataclass(frozen=True, slots=True)
class Activation:
    """The rules of a file, or the line that spoils it and why; never both."""

    rules: tuple[Rule, ...] = ()
    line: int = 0
    problem: str = ""


def parse(data: bytes) -> Activation:
    """Read the lines `word: domain` or `word: [domain, domain]`, whatever they hold."""
    bare = data.removeprefix(_OPENING)
    above = 0 if bare == data else 1
    if len(data) > LIMIT_BYTES:
        return Activation(problem="it is larger than 64 KiB", line=1)
    document = read(_OPENING + bare + b"\n" + _OPENING)
    grave = [each for each in document.problems if each.severity is not Severity.NOTE]
    if grave:
        return Activation(line=grave[0].line - 1 + above, problem=grave[0].message)
    if document.body_text.strip():
        line = document.body_line - 2 + above
        return Activation(line=line, problem="a second document begins")
    rules: list[Rule] = []
    for said, domains in document.fields.items():
        found = list(_rules(said, domains))
        if not found:
            return Activation(line=1, problem=f"no domain is given for {said!r}")
        rules += found
    if len(rules) > RULES_AT_MOST:
        return Activation(line=1, problem=f"it has more than {RULES_AT_MOST:,} rules")
    return Activation(tuple(rules))


def _rules(said: str, domains: object) -> Iterator[Rule]:
    listed = domains if isinstance(domains, list) else [domains]
    word = " ".join(said.split())
    for each in listed:
        domain = " ".join(each.split()) if isinstance(each, str) else ""
        is_usable = max(len(word), len(domain)) <= NAME_LIMIT
        if is_usable and canonical(word) and canonical(domain):
            yield Rule(word, domain)
