"""pi-memory-auto: category files of entries, each below a comment of its own."""

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from gitmem.files.tree import DEFAULT_READ_LIMIT_BYTES
from gitmem.hosts.place import Where
from gitmem.importers.days import day
from gitmem.importers.entries import Entry, entries
from gitmem.importers.foreign import File, Foreign
from gitmem.importers.source import SHARED, Found, Item, Left, left
from gitmem.packets.names import slug
from gitmem.project.names import digest

ABOUT: Final = "the entries of pi-memory-auto, a project's or the global ones"
# The store itself, or a project, a home or a folder of pi that has one.
_PLACES: Final = ("", ".pi/agent/memory-auto", "agent/memory-auto", "memory-auto")
_OF_PROJECT: Final = (".pi", "agent", "memory-auto")
_TABLE: Final = "MEMORY.md"
_GLOBAL: Final = frozenset({"USER.md", "TOOLING.md", "LESSONS.md"})
_OURS: Final = frozenset({"CONVENTIONS.md", "DECISIONS.md", "FAILURES.md"})
_COMMAS: Final = re.compile("[,;\uff0c\u3001\uff1b]")
_NAME_CHARACTERS: Final = 40
_FORM: Final = "<!-- mid: … | t: … | tags: … -->"
_READ: Final = frozenset({"mid", "t", "p", "src", "tags"})
_MAPPED: Final = {
    "mid": "mid -> imported_id",
    "t": "t -> created, recorded",
    "p": "p -> project",
    "src": "src -> told_by",
}


def looks(store: Foreign) -> bool:
    """Say whether one of its category files is there, with an entry in it."""
    place = _place(store)
    names = (_GLOBAL | _OURS).intersection(store.names(place))
    files = [store.only] if store.only else [PurePosixPath(place, n) for n in names]
    texts = ((store.read(file) or b"").decode("utf-8-sig", "replace") for file in files)
    return any(each.said for text in texts for each in entries(text))


def read(store: Foreign) -> Iterator[Item]:
    """Give each entry once; what is derived, said twice or empty is named."""
    place = _place(store)
    layer = SHARED if _is_global(store, place) else ""
    seen: dict[str, set[str]] = {}
    for file, data in _large(store).markdown(place):
        inside = file.path.relative_to(place)
        if file.trouble:
            yield left(file, str(inside))
            continue
        if file.path.name == _TABLE:
            yield Left(str(inside), "it is made from the entries")
            continue
        for entry in entries(data.decode("utf-8-sig")):
            if entry.said or _says_something(entry.text):
                yield _item(replace(file, path=inside), entry, layer, seen)


def _item(
    file: File, entry: Entry, layer: str, seen: dict[str, set[str]]
) -> Found | Left:
    line = f"{file.path}, line {entry.line}"
    if not entry.text.strip():
        said = " | ".join(f"{k}: {v}" for k, v in entry.said.items())
        return Left(line, f"the entry has no text, only {said}")
    raw = "\n".join([*(f"{k}: {v}" for k, v in entry.said.items()), entry.text])
    name = _name(file, entry, raw)
    texts = seen.setdefault(name, set())
    if raw in texts:
        return Left(line, "the same entry stands there twice")
    texts.add(raw)
    is_first = len(texts) == 1
    return _found(file, entry, layer, raw, name if is_first else f"{name}~{len(texts)}")


def _found(file: File, entry: Entry, layer: str, raw: str, name: str) -> Found:
    said = entry.said
    tags = tuple(tag for tag in map(_tag, _COMMAS.split(said.get("tags", ""))) if tag)
    written = said.get("t", "")
    known = day(written)
    made = known or day(said.get("mid", "")) or file.day
    others = {key: value for key, value in said.items() if key not in _READ}
    fields = {
        **others,
        "recorded" if known else "t": written,
        "project": said.get("p", ""),
        "told_by": said.get("src", ""),
    }
    return Found(
        str(file.path),
        _path(file, entry, tags, name),
        entry.text,
        tags=tags,
        created=made,
        updated=made,
        fields={key: value for key, value in fields.items() if value},
        layer=layer,
        id=name,
        raw=raw.encode(),
        mapped=tuple(_MAPPED[key] for key in said if key in _MAPPED),
        warnings=tuple(_warnings(entry, "" if known else written, made)),
    )


def _warnings(entry: Entry, odd: str, made: str) -> Iterator[str]:
    if odd:
        yield f"{odd} is read as {made}"
    if not entry.said and any(map(_is_comment, entry.text.split("\n"))):
        yield f"its comments begin no entry, as none is like {_FORM}"


def _is_comment(line: str) -> bool:
    return line.startswith("<!--")


def _path(file: File, entry: Entry, tags: tuple[str, ...], name: str) -> PurePosixPath:
    words = tags[0] if tags else " ".join(entry.text.split()[:6])
    mid = entry.said.get("mid") or name.partition(" ")[0]
    stem = f"{slug(words[:_NAME_CHARACTERS])}-{slug(mid[:_NAME_CHARACTERS])}"
    return PurePosixPath(slug(file.path.stem), f"{stem}.md")


def _name(file: File, entry: Entry, raw: str) -> str:
    """Name an entry; the store's ids are few, and other stores have them as well."""
    mid = entry.said.get("mid") or digest(raw)[:12]
    return " ".join(filter(None, (mid, file.path.stem, entry.said.get("p"))))


def _tag(text: str) -> str:
    return text.strip().lstrip("#")


def _place(store: Foreign) -> str:
    """Say where below the path the category files are."""
    names = _GLOBAL | _OURS
    found = (place for place in _PLACES if names.intersection(store.names(place)))
    return "" if store.only else next(found, "")


def _large(store: Foreign) -> Foreign:
    """Read files as large as many entries are; each is bounded by itself, later."""
    path = store.root / (store.only or "")
    return Foreign(path, file_limit_bytes=DEFAULT_READ_LIMIT_BYTES)


def _is_global(store: Foreign, place: str) -> bool:
    """Tell the global store by where it lies, and a folder on its own by its files."""
    folder = Path(os.path.realpath(store.root / place))
    if store.where and folder == _at_home(store.where):
        return True
    names = set(store.names(place))
    is_projects = folder.parts[-len(_OF_PROJECT) :] == _OF_PROJECT
    return not is_projects and bool(names & _GLOBAL) and not names & _OURS


def _at_home(where: Where) -> Path:
    agent = where.folder("PI_CODING_AGENT_DIR", *_OF_PROJECT[:-1])
    return Path(os.path.realpath(agent / _OF_PROJECT[-1]))


def _says_something(text: str) -> bool:
    """Tell words above the first entry from a title and from comments."""
    lines = (line.strip() for line in text.split("\n"))
    return any(line and not line.startswith(("#", "<!--")) for line in lines)
