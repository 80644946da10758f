"""pi-memory-md: a folder a project, a shared one, and the tape in TAPE."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import PurePosixPath
from typing import Final

from gitmem.importers import pi_settings, pi_threads
from gitmem.importers.foreign import File, Foreign
from gitmem.importers.source import SHARED, Advice, Found, Item, Left, Line, left
from gitmem.memory.frontmatter.read import read as read_document
from gitmem.project.names import folded
from gitmem.tape.record import read as read_line

ABOUT: Final = "the memory repository of pi-memory-md"
TAPE: Final = "TAPE"
_UNTOLD: Final = Advice(
    "No settings of pi-memory-md lead to this store, so none of its folders is taken "
    "for the shared one. If one is, say so before you import: memoryDir.localPath and "
    "memoryDir.globalMemory in ~/.pi/agent/settings.json."
)
_ANCHORS: Final = "__anchors.jsonl"
_CORE: Final = "core"
_SAMPLE: Final = 50
_TAPE_BYTES: Final = 64 * 1024 * 1024


def looks(store: Foreign) -> bool:
    """Say whether a folder in it has a core, as each project's has, or it is one's.

    A folder of somebody's notes may be called so too; a memory there is described.
    """
    places = (_CORE, *(f"{name}/{_CORE}" for name in store.names()))
    return store.has(TAPE) or any(_is_core(store, place) for place in places)


def _is_core(store: Foreign, place: str) -> bool:
    if not store.has(place):
        return False
    texts = (data for file, data in store.markdown(place) if not file.trouble)
    heads = (read_document(data).fields for data in islice(texts, _SAMPLE))
    return any(fields.get("description") for fields in heads)


def read(store: Foreign) -> Iterator[Item]:
    """Read every layer, then the tape, then what its settings say."""
    said = pi_settings.found(store)
    is_project = store.has(_CORE)
    for file, data in store.markdown():
        if file.path.parts[0] != TAPE:
            yield _item(file, data, "" if is_project else _layer(file, said.shared))
    yield from _tape(store)
    yield from said.advice
    if said.is_guessed and not is_project and not store.has(said.shared):
        yield _UNTOLD


def _item(file: File, data: bytes, layer: str) -> Item:
    if file.trouble:
        return left(file, str(file.path))
    path = PurePosixPath(*file.path.parts[1:]) if layer else file.path
    return Found(
        str(file.path),
        path,
        created=file.day,
        updated=file.day,
        layer=layer,
        raw=data,
        document=data,
    )


def _layer(file: File, shared: str) -> str:
    """Name the layer of a file; what lies beside the layers is in none."""
    if len(file.path.parts) == 1:
        return ""
    name = file.path.parts[0]
    return SHARED if folded(name) == folded(shared) else name


def _tape(store: Foreign) -> Iterator[Item]:
    """Read the anchors, and make nodes of those that threads are made of."""
    for name in store.names(TAPE):
        origin = f"{TAPE}/{name}"
        if name.endswith(_ANCHORS):
            yield from _anchors(store, origin, name.removesuffix(_ANCHORS))
        elif name.endswith(pi_threads.SUFFIX):
            project = name.removesuffix(pi_threads.SUFFIX)
            if not store.has(f"{TAPE}/{project}{_ANCHORS}"):
                threads = pi_threads.read(store.read(origin, _TAPE_BYTES) or b"")
                yield from _lines(origin, project, threads)
        else:
            yield Left(origin, "it is no part of the tape that gitmem knows")


def _anchors(store: Foreign, origin: str, project: str) -> Iterator[Item]:
    data = store.read(f"{TAPE}/{project}{pi_threads.SUFFIX}", _TAPE_BYTES) or b""
    threads = pi_threads.read(data)
    whole = store.read(origin, _TAPE_BYTES) or b""
    if len(whole) == _TAPE_BYTES:
        yield Left(origin, f"only its first {_TAPE_BYTES:,} bytes are read")
    lines = whole.split(b"\n")
    for number, line in enumerate(lines, start=1):
        record = read_line(line)
        if record is not None:
            node = threads.nodes.pop(record.id, None)
            meta = {**record.meta, **(node.meta if node else {})}
            yield Line(origin, replace(record, meta=meta), _project(project))
        elif line.strip():
            yield Left(f"{origin}, line {number}", "it is no anchor")
    yield from _lines(f"{TAPE}/{project}{pi_threads.SUFFIX}", project, threads)


def _lines(origin: str, project: str, threads: "pi_threads.Threads") -> Iterator[Item]:
    for number in threads.broken:
        yield Left(f"{origin}, line {number}", "it is no thread")
    for record in (*threads.events, *threads.nodes.values()):
        yield Line(origin, record, _project(project))


def _project(name: str) -> str:
    return SHARED if folded(name) == "global" else name
