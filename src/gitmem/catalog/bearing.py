"""Find the memories that may bear on what is being said, and what is held beside."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from gitmem.catalog import activation, reads
from gitmem.catalog.activation import Fired
from gitmem.catalog.catalog import Catalog, View
from gitmem.catalog.query import Query, is_stop_word, parse
from gitmem.catalog.reads import NEVER, Reads
from gitmem.catalog.reason import Match, Reasons, cut
from gitmem.catalog.recall import names_of, recall
from gitmem.catalog.rows import Row
from gitmem.memory.memory import Memory
from gitmem.memory.tags import canonical
from gitmem.memory.traits import OPEN_LOOP, Traits, traits

FOUND_AT_MOST: Final = 24
MARKED_AT_MOST: Final = 50
CARRIERS_AT_MOST: Final = 8
# A tag of more memories than that says little, and the full text finds the best.
COMMON_TAG: Final = 200
MANY: Final = 1 << 40
_CHUNK: Final = 500
_OPEN: Final = canonical(OPEN_LOOP)


@dataclass(frozen=True, slots=True)
class Word:
    """A word that was said, and how many of all memories have it."""

    label: str
    holders: int


@dataclass(frozen=True, slots=True)
class Said:
    """A text to find memories for, and its words and phrases by canonical key."""

    text: str
    keys: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """What the index makes of a text: the words in it that may be found."""

    words: tuple[Word, ...] = ()
    memories: int = 0


@dataclass(frozen=True, slots=True)
class Bearing:
    """A memory that may bear on a text, and what it has of it.

    `names` are the keys of the tags, subjects and domains that it carries. `score` is
    that of the full text; `matches` say which words stand where, and
    `reads` how often it was read after a session was told of it.
    """

    row: Row
    traits: Traits
    names: frozenset[str]
    digest: bytes
    score: float = 0.0
    matches: tuple[Match, ...] = ()
    reads: Reads = NEVER


@dataclass(frozen=True, slots=True)
class Found:
    """What there is for one text.

    `fired` are the domains that it means by the rules, and `problem` is why there are
    none where they cannot be read.
    """

    heard: Heard = field(default_factory=Heard)
    bearings: tuple[Bearing, ...] = ()
    fired: Mapping[str, Fired] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """How many memories carry a name, and how many of them are open loops."""

    key: str
    name: str
    total: int
    open: int


def bearing(catalog: Catalog, said: Said, layers: Sequence[str]) -> Found:
    """Find what may bear on a text in the layers, by its words, triggers and tags."""
    return catalog.ask(lambda view: _bearing(view, said, layers), default=Found())


def anew(catalog: Catalog, said: Said, found: Bearing, memory: Memory) -> Bearing:
    """Say what a memory has of a text by what its file says now.

    Its body counts again once it is indexed.
    """
    known = traits(memory.fields)
    row = replace(
        found.row,
        tags=memory.tags,
        description=memory.description,
        title=memory.title,
    )

    def ask(view: View) -> tuple[Match, ...]:
        text = view.text()
        return Reasons(parse(said.text), text).of_tokens(cut(row, text))

    return replace(
        found,
        row=row,
        traits=known,
        names=names_of(memory.tags, known),
        score=0.0,
        matches=catalog.ask(ask, default=()),
    )


def places(
    catalog: Catalog, text: str, files: Sequence[tuple[Row, bytes]]
) -> tuple[tuple[Match, ...], ...]:
    """Say for each memory which words of a text stand where in it, its body too."""

    def ask(view: View) -> tuple[tuple[Match, ...], ...]:
        reasons = Reasons(parse(text), view.text())
        return tuple(
            (*reasons.of_row(row), *reasons.of_body(data).matches)
            for row, data in files
        )

    return catalog.ask(ask, default=tuple(() for _ in files))


def related(
    catalog: Catalog, keys: Iterable[str], targets: Iterable[str], layers: Sequence[str]
) -> tuple[Bearing, ...]:
    """Find the memories with these keys, and those whose relations lead to them."""
    keyed = [("key", canonical(key)) for key in targets]
    pairs = [*keyed, *(("target", canonical(key)) for key in keys)]

    def ask(view: View) -> tuple[Bearing, ...]:
        paths = [
            path
            for what, key in dict.fromkeys(pairs)
            for path in _marked(view.rows, (what,), (key,), layers)
        ]
        return tuple(_made(view, dict.fromkeys(paths, 0.0), None))

    return catalog.ask(ask, default=()) if pairs else ()


def held(
    catalog: Catalog,
    names: Mapping[str, str],
    layers: Sequence[str],
    today: date,
    most: int = MANY,
) -> tuple[Held, ...]:
    """Count all that carries a tag, subject or domain, for the first that are carried.

    `names` are shown as they are given, by their key.
    """

    def ask(view: View) -> tuple[Held, ...]:
        known = _names(view.rows, names, layers)
        return tuple(
            _held(view.rows, key, names[key], layers, today) for key in known[:most]
        )

    return catalog.ask(ask, default=())


def _bearing(view: View, said: Said, layers: Sequence[str]) -> Found:
    query = parse(said.text)
    text = view.text()
    scores = {
        each.path: each.score for each in text.search(query, layers, FOUND_AT_MOST)
    }
    for path in _marked(view.rows, ("trigger",), said.keys, layers):
        scores.setdefault(path, 0.0)
    fired = activation.fired(view.rows, said.keys)
    for path in _marked(view.rows, ("domain", "subject"), fired, layers):
        scores.setdefault(path, 0.0)
    for path in _carriers(view.rows, {*said.keys, *fired}, layers):
        scores.setdefault(path, 0.0)
    problem = activation.problem(view.rows)
    if not scores:
        return Found(fired=fired, problem=problem)
    reasons = Reasons(query, text)
    made = tuple(_made(view, scores, reasons))
    return Found(_heard(view, query), made, fired, problem)


def _heard(view: View, query: Query) -> Heard:
    text = view.text()
    words: dict[str, int] = {}
    for clause in query.clauses:
        if not is_stop_word(clause.label):
            holders = text.holders(clause)
            words[clause.label] = max(holders, words.get(clause.label, 0))
    told = (Word(label, holders) for label, holders in words.items())
    return Heard(tuple(told), text.size())


def _made(
    view: View, scores: Mapping[str, float], reasons: Reasons | None
) -> Iterator[Bearing]:
    known = recall(view, list(scores))
    read = reads.of(view.rows, list(known))
    for path, each in known.items():
        matches = reasons.of_tokens(each.tokens) if reasons else ()
        yield Bearing(
            row=each.row,
            traits=each.traits,
            names=each.names,
            digest=each.digest,
            score=scores[path],
            matches=matches,
            reads=read.get(path, NEVER),
        )


def _marked(
    rows: sqlite3.Connection,
    what: Sequence[str],
    keys: Collection[str],
    layers: Sequence[str],
) -> list[str]:
    """Select the paths of memories with one of these marks."""
    found: dict[str, None] = {}
    for chunk in _chunks(keys):
        query = (
            "SELECT DISTINCT path FROM marks"  # noqa: S608  own text
            f" WHERE canonical IN ({', '.join('?' * len(chunk))})"
            f" AND what IN ({', '.join('?' * len(what))})"
            f" AND layer IN ({', '.join('?' * len(layers))}) ORDER BY path LIMIT ?"
        )
        values = [*chunk, *what, *layers, MARKED_AT_MOST]
        found.update(dict.fromkeys(path for (path,) in rows.execute(query, values)))
    return list(found)


def _carriers(
    rows: sqlite3.Connection, keys: Collection[str], layers: Sequence[str]
) -> Iterator[str]:
    """Select the newest memories that carry one of these tags."""
    for chunk in _chunks(keys):
        inside = ", ".join("?" * len(layers))
        query = (
            "SELECT path FROM tags JOIN memories USING (path)"  # noqa: S608  own text
            f" WHERE canonical = ? AND tags.layer IN ({inside})"
            " ORDER BY changed_at DESC, path LIMIT ?"
        )
        for key in _tags(rows, chunk, layers, at_most=COMMON_TAG):
            values = [key, *layers, CARRIERS_AT_MOST]
            yield from (path for (path,) in rows.execute(query, values))


def _tags(
    rows: sqlite3.Connection,
    keys: Sequence[str],
    layers: Sequence[str],
    at_most: int = MANY,
) -> list[str]:
    """Keep the keys that are tags, of at most so many memories."""
    query = (
        "SELECT canonical FROM tag_counts"  # noqa: S608  own text
        f" WHERE layer IN ({', '.join('?' * len(layers))})"
        f" AND canonical IN ({', '.join('?' * len(keys))})"
        " GROUP BY canonical HAVING sum(memories) <= ? ORDER BY canonical"
    )
    return [key for (key,) in rows.execute(query, [*layers, *keys, at_most])]


def _names(
    rows: sqlite3.Connection, keys: Mapping[str, str], layers: Sequence[str]
) -> list[str]:
    """Keep the keys that anything carries as tag, subject or domain, in their order."""
    known: set[str] = set()
    for chunk in _chunks(keys):
        known.update(_tags(rows, chunk, layers))
        query = (
            "SELECT DISTINCT canonical FROM marks"  # noqa: S608  own text
            f" WHERE canonical IN ({', '.join('?' * len(chunk))})"
            " AND what IN ('subject', 'domain')"
            f" AND layer IN ({', '.join('?' * len(layers))})"
        )
        known.update(key for (key,) in rows.execute(query, [*chunk, *layers]))
    return [key for key in keys if key in known]


def _held(
    rows: sqlite3.Connection,
    key: str,
    name: str,
    layers: Sequence[str],
    today: date,
) -> Held:
    inside = ", ".join("?" * len(layers))
    carrying = (
        f"SELECT path FROM tags WHERE canonical = ? AND layer IN ({inside})"  # noqa: S608
        " UNION SELECT path FROM marks WHERE canonical = ?"
        f" AND what IN ('subject', 'domain') AND layer IN ({inside})"
    )
    values = [key, *layers, key, *layers]
    total = rows.execute(f"SELECT count(*) FROM ({carrying})", values)  # noqa: S608
    loops = rows.execute(
        "SELECT fields FROM marks JOIN memories USING (path)"  # noqa: S608  own text
        f" WHERE canonical = ? AND what = 'attention' AND path IN ({carrying})",
        [_OPEN, *values],
    )
    is_open = [traits(json.loads(fields)).is_open(today) for (fields,) in loops]
    return Held(key, name, int(total.fetchone()[0]), sum(is_open))


def _chunks(keys: Collection[str]) -> Iterator[list[str]]:
    every = list(keys)
    for start in range(0, len(every), _CHUNK):
        yield every[start : start + _CHUNK]
