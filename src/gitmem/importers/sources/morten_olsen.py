"""@morten-olsen/pi-memory: records in a wiki, a profile, daily notes and skills."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import PurePosixPath
from typing import Final

from gitmem.importers.foreign import File, Foreign
from gitmem.importers.records import Record, record
from gitmem.importers.source import SHARED, Advice, Found, Item, Left, left
from gitmem.memory.layout import DAILY, PROFILE, is_daily

ABOUT: Final = "the personal archive of @morten-olsen/pi-memory"
_PLACES: Final = ("", "pi-memory", ".local/share/pi-memory")
_WIKI: Final = "wiki"
_RECORDS: Final = "records"
_SKILLS: Final = "skills"
_PROFILE: Final = "profile.md"
_RULES: Final = "activation.yaml"
_LEFT: Final = {
    "config.yaml": "it holds settings of that program",
    "models": "they are made again when they are needed",
    "index.sqlite": "it is made from the records",
    "index.sqlite-wal": "it is made from the records",
    "index.sqlite-shm": "it is made from the records",
}
_LOOKED_AT: Final = 20
_BESIDE: Final = frozenset({DAILY, _SKILLS, _PROFILE, _RULES, "config.yaml"})


@dataclass(slots=True)
class _Archive:
    """The ids of an archive, and which of them were given twice."""

    ids: set[str] = field(default_factory=set)
    twice: set[str] = field(default_factory=set)

    def add(self, found: Record) -> None:
        """Take a record in."""
        name = found.text("id")
        (self.twice if name in self.ids else self.ids).add(name)


def looks(store: Foreign) -> bool:
    """Say whether there is a wiki beside one of the other parts."""
    names = set(store.names(_place(store)))
    if store.only or _WIKI not in names:
        return store.root.name == _WIKI and _has_record(store)
    return bool(names & _BESIDE)


def read(store: Foreign) -> Iterator[Item]:
    """Give the records, then what lies beside them."""
    place = _place(store)
    names = store.names(place)
    if store.only or _WIKI not in names:
        yield from _wiki(store, place)
        return
    yield from _wiki(store, _at(place, _WIKI))
    for name in names:
        path = _at(place, name)
        if name in {DAILY, _SKILLS}:
            yield from _plain(store, path, PurePosixPath(name))
        elif name == _RULES:
            yield from _rules(store, path)
        elif name in _LEFT:
            yield Left(name, _LEFT[name])
        elif name.endswith(".md"):
            yield _beside(store, path, name)
        elif not name.startswith(".") and name != _WIKI:
            yield Left(name, "it is no part of the archive that gitmem knows")


def _wiki(store: Foreign, place: str) -> Iterator[Item]:
    """Give each record; the first pass is for what they say of one another."""
    archive = _Archive()
    for file, data in store.markdown(place):
        if not file.trouble:
            archive.add(record(data))
    for file, data in store.markdown(place):
        inside = file.path.relative_to(place)
        if file.trouble:
            yield left(file, str(inside))
        else:
            yield _record(file, data, inside, archive)


def _record(file: File, data: bytes, inside: PurePosixPath, archive: _Archive) -> Found:
    found = record(data)
    name = found.text("id")
    recorded, confirmed = found.day("recorded"), found.day("confirmed")
    return Found(
        str(inside),
        PurePosixPath(_RECORDS, inside),
        created=recorded or file.day,
        updated=confirmed or recorded or file.day,
        fields=found.changed,
        layer=SHARED,
        id="" if name in archive.twice else name,
        raw=data,
        document=found.data,
        mapped=found.mapped,
        warnings=tuple(_warnings(found, archive)),
    )


def _warnings(found: Record, archive: _Archive) -> Iterator[str]:
    if found.text("id") in archive.twice - {""}:
        yield f"another record has the id {found.text('id')} too"
    for name in found.texts("supersedes"):
        if name not in archive.ids:
            yield f"it supersedes {name}, which is not there"


def _plain(store: Foreign, place: str, target: PurePosixPath) -> Iterator[Item]:
    """Give each file as it is, at its own name below a folder."""
    for file, data in store.markdown(place):
        inside = target / file.path.relative_to(place)
        yield _document(file, data, str(inside), inside)


def _beside(store: Foreign, path: str, name: str) -> Item:
    target = PROFILE if name == _PROFILE else f"{_RECORDS}/{name}"
    file, data = store.text(path)
    return _document(file, data, name, PurePosixPath(target))


def _document(
    file: File, data: bytes, origin: str, target: PurePosixPath
) -> Found | Left:
    if file.trouble:
        return left(file, origin)
    return Found(
        origin,
        target,
        description=_said_of(target) if data.strip() else "",
        created=file.day,
        updated=file.day,
        layer=SHARED,
        raw=data,
        document=data,
    )


def _said_of(target: PurePosixPath) -> str:
    """Describe what has no description because it needs none where it lies."""
    if target.name == PROFILE:
        return "Who the person is: what matters in almost every conversation"
    return (
        f"Notes of the day {target.stem}"
        if is_daily(PurePosixPath(SHARED, target))
        else ""
    )


def _rules(store: Foreign, path: str) -> Iterator[Item]:
    """Keep the rules as a text: gitmem spells them in another way."""
    data = store.read(path, store.file_limit_bytes) or b""
    written = data.decode("utf-8", "replace")
    lines = [line for line in written.splitlines() if line.strip(" -{}[]")]
    if not any(not line.lstrip().startswith("#") for line in lines):
        yield Left(_RULES, "it holds no rule")
        return
    yield Found(
        _RULES,
        PurePosixPath("activation-rules.md"),
        f"```yaml\n{written.rstrip()}\n```",
        description=f"Rules of {_RULES} in an archive that was imported, as they were",
        layer=SHARED,
        raw=data,
    )
    yield Advice(
        f"The rules of {_RULES} are kept as a text. Write those that you need into "
        "activation.yaml at the root of the memory repository, as `word: domain`."
    )


def _place(store: Foreign) -> str:
    found = (place for place in _PLACES if _WIKI in store.names(place))
    return "" if store.only else next(found, "")


def _has_record(store: Foreign) -> bool:
    """Say whether a wiki, given by itself, has a record among its first files."""
    first = islice(store.markdown(), _LOOKED_AT)
    return any(b"\nschemaVersion:" in data for _, data in first)


def _at(place: str, name: str) -> str:
    return str(PurePosixPath(place, name))
