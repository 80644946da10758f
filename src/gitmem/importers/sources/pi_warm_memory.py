"""pi-warm-memory: packets that hand sessions over, and the index of them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from gitmem.importers.foreign import File, Foreign
from gitmem.importers.packet_index import Odd, Reference, references
from gitmem.importers.packet_joined import Sources, joined
from gitmem.importers.packet_text import filled
from gitmem.importers.source import Found, Item, Left, left
from gitmem.packets import names
from gitmem.packets.render import draft

ABOUT: Final = "the packets of pi-warm-memory, with their index"
_HISTORY: Final = ".pi/history"
_PLACES: Final = ("", _HISTORY, "history")
_INDEX: Final = "index.jsonl"
_PACKETS: Final = "packets"
_NOTES: Final = "Notes"
_MARKS: Final = ("-handoff-", "-checkpoint-")
# What the framework says itself.
_SAID: Final = frozenset({"description", "tags", "created", "updated", "source"})
_THEIRS: Final = {
    "packet": "packetKind",
    "session": "threadId",
    "parent": "parent thread",
    "title": "topic",
}


def looks(store: Foreign) -> bool:
    """Say whether there is an index of packets, or packets without one."""
    place = _place(store)
    if store.only:
        return any(mark in store.only for mark in _MARKS)
    index = store.read(_at(place, _INDEX), store.file_limit_bytes) or b""
    if any(isinstance(each, Reference) for each in references(index)):
        return True
    names_in = (file.path.name for file in store.files(_at(place, _PACKETS)))
    return any(mark in name for name in names_in for mark in _MARKS)


def read(store: Foreign) -> Iterator[Item]:
    """Give each packet with what the index says of it, and what only the index has."""
    place = _place(store)
    told: dict[str, list[Reference]] = {}
    for line in references(store.read(_at(place, _INDEX)) or b""):
        if isinstance(line, Odd):
            yield Left(f"{_INDEX}, line {line.line}", line.reason)
        else:
            told.setdefault(str(PurePosixPath(line.path)), []).append(line)
    layers = _layers(store, place, told.values())
    for file, data in store.markdown("" if store.only else _at(place, _PACKETS)):
        inside = file.path.relative_to(place)
        lines = told.pop(str(inside), [])
        yield _item(replace(file, path=inside), data, lines, layers)
    for path, lines in () if store.only else tuple(told.items()):
        file, data = store.text(_at(place, path))
        found = replace(file, path=PurePosixPath(path))
        yield _item(found, data, lines, layers)


def _item(
    file: File, data: bytes, lines: Sequence[Reference], layers: Collection[str]
) -> Item:
    if file.trouble and not lines:
        return left(file, str(file.path))
    return _found(file, data, lines, layers)


def _found(
    file: File, data: bytes, lines: Sequence[Reference], layers: Collection[str]
) -> Found:
    form = filled(data.decode("utf-8-sig"))
    if not lines and not form.said:
        return _plain(file, data)
    packet, notes = joined(Sources(file.path, file.day, form, lines))
    written = draft(packet)
    body, repo = written.body or "", packet.origin.repo
    said = [sorted(each.said.items()) for each in lines]
    return Found(
        # A file that can be read one day is no change of its line.
        _INDEX if file.trouble else str(file.path),
        names.path(packet),
        f"{body}\n\n## {_NOTES}\n\n{notes}" if notes else body,
        description=str(written.fields["description"]),
        tags=packet.told.tags,
        created=str(written.fields["created"]),
        updated=str(written.fields["updated"]),
        fields={k: v for k, v in written.fields.items() if k not in _SAID},
        layer=repo if repo in layers else "",
        id=str(file.path) if file.trouble else "",
        raw=data + repr(said).encode("utf-8", "replace"),
        mapped=tuple(f"{_THEIRS[k]} -> {k}" for k in written.fields if k in _THEIRS),
        warnings=(_lost(file, lines),) if file.trouble else (),
    )


def _lost(file: File, lines: Sequence[Reference]) -> str:
    """Say of what a packet is made that cannot be read itself."""
    return f"{file.trouble}, so this is what line {lines[0].line} of {_INDEX} says"


def _plain(file: File, data: bytes) -> Found:
    """Take what lies among packets and is none for what it is."""
    return Found(
        str(file.path),
        PurePosixPath("notes", file.path.name),
        created=file.day,
        updated=file.day,
        raw=data,
        document=data,
    )


def _layers(
    store: Foreign, place: str, told: Collection[Sequence[Reference]]
) -> frozenset[str]:
    """Name the layers of a history that lies in no project, as shared ones do.

    One that lies in a project is that project's, whatever its lines call it.
    """
    is_inside = place == _HISTORY or store.root.as_posix().endswith(f"/{_HISTORY}")
    if is_inside:
        return frozenset()
    return frozenset(line.text("repo") for lines in told for line in lines) - {""}


def _place(store: Foreign) -> str:
    def is_here(place: str) -> bool:
        return store.has(_at(place, _INDEX)) or store.has(_at(place, _PACKETS))

    return "" if store.only else next(filter(is_here, _PLACES), "")


def _at(place: str, name: str) -> str:
    return str(PurePosixPath(place, name))
