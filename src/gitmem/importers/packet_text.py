"""Read a packet of pi-warm-memory: a template that a model filled in; pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gitmem.packets import kinds
from gitmem.packets.check import is_inside

_FIELDS: Final[Mapping[str, str]] = {
    "thread id": "session",
    "parent thread id": "parent",
    "timestamp": "timestamp",
    "repo/cwd": "repo",
    "repo": "repo",
    "repository": "repo",
    "cwd": "cwd",
    "branch": "branch",
    "commit": "commit",
    "topic": "topic",
    "goal": "goal",
    "decisions made": "decisions",
    "decisions": "decisions",
    "files touched": "files",
    "files": "files",
    "commands run": "commands",
    "commands": "commands",
    "blockers": "blockers",
    "open questions": "questions",
    "next recommended step": "next",
    "next step": "next",
    "tags": "tags",
    "compact summary": "summary",
    "summary": "summary",
    "current task": "task",
    "what changed since last checkpoint": "changes",
    "current risk": "risk",
    "pending decisions": "pending",
    "immediate next step": "next",
    "brief summary": "summary",
}
_MARK: Final = re.compile(r"(?:[-*+] +|(?P<head>#{2,6} +))?")
_BOLD: Final = ("**", "__")
_LONGEST_LABEL: Final = 60
_TITLE: Final = re.compile(
    r"# +(handoff|checkpoint)\b(?: +packet\b)?(?P<rest>.*)", re.IGNORECASE
)
_HEADING: Final = re.compile(r"#{1,2} +\S")
_FENCE: Final = re.compile(r"\s*(?:(?:[-*+]|\d{1,4}[.)])\s+)?(?:```|~~~)[^`]*")
_BULLET: Final = re.compile(r"(?P<indent>\s*)(?:[-*+]|\d{1,4}[.)])\s+(?P<text>.*)")
_SEPARATORS: Final = re.compile("[,;\n\uff0c\u3001\uff1b]")
# A paragraph below them says something else.
_SHORT: Final = frozenset(
    {
        *("session", "parent", "timestamp", "repo", "cwd", "branch", "commit"),
        *("topic", "tags"),
    }
)
_FILE: Final = re.compile(
    r"\[[^\[\]]*\]\((?P<link>[^()]+)\)|`(?P<code>[^`]+)`"
    r"|(?P<plain>\S.*?)(?= +[-\u2013\u2014(]|$)"
)
_NOTHING: Final = frozenset(
    {"none", "n/a", "na", "nil", "nothing", "-", "\u2014", "なし", "无", "無"}
)


@dataclass(frozen=True, slots=True)
class Filled:
    """A template as it was filled in: the lines of each field, and all other lines."""

    kind: str
    said: Mapping[str, Sequence[str]]
    others: Sequence[str]

    def line(self, name: str) -> str:
        """Return a field as one line."""
        return " ".join(self.text(name).replace("`", "").split())

    def text(self, name: str) -> str:
        """Return a field as a text; what says that there is nothing is nothing."""
        lines = [line.rstrip() for line in self.said.get(name, ())]
        text = "\n".join(_dedented(lines)).strip()
        return "" if _is_nothing(text) else text

    def items(self, name: str) -> tuple[str, ...]:
        """Return a field as a list: one item for each bullet, its lines kept."""
        found: list[list[str]] = []
        deepest = -1
        is_code = False
        for line in self.said.get(name, ()):
            bullet = None if is_code else _BULLET.fullmatch(line)
            is_code ^= bool(_FENCE.fullmatch(line))
            depth = len(bullet["indent"]) if bullet else -1
            if bullet and (deepest < 0 or depth <= deepest):
                found.append([bullet["text"]])
                deepest = max(deepest, depth)
            elif found and line.strip():
                found[-1].append(line.rstrip())
            elif line.strip():
                found.append([line.strip()])
        tidy = ("\n".join(each).strip() for each in found)
        return tuple(each for each in tidy if each and not _is_nothing(each))

    def tags(self) -> tuple[str, ...]:
        """Return the tags, whether listed, or written with commas or hashes."""
        words: list[str] = []
        for item in self.items("tags"):
            plain = item.strip("[]")
            parts = _SEPARATORS.split(plain)
            hashes = plain.split()
            is_hashed = len(hashes) > 1 and all(each[0] == "#" for each in hashes)
            words += hashes if is_hashed else parts
        found = (word.strip().strip("`'\"").lstrip("#").strip() for word in words)
        return tuple(word for word in found if word and not _is_nothing(word))

    def files(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the files inside the project, and all that says more than that."""
        inside: list[str] = []
        others: list[str] = []
        for item in self.items("files"):
            for written in _SEPARATORS.split(item):
                part = " ".join(written.split())
                found = _FILE.match(part)
                name = (
                    (found["link"] or found["code"] or found["plain"] or "").strip()
                    if found
                    else ""
                )
                is_file = bool(name) and is_inside(name)
                if is_file:
                    inside.append(name)
                if part and (not is_file or part.strip(" `") != name):
                    others.append(part)
        return tuple(inside), tuple(others)


def filled(text: str) -> Filled:
    """Cut a packet at the labels of its template; each label counts once."""
    kind = ""
    said: dict[str, list[str]] = {}
    others: list[str] = []
    current = others
    is_code = False
    lines = text.replace("\r\n", "\n").split("\n")
    fences = sum(map(_is_fence, lines)) // 2 * 2
    for line in lines:
        title = None if is_code or kind else _TITLE.match(line)
        name, value = ("", "") if is_code else _label(line)
        if title:
            kind = title[1].lower()
            others += [line] if title["rest"].strip(" :.*_") else []
        elif name and name not in said:
            current = said.setdefault(name, [value])
        elif not is_code and (_HEADING.match(line) or _is_over(said, current, line)):
            others.append(line)
            current = others
        else:
            current.append(line)
        # One that is never closed would take all labels below it.
        if fences and _is_fence(line):
            is_code, fences = not is_code, fences - 1
    return Filled(kind or _kind_of(said), said, others)


def _is_over(said: Mapping[str, list[str]], current: list[str], line: str) -> bool:
    """Say whether a short field has been said, and a line begins something else."""
    is_short = any(current is said.get(name) for name in _SHORT)
    is_new = line[:1].strip() and not _BULLET.fullmatch(line)
    return bool(is_short and is_new and any(each.strip() for each in current))


def _is_fence(line: str) -> bool:
    return bool(_FENCE.fullmatch(line) or _FENCE.fullmatch(_label(line)[1]))


def _label(line: str) -> tuple[str, str]:
    """Give the field that a line begins, and what it says of it at once."""
    mark = _MARK.match(line)
    rest = line[mark.end() :] if mark else line
    bold = next((each for each in _BOLD if rest.startswith(each)), "")
    inner, end, after = rest.removeprefix(bold).partition(bold or ":")
    is_named = bool(end) or bool(mark and mark["head"])
    if bold and not inner.rstrip().endswith(":"):
        is_named = is_named and (not after.strip() or after.lstrip().startswith(":"))
    if not is_named or len(inner) > _LONGEST_LABEL:
        return "", ""
    name = " ".join(inner.strip(" :").casefold().split())
    return _FIELDS.get(name, ""), after.lstrip(" :") if bold else after.strip()


def _kind_of(said: Mapping[str, object]) -> str:
    """Tell a packet without a title by the fields that only one kind has."""
    for kind in kinds.KINDS:
        names = {part.name for part in kinds.PARTS[kind]} - {"next"}
        if names & said.keys():
            return kind
    return kinds.HANDOFF if "topic" in said else ""


def _dedented(lines: Sequence[str]) -> Sequence[str]:
    """Take away the indent that all lines but the first share."""
    rest = [line for line in lines[1:] if line.strip()]
    indent = min((len(line) - len(line.lstrip()) for line in rest), default=0)
    return [
        *(line.strip() for line in lines[:1]),
        *(line[indent:] for line in lines[1:]),
    ]


def _is_nothing(text: str) -> bool:
    return text.strip(" .*_").casefold() in _NOTHING or not text.strip(" .*_-")
