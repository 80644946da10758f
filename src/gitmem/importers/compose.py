"""Work out the bytes of a memory from a find; pure."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, Final

from gitmem.importers.days import spelled
from gitmem.importers.heads import head
from gitmem.importers.provenance import FIELDS, NAMING, TAGS, fields_of
from gitmem.importers.source import Found
from gitmem.memory import draft
from gitmem.memory.draft import Draft
from gitmem.memory.frontmatter.edit import FIELD_ORDER, edit
from gitmem.memory.frontmatter.read import Document, read
from gitmem.memory.frontmatter.split import join, split
from gitmem.memory.load import DATES, DESCRIPTION_LIMIT, described, is_date
from gitmem.memory.memory import Memory
from gitmem.memory.origins import FROM, MORE, SOURCE, Origin
from gitmem.memory.tags import (
    TAG_LIMIT_CHARACTERS,
    TAGS_PER_LAYER,
    TAGS_PER_MEMORY,
    canonical,
    check_strict,
    unique,
)
from gitmem.secrets import conceal

_OURS: Final = frozenset({*FIELD_ORDER, *FIELDS})
_FENCES: Final = ("```", "~~~")
_BOM: Final = "\ufeff"
_SHOWN: Final = 40
_LONG: Final = (
    f"its description is longer than {DESCRIPTION_LIMIT} characters; the whole of it "
    "stands at the top of the text"
)
# What may differ between two memories that say the same.
_YIELDING: Final = frozenset({"tags", "created", "updated", SOURCE, *FIELDS})


@dataclass(frozen=True, slots=True)
class Composed:
    """The bytes of a memory.

    `mapped` are the fields that are spelled otherwise, `kept` those in it that gitmem
    has no word for, `warnings` what could not be taken over as it was.
    """

    data: bytes
    tags: tuple[str, ...]
    mapped: tuple[str, ...]
    kept: tuple[str, ...]
    warnings: tuple[str, ...]


def compose(found: Found, origin: Origin, path: PurePosixPath, day: str) -> Composed:
    """Give a new memory's bytes; a document's own bytes stay wherever they can."""
    legible, warnings = _legible(found)
    document = legible.document or b""
    read_in = read(document)
    memory = described(path, path.parts[0], read_in, document)
    text, whole = _description(legible, read_in, memory)
    tags, odd = _tags([*memory.tags, *legible.tags])
    fields = {
        **legible.fields,
        "description": text,
        "tags": list(tags),
        "created": memory.created or legible.created or day,
        "updated": memory.updated or legible.updated or legible.created or day,
    }
    dates = tuple(_odd_dates({**read_in.fields, **fields}))
    fields |= {name: date for name, _, date in dates if date}
    warnings += tuple(_no_date(name, text) for name, text, date in dates if not date)
    if odd:
        fields[TAGS] = [*_listed(read_in.fields, TAGS), *odd]
        warnings += tuple(f"{tag[:_SHOWN]!r} is no tag: kept in {TAGS}" for tag in odd)
    source = legible.fields.get(SOURCE) or read_in.fields.get(SOURCE) or ""
    fields |= fields_of(origin, source)
    if legible.document is None:
        body = f"{whole}\n\n{legible.body}" if whole else legible.body
        data = draft.created(Draft(fields, body), day)
    else:
        given = Draft(fields, read_in.body_text)
        data = draft.created_from(_headed(document, whole), given, day)
    others = {**read_in.fields, **legible.fields}
    kept = tuple(name for name in others if name not in _OURS)
    if whole:
        warnings += (_LONG,)
    mapped = tuple(f"{n} -> {n} as YYYY-MM-DD" for n, _, date in dates if date)
    mapped += tuple(
        f"{name} -> where this import found it"
        for name in (*NAMING, MORE)
        if name in read_in.fields
    )
    return Composed(data, tags, mapped, kept, (*legible.warnings, *warnings))


def within_contract(
    data: bytes, tags: tuple[str, ...], layer_tags: Collection[str], spare: str
) -> tuple[bytes, tuple[str, ...], tuple[str, ...]]:
    """Keep as many tags as the strict contract allows; the others get another field.

    Gives the bytes, the tags that are left, and what is to be told. What then has none
    gets the tag `spare`, for which the layer keeps a place.
    """
    layer = [*layer_tags, spare]
    if len(tags) <= TAGS_PER_MEMORY and not check_strict(tags, layer):
        return data, tags, ()
    chosen = tuple(islice(_fitting(tags, layer), TAGS_PER_MEMORY)) or (spare,)
    others = [tag for tag in tags if tag not in chosen]
    odd = _listed(read(data).fields, TAGS)
    data = edit(data, {"tags": list(chosen), TAGS: [*odd, *others] or None})
    told = f"{', '.join(others)}: kept in {TAGS}, as tags are few here"
    return data, chosen, (told,) if others else ()


def _fitting(tags: Iterable[str], layer_tags: Iterable[str]) -> Iterator[str]:
    """Give the tags that a layer has, or has a place for beside those before them."""
    known = set(map(canonical, layer_tags))
    for tag in tags:
        is_there = canonical(tag) in known
        if (is_there or len(known) < TAGS_PER_LAYER) and not check_strict((tag,)):
            known.add(canonical(tag))
            yield tag


def says_the_same(before: bytes, after: bytes) -> bool:
    """Say whether two memories have one text, and no field that differs."""
    old, new = read(before), read(after)
    if _words(old.body_text) != _words(new.body_text):
        return False
    named = old.fields.keys() & new.fields.keys() - _YIELDING
    return all(old.fields[name] == new.fields[name] for name in named)


def filled_up(before: bytes, after: bytes) -> bytes:
    """Add to a memory what another one that says the same knows more."""
    old, new = read(before).fields, read(after).fields
    told = FIELDS if old.get(FROM) else NAMING
    added = {
        name: value
        for name, value in new.items()
        if name not in {"tags", SOURCE, *told} and not old.get(name)
    }
    if told is NAMING:
        added |= {name: new.get(name) for name in NAMING}
    tags = unique([*_listed(old), *_listed(new)])
    if list(tags) != _listed(old):
        added["tags"] = list(tags)
    return edit(before, added)


def _legible(found: Found) -> tuple[Found, tuple[str, ...]]:
    """Make a text of a document whose head hides a part of it."""
    if found.document is None:
        return found, ()
    read_in = head(found.document)
    if not read_in.trouble:
        return found, ()
    path, document = PurePosixPath(found.origin), read_in.document
    memory = described(path, "", document, found.document)
    known = {k: v for k, v in document.fields.items() if k in FIELD_ORDER}
    better = replace(
        found,
        document=None,
        body=found.document.decode("utf-8", "replace").removeprefix(_BOM),
        description=found.description or memory.description or path.stem,
        tags=(*memory.tags, *found.tags),
        created=memory.created or found.created,
        updated=memory.updated or found.updated,
        fields={**known, **found.fields},
    )
    return better, (f"{read_in.trouble} The whole file stands in the text as it was",)


def _odd_dates(fields: Mapping[str, object]) -> Iterator[tuple[str, str, str]]:
    """Give the dates in another form: field, text, and the day where it says one."""
    for name in DATES:
        text = fields.get(name)
        if isinstance(text, str) and text and not is_date(text):
            yield name, text, spelled(text)


def _no_date(name: str, text: str) -> str:
    return f"{name} is no date, and kept as it is: {conceal(text)[:_SHOWN]!r}"


def _description(found: Found, document: Document, memory: Memory) -> tuple[str, str]:
    """Give the line that says what it holds, and the whole where that was too long."""
    fields = {**document.fields, **found.fields}
    own = fields.get("description", "")
    written = own if isinstance(own, str) else ""
    stem = PurePosixPath(found.origin).stem
    fallback = memory.description or _first_line(found.body) or stem
    text = " ".join((written or found.description or fallback).split())
    if len(text) <= DESCRIPTION_LIMIT:
        return text, ""
    return text[: DESCRIPTION_LIMIT - 1] + "…", text


def _first_line(body: str) -> str:
    lines = (line.strip().lstrip("#").strip() for line in body.splitlines())
    said = (line for line in lines if line.strip("-=*_ ") and line[:3] not in _FENCES)
    return next(said, "")[:DESCRIPTION_LIMIT]


def _headed(document: bytes, whole: str) -> bytes:
    """Put what found no room in the head on top of the text."""
    if not whole:
        return document
    parts = split(document)
    top = parts.newline + whole.encode() + parts.newline
    return join(replace(parts, body=top + parts.body))


def _tags(written: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give what are tags, and what is none."""
    each = [part.strip() for text in written for part in text.split(",")]
    fit = [tag for tag in each if _is_tag(tag)]
    return unique(fit), tuple(tag for tag in each if tag and not _is_tag(tag))


def _is_tag(tag: str) -> bool:
    return (
        bool(canonical(tag)) and len(tag) <= TAG_LIMIT_CHARACTERS and tag.isprintable()
    )


def _listed(fields: Mapping[str, Any], name: str = "tags") -> list[str]:
    tags = fields.get(name, [])
    return tags if isinstance(tags, list) else [tags]


def _words(text: str) -> list[str]:
    return text.split()
