"""Find memories by words or by tags, and say why each was found."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.catalog import rows
from gitmem.catalog.catalog import Catalog, View
from gitmem.catalog.nearest import nearest
from gitmem.catalog.query import Query, parse
from gitmem.catalog.reason import Match, Reasons
from gitmem.catalog.rows import Row, TagCount
from gitmem.catalog.scan import Reader
from gitmem.memory.conflicts import is_copy, original
from gitmem.memory.layout import PROJECT
from gitmem.memory.tags import canonical

if TYPE_CHECKING:
    from gitmem.files.tree import Tree

NEWEST: Final = 5
# A file may be gone since the last refresh: then the next best moves up.
SPARE: Final = 5
FILTERED: Final = 1_000
ELSEWHERE: Final = 20
# What the other side of a conflict holds counts, but half.
COPY_WEIGHT: Final = 0.5


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is looked for: words, tags, or memories that fit all of it.

    `layers` are searched (None: all); in `other_layers` hits are only counted.
    With `is_prefix` the last word may be unfinished.
    """

    query: str = ""
    tags: tuple[str, ...] = ()
    layers: tuple[str, ...] | None = None
    other_layers: tuple[str, ...] = ()
    limit: int = 10
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that was found; scores compare within one answer only."""

    path: PurePosixPath
    layer: str
    description: str
    tags: tuple[str, ...]
    changed_at: datetime
    reason: tuple[Match, ...]
    snippet: str
    score: float


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """How many memories match in a layer that was not asked for."""

    layer: str
    hits: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits, best first; without any, what might help instead."""

    hits: tuple[Hit, ...] = ()
    nearest_tags: tuple[TagCount, ...] = ()
    newest: tuple[Row, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = field(default=())


def search(catalog: Catalog, request: SearchRequest, tree: "Tree") -> Answer:
    """Answer from what the catalog holds now; snippets are read from the files."""
    return catalog.ask(lambda view: _answer(view, request, tree), default=Answer())


def _answer(view: View, request: SearchRequest, tree: "Tree") -> Answer:
    query = parse(request.query, is_prefix=request.is_prefix)
    hits = _hits(view, request, query, tree)
    if not hits and request.query:
        query = parse(request.query, is_prefix=request.is_prefix, is_loose=True)
        hits = _hits(view, request, query, tree)
    elsewhere = _elsewhere(view, request, query) if len(hits) < request.limit else ()
    if hits:
        return Answer(hits, elsewhere=elsewhere)
    known = rows.tags(view.rows, request.layers)
    return Answer(
        nearest_tags=nearest(" ".join(request.tags) or request.query, known),
        newest=rows.newest(view.rows, request.layers, left_out=PROJECT, limit=NEWEST),
        elsewhere=elsewhere,
    )


def _hits(
    view: View, request: SearchRequest, query: Query, tree: "Tree"
) -> tuple[Hit, ...]:
    if not request.query:
        return _tagged(view, request) if request.tags else ()
    if not query.clauses:
        return ()
    allowed = None
    limit = request.limit + SPARE
    if request.tags:
        allowed = rows.carriers(view.rows, _canonical(request), request.layers)
        limit = FILTERED
    found = view.text().search(query, request.layers, limit)
    scores = _without_rivals(
        {
            each.path: each.score
            for each in found
            if allowed is None or each.path in allowed
        }
    )
    known = rows.by_path(view.rows, list(scores))
    ranked = [(known[path], score) for path, score in scores.items() if path in known]
    return _explained(view, query, ranked, request.limit, tree)


def _without_rivals(scores: dict[str, float]) -> dict[str, float]:
    """Put conflict copies below what is as good, and always below their memory."""
    lowered = {}
    for name, score in scores.items():
        path = PurePosixPath(name)
        if is_copy(path):
            lowered[name] = min(
                COPY_WEIGHT * score, scores.get(str(original(path)), score)
            )
    ranked = {**scores, **lowered}
    order = sorted(ranked, key=lambda name: (-ranked[name], name in lowered))
    return {name: ranked[name] for name in order}


def _tagged(view: View, request: SearchRequest) -> tuple[Hit, ...]:
    limit = request.limit + SPARE
    found = rows.tagged(view.rows, _canonical(request), request.layers, limit=limit)
    reason = (Match("tags", request.tags),)
    best = sorted(found, key=lambda row: is_copy(row.path))[: request.limit]
    return tuple(_hit(row, reason, "", 1.0) for row in best)


def _canonical(request: SearchRequest) -> tuple[str, ...]:
    return tuple(map(canonical, request.tags))


def _explained(
    view: View,
    query: Query,
    ranked: Sequence[tuple[Row, float]],
    limit: int,
    tree: "Tree",
) -> tuple[Hit, ...]:
    reasons = Reasons(query, view.text())
    hits: list[Hit] = []
    with Reader(tree.root) as reader:
        for row, score in ranked:
            if len(hits) == limit:
                break
            try:
                found = reader.read(str(row.path))
            except OSError:
                hits.append(_hit(row, reasons.of_row(row), "", score))
                continue
            if found is not None:
                body = reasons.of_body(found[1])
                reason = reasons.of_row(row) + body.matches
                hits.append(_hit(row, reason, body.snippet, score))
    return tuple(hits)


def _hit(row: Row, reason: tuple[Match, ...], snippet: str, score: float) -> Hit:
    return Hit(
        path=row.path,
        layer=row.layer,
        description=row.description,
        tags=row.tags,
        changed_at=row.changed_at,
        reason=reason,
        snippet=snippet,
        score=round(score, 4),
    )


def _elsewhere(
    view: View, request: SearchRequest, query: Query
) -> tuple[Elsewhere, ...]:
    counted = [
        Elsewhere(layer, _count(view, request, query, layer))
        for layer in request.other_layers[:ELSEWHERE]
    ]
    return tuple(each for each in counted if each.hits)


def _count(view: View, request: SearchRequest, query: Query, layer: str) -> int:
    if request.tags:
        return len(rows.carriers(view.rows, _canonical(request), (layer,)))
    return view.text().count(query, (layer,)) if query.clauses else 0
