"""Make one memory of several, without losing a line of any; pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from gitmem.files.names import shown
from gitmem.memory import draft, origins
from gitmem.memory.draft import Draft
from gitmem.memory.frontmatter.read import Document, read
from gitmem.memory.memory import field_value

_FENCES: Final = ("```", "~~~")
# What is worked out for all of them, or speaks of one file alone.
_OF_EACH: Final = frozenset(
    {"description", "tags", "created", "updated", "sensitivity", origins.MORE}
)
# Kept in another form, so that no import brings again what went into the whole.
_OF_ORIGIN: Final = frozenset({origins.FROM, origins.PATH, origins.ID, origins.DIGEST})
# From what may be shown to anybody on; what is not listed is the strictest.
_OPENNESS: Final = ("", "public", "personal")


@dataclass(frozen=True, slots=True)
class Part:
    """A memory that goes into another one."""

    path: PurePosixPath
    data: bytes


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the whole is to say instead of all that its parts say; None keeps that."""

    text: str | None = None
    description: str | None = None
    tags: tuple[str, ...] = ()


def combined(
    kept: bytes, parts: Sequence[Part], wanted: Wanted, day: str
) -> tuple[bytes, tuple[str, ...]]:
    """Give the bytes of the whole, and say what of the parts is not in it.

    Without a text of its own, the whole has every line of its parts: below its own
    text stand the paragraphs that say something more.
    """
    whole = read(kept)
    documents = [(part.path, read(part.data)) for part in parts]
    body = wanted.text
    if body is None:
        body = _joined(whole, [document for _, document in documents])
    others = [document.fields for _, document in documents]
    fields = _fields(whole.fields, others) | origins.joined(whole.fields, others)
    if wanted.description is not None:
        fields["description"] = wanted.description
    if wanted.tags:
        fields["tags"] = list(wanted.tags)
    notes = [
        *_lost_fields(whole, documents),
        *_lost_lines(wanted.text, whole, documents),
    ]
    is_same = body == whole.body_text
    change = Draft(fields, None if is_same else body)
    return draft.updated(kept, change, day), tuple(notes)


def _joined(whole: Document, others: Iterable[Document]) -> str:
    lines = whole.body_text.split("\n")
    have = {line.rstrip() for line in lines}
    have.add(str(whole.fields.get("description", "")).rstrip())
    more: list[str] = []
    for other in others:
        description = str(field_value(other.fields, "description")).strip()
        for block in (description, *_blocks(other.body_text)):
            said = {line.rstrip() for line in block.split("\n")}
            if not said - {""} <= have:
                more.append(block)
                have |= said
    if not more:
        return whole.body_text
    return "\n\n".join(filter(None, (whole.body_text.rstrip("\n"), *more))) + "\n"


def _blocks(text: str) -> Iterator[str]:
    """Cut a text at its empty lines; a block of code is one, whatever is in it."""
    block: list[str] = []
    fence = ""
    for line in text.replace("\r\n", "\n").split("\n"):
        mark = line.strip()[:3]
        if fence:
            fence = "" if mark == fence else fence
        elif mark in _FENCES:
            fence = mark
        elif not mark:
            if block:
                yield "\n".join(block)
            block = []
            continue
        block.append(line)
    if block:
        yield "\n".join(block)


def _fields(
    kept: Mapping[str, Any], others: Sequence[Mapping[str, Any]]
) -> dict[str, object]:
    """Join what is a list, and take the earliest day and the strictest wish."""
    changes: dict[str, object] = {}
    for other in others:
        for name, value in other.items():
            have = changes.get(name, kept.get(name))
            if name in _OF_EACH or not isinstance(value, list):
                continue
            if have is None or isinstance(have, list):
                items = [*(have or ()), *(v for v in value if v not in (have or ()))]
                changes[name] = items
    days = [field_value(each, "created") for each in (kept, *others)]
    known = [day for day in days if isinstance(day, str) and day]
    if known and min(known) != field_value(kept, "created"):
        changes["created"] = min(known)
    wishes = [field_value(each, "sensitivity") for each in (kept, *others)]
    strictest = max(wishes, key=_closeness)
    if _closeness(strictest) > _closeness(wishes[0]):
        changes["sensitivity"] = strictest
    return changes


def _closeness(wish: object) -> int:
    word = str(wish).strip().casefold()
    return _OPENNESS.index(word) if word in _OPENNESS else len(_OPENNESS)


def _lost_fields(
    whole: Document, documents: Sequence[tuple[PurePosixPath, Document]]
) -> Iterator[str]:
    for path, document in documents:
        lost = sorted(
            name
            for name, value in document.fields.items()
            if name not in _OF_EACH
            and not _is_of_origin(document, name, value)
            and value
            and value != whole.fields.get(name)
            and not _is_joined(value, whole.fields.get(name))
        )
        if lost:
            names = ", ".join(map(shown, lost))
            yield f"of {shown(str(path))} only the history keeps: {names}"


def _is_of_origin(document: Document, name: str, value: object) -> bool:
    """Tell what says where a memory was imported from, which the whole keeps."""
    is_named = name in _OF_ORIGIN or (name, value) == (origins.SOURCE, origins.IMPORT)
    return is_named and origins.own_origin(document.fields) is not None


def _is_joined(value: object, have: object) -> bool:
    return isinstance(value, list) and (have is None or isinstance(have, list))


def _lost_lines(
    text: str | None,
    whole: Document,
    documents: Sequence[tuple[PurePosixPath, Document]],
) -> Iterator[str]:
    if text is None:
        return
    have = {line.strip() for line in text.split("\n")}
    told = [whole.body_text, *(document.body_text for _, document in documents)]
    said = {line.strip() for body in told for line in body.split("\n")} - {""}
    if lost := len(said - have):
        lines = "1 line" if lost == 1 else f"{lost} lines"
        yield f"the new text replaces {lines}, which the history keeps"
