"""Read the store that Claude Code and its likes keep: a file a fact, and an index."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from gitmem.importers import hooks
from gitmem.importers.days import day
from gitmem.importers.foreign import File, Foreign
from gitmem.importers.hooks import Hook
from gitmem.importers.source import Found, Item, Left, left
from gitmem.memory.frontmatter.read import read as read_document
from gitmem.memory.memory import field_value
from gitmem.memory.tags import canonical

INDEX: Final = "MEMORY.md"
_FOLDER: Final = "memory"
# What is told at each session's start there is listed at each start here.
_PLACE: Final = PurePosixPath("core")
_JOINT: Final = " \u2014 "


def read_all(store: Foreign, places: Iterable[tuple[str, str]]) -> Iterator[Item]:
    """Read the memories at some places, each for a layer; "" is the one asked for.

    What belongs to a layer of its own is named after the folder that it lies in.
    """
    for place, layer in places:
        slug = _slug(place) if layer else ""
        for item in read(store, place):
            yield _placed(item, slug, layer)


def read(store: Foreign, place: str = "") -> Iterator[Item]:
    """Give each file below a place, with what the index says of it.

    A hook was told at each start, so it is what the description begins with. What the
    index says beside the hooks of files that are there becomes a memory.
    """
    index = store.read(PurePosixPath(place, INDEX), store.file_limit_bytes) or b""
    names = _names(store.files(place))
    told: dict[PurePosixPath, Hook] = {}
    words: list[str] = []
    for line in hooks.lines(index.decode("utf-8-sig", "replace")):
        at = _target(line, names, place) if isinstance(line, Hook) else None
        if isinstance(line, Hook) and at and at not in told:
            told[at] = line
        else:
            words.append(line.written)
            if isinstance(line, Hook) and not at:
                yield Left(f"{INDEX}, line {line.line}", _dead(line))
    found: list[File] = []
    for file, data in store.markdown(place):
        origin, hook = _inside(file, place), told.get(file.path)
        if origin == INDEX and not file.trouble:
            found.append(file)
        elif file.trouble:
            yield left(file, origin)
            words += [hook.written] if hook else []
        else:
            yield _memory(file, data, origin, hook)
    for file in found:
        yield _beside(file, words)


def _placed(item: Item, slug: str, layer: str) -> Item:
    if isinstance(item, Left) and slug:
        return replace(item, origin=f"{slug}/{item.origin}")
    if isinstance(item, Found):
        path = item.path if item.origin == INDEX else _PLACE / item.path
        return replace(item, path=path, layer=layer, store=slug)
    return item


def _slug(place: str) -> str:
    """Name the folder of a project; its memory may lie in one below."""
    path = PurePosixPath(place)
    return path.parent.name if path.name == _FOLDER else path.name


def _beside(file: File, words: list[str]) -> Found | Left:
    """Make a memory of what the index says beside the hooks of other memories."""
    if not _says_something(words):
        return Left(INDEX, "its lines are the descriptions of the files they name")
    text = "\n".join(words).strip("\n")
    return Found(
        INDEX,
        # It is told at each session's start here too.
        PurePosixPath(INDEX),
        text,
        description=f"What {INDEX} said beside its links to memories",
        created=file.day,
        updated=file.day,
        raw=text.encode(),
    )


def _memory(file: File, data: bytes, origin: str, hook: Hook | None) -> Found:
    fields = read_document(data).fields
    written = field_value(fields, "modified")
    changed = (day(written) if isinstance(written, str) else "") or file.day
    described = " ".join(str(field_value(fields, "description")).split())
    more, mapped = _more(fields, described, hook)
    return Found(
        origin,
        PurePosixPath(origin),
        created=changed,
        updated=changed,
        fields=more,
        raw=data,
        document=data,
        mapped=mapped,
    )


def _more(
    fields: Mapping[str, object], described: str, hook: Hook | None
) -> tuple[dict[str, object], tuple[str, ...]]:
    """Give the fields that the index knows more, and what was called otherwise."""
    mapped = ["metadata.modified -> updated"] if _has(fields, "modified") else []
    more: dict[str, object] = {}
    if hook and hook.title and not fields.get("title"):
        more["title"] = hook.title
        mapped.append(f"{INDEX}: title -> title")
    if hook and (said := _said(hook.hook, described)) != described:
        more["description"] = said
        mapped.append(f"{INDEX}: hook -> description")
    return more, tuple(mapped)


def _said(hook: str, described: str) -> str:
    """Join what was told at each start and a file's own words; neither stands twice."""
    if _folded(hook) in _folded(described):
        return described
    return hook if _folded(described) in _folded(hook) else f"{hook}{_JOINT}{described}"


def _has(fields: Mapping[str, object], name: str) -> bool:
    metadata = fields.get("metadata")
    return isinstance(metadata, Mapping) and bool(metadata.get(name))


def _names(files: Iterable[File]) -> dict[str, PurePosixPath]:
    """Say which file is meant by a path, or by a name; of two alike the first one."""
    found: dict[str, PurePosixPath] = {}
    for file in files:
        found[_folded(str(file.path))] = file.path
        found.setdefault(f"[[{canonical(file.path.stem)}", file.path)
    return found


def _target(
    hook: Hook, names: Mapping[str, PurePosixPath], place: str
) -> PurePosixPath | None:
    if hook.is_wiki:
        return names.get(f"[[{canonical(hook.target)}")
    inside = hooks.path_of(hook)
    return names.get(_folded(str(PurePosixPath(place, inside)))) if inside else None


def _dead(hook: Hook) -> str:
    if not hook.is_wiki and hooks.path_of(hook) is None:
        return f"it points out of the store: {hook.target}"
    return f"it points to {hook.target}, which is not there"


def _says_something(words: Iterable[str]) -> bool:
    """Tell words from titles, comments and blank lines."""
    plain = (line.strip() for line in words)
    return any(line and not line.startswith(("#", "<!--")) for line in plain)


def _inside(file: File, place: str) -> str:
    return str(file.path.relative_to(place))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
