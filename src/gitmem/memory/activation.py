"""Read `activation.yaml`: which words that are said mean which domains; pure."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from gitmem.memory.frontmatter.read import read
from gitmem.memory.frontmatter.split import line_of, split
from gitmem.memory.memory import Severity
from gitmem.memory.tags import canonical
from gitmem.memory.traits import NAME_LIMIT

# At the root of the memory repository: it holds for every project.
PATH: Final = PurePosixPath("activation.yaml")
LIMIT_BYTES: Final = 64 * 1024
RULES_AT_MOST: Final = 1_000
SHOWN_CHARACTERS: Final = 40
_OPENING: Final = b"---\n"
# What is odd about YAML is said of fields elsewhere; here are rules.
_WORDS: Final = {
    "unclosed-bracket": "a bracket of this rule is never closed",
    "not-a-mapping": "this is not a list of `word: domain` lines",
    "stray-line": "this belongs to no rule",
    "duplicate-key": "this word has a rule already",
    "complex-key": "what is said is not text",
    "invalid-yaml": "this is not YAML; quote it",
    "custom-tag": "a YAML tag such as !name means nothing here",
    "alias": "YAML anchors and aliases are not followed",
    "tab": "a tab stands where YAML wants spaces",
    "control-character": "it has a control character or a foreign line end",
    "not-utf8": "this is not UTF-8",
    "too-deep": "it is nested too deeply to be read",
}
_NONE: Final = " names no domain, or is no word that can be said"


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
    if len(data) > LIMIT_BYTES:
        return Activation(line=1, problem="it is larger than 64 KiB")
    bare = data.removeprefix(_OPENING)
    # Of the line that is put above it, none in the file knows.
    shift = 0 if bare != data else -1
    whole = _OPENING + bare + b"\n" + _OPENING
    document = read(whole)
    grave = [each for each in document.problems if each.severity is not Severity.NOTE]
    if grave:
        said = _WORDS.get(grave[0].code, grave[0].message)
        return Activation(line=grave[0].line + shift, problem=said)
    if document.body_text.strip():
        line = document.body_line - 1 + shift
        return Activation(line=line, problem="a second document begins")
    rules: list[Rule] = []
    for said, domains in document.fields.items():
        found = _rules(said, domains)
        if not found:
            line = max(1, line_of(split(whole), said) + shift)
            return Activation(line=line, problem=f"{said[:SHOWN_CHARACTERS]!r}{_NONE}")
        rules += found
    if len(rules) > RULES_AT_MOST:
        return Activation(line=1, problem=f"it has more than {RULES_AT_MOST:,} rules")
    return Activation(tuple(rules))


def _rules(said: str, domains: object) -> list[Rule]:
    """Make the rules of one line; none where any part of it cannot be used."""
    listed = domains if isinstance(domains, list) else [domains]
    names = [" ".join(each.split()) if isinstance(each, str) else "" for each in listed]
    word = " ".join(said.split())
    is_usable = all(len(n) <= NAME_LIMIT and canonical(n) for n in (word, *names))
    return [Rule(word, name) for name in names] if is_usable else []
