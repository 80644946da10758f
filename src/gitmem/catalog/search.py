"""Find memories by words or by tags, and say why each was found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.catalog import rows, series
from gitmem.catalog.catalog import Catalog, View
from gitmem.catalog.fusion import fused
from gitmem.catalog.nearest import nearest
from gitmem.catalog.query import Query, parse
from gitmem.catalog.reason import Match, Reasons
from gitmem.catalog.rows import Row, TagCount
from gitmem.catalog.scan import Reader
from gitmem.catalog.series import Lifted
from gitmem.catalog.standing import Standing, standing, traits_of, unasked
from gitmem.memory.conflicts import is_copy, original
from gitmem.memory.layout import PROJECT
from gitmem.memory.tags import canonical

if TYPE_CHECKING:
    from gitmem.catalog.meaning import Meaning
    from gitmem.files.tree import Tree

NEWEST: Final = 5
# So many times more are looked through for memories that may be told unasked.
LOOKED_THROUGH: Final = 10
# A file may be gone since the last refresh: then the next best moves up.
SPARE: Final = 5
FILTERED: Final = 1_000
# Of so many hits what stands beside them is looked at.
IN_SERIES: Final = 20
ELSEWHERE: Final = 20
# What the other side of a conflict holds counts, but half.
COPY_WEIGHT: Final = 0.5
_ALIKE: Final = (Match("meaning", ("alike",)),)


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is looked for: words, tags, or memories that fit all of it, on a day.

    `layers` are searched (None: all), of them only the paths in `among` (None: all);
    in `other_layers` hits are only counted. With `is_prefix` the last word may be
    unfinished.
    """

    query: str = ""
    tags: tuple[str, ...] = ()
    layers: tuple[str, ...] | None = None
    other_layers: tuple[str, ...] = ()
    limit: int = 10
    is_prefix: bool = False
    among: frozenset[str] | None = None
    today: date = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that was found; scores compare within one answer only.

    `over` says why what it says does not hold now; empty while it does.
    """

    path: PurePosixPath
    layer: str
    description: str
    tags: tuple[str, ...]
    changed_at: datetime
    reason: tuple[Match, ...]
    snippet: str
    score: float
    over: str = ""


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


@dataclass(frozen=True, slots=True)
class _Ranked:
    row: Row
    score: float
    more: tuple[Match, ...]
    over: str


def search(
    catalog: Catalog,
    request: SearchRequest,
    tree: "Tree",
    meaning: "Meaning | None" = None,
) -> Answer:
    """Answer from what the catalog holds now; snippets are read from the files.

    With `meaning` what the query means counts too, beside its words.
    """

    def ask(view: View) -> Answer:
        cosines: Mapping[str, float] = {}
        if meaning is not None and request.query:
            cosines = meaning.near(view.rows, request.query, request.layers)
        return _answer(view, request, tree, cosines)

    return catalog.ask(ask, default=Answer())


def _answer(
    view: View, request: SearchRequest, tree: "Tree", cosines: Mapping[str, float]
) -> Answer:
    query = parse(request.query, is_prefix=request.is_prefix)
    hits = _hits(view, request, query, tree, cosines)
    if not hits and request.query:
        query = parse(request.query, is_prefix=request.is_prefix, is_loose=True)
        hits = _hits(view, request, query, tree, {})
    elsewhere = _elsewhere(view, request, query) if len(hits) < request.limit else ()
    if hits:
        return Answer(hits, elsewhere=elsewhere)
    known = rows.tags(view.rows, request.layers)
    return Answer(
        nearest_tags=nearest(" ".join(request.tags) or request.query, known),
        newest=_newest(view, request),
        elsewhere=elsewhere,
    )


def _newest(view: View, request: SearchRequest) -> tuple[Row, ...]:
    """List the newest memories of which one may speak unasked."""
    latest = rows.newest(
        view.rows, request.layers, left_out=PROJECT, limit=NEWEST * LOOKED_THROUGH
    )
    return unasked(view.rows, latest, request.today, NEWEST)


def _hits(
    view: View,
    request: SearchRequest,
    query: Query,
    tree: "Tree",
    cosines: Mapping[str, float],
) -> tuple[Hit, ...]:
    if not request.query:
        return _tagged(view, request) if request.tags else ()
    if not query.clauses:
        return ()
    allowed = request.among
    limit = max(request.limit + SPARE, len(cosines))
    if request.tags:
        carriers = rows.carriers(view.rows, _canonical(request), request.layers)
        allowed = carriers if allowed is None else carriers & allowed
        limit = FILTERED
    among = None if request.among is None else sorted(request.among)
    found = view.text().search(query, request.layers, limit, among)
    lifted = _in_series(view, query, [each.path for each in found])
    by_words = {each.path: each.score for each in found}
    by_words |= {path: each.score for path, each in lifted.items()}
    scores = fused(by_words, cosines) if cosines else by_words
    if allowed is not None:
        scores = {path: scores[path] for path in scores.keys() & allowed}
    known = rows.by_path(view.rows, list(scores))
    now = standing(traits_of(view.rows, list(scores)), request.today)
    scores = _without_rivals(scores, now)
    ranked = [
        _Ranked(
            known[path],
            score,
            _lent(query, lifted.get(path)) if path in by_words else _ALIKE,
            now.over.get(path, ""),
        )
        for path, score in scores.items()
        if path in known
    ]
    return _explained(view, query, ranked, request.limit, tree)


def _lent(query: Query, lifted: Lifted | None) -> tuple[Match, ...]:
    """Name the words that only stand beside a memory."""
    lent = lifted.lent if lifted else ()
    words = dict.fromkeys(query.clauses[number].label for number in lent)
    return (Match("beside", tuple(words)),) if words else ()


def _in_series(view: View, query: Query, paths: Sequence[str]) -> dict[str, Lifted]:
    """Score the short entries of logs among the best hits with those beside them."""
    near = {path: series.beside(path) for path in paths[:IN_SERIES]}
    named = dict.fromkeys(
        name for path, names in near.items() if names for name in (path, *names)
    )
    if not named:
        return {}
    known = rows.by_path(view.rows, list(named))
    short = [path for path, row in known.items() if row.size <= series.SHORT_BYTES]
    if not short:
        return {}
    return series.lifted(view.text().by_clause(query, short), short)


def _without_rivals(scores: Mapping[str, float], now: Standing) -> dict[str, float]:
    """Put conflict copies below what is as good, and always below their memory.

    What is over stands below what holds of the same key.
    """
    lowered = {}
    for name, score in scores.items():
        path = PurePosixPath(name)
        if is_copy(path):
            lowered[name] = min(
                COPY_WEIGHT * score, scores.get(str(original(path)), score)
            )
        elif current := now.current.get(name):
            lowered[name] = min(score, *(scores[each] for each in current))
    ranked = {**scores, **lowered}
    order = sorted(
        ranked, key=lambda name: (-round(ranked[name], 4), name in lowered, name)
    )
    return {name: ranked[name] for name in order}


def _tagged(view: View, request: SearchRequest) -> tuple[Hit, ...]:
    limit = request.limit + SPARE
    found = rows.tagged(view.rows, _canonical(request), request.layers, limit=limit)
    known = traits_of(view.rows, [str(row.path) for row in found])
    why = standing(known, request.today).over
    reason = (Match("tags", request.tags),)
    best = sorted(found, key=lambda row: (is_copy(row.path), str(row.path) in why))
    return tuple(
        _hit(row, reason, "", 1.0, why.get(str(row.path), ""))
        for row in best[: request.limit]
    )


def _canonical(request: SearchRequest) -> tuple[str, ...]:
    return tuple(map(canonical, request.tags))


def _explained(
    view: View,
    query: Query,
    ranked: Sequence[_Ranked],
    limit: int,
    tree: "Tree",
) -> tuple[Hit, ...]:
    reasons = Reasons(query, view.text())
    hits: list[Hit] = []
    with Reader(tree.root) as reader:
        for each in ranked:
            if len(hits) == limit:
                break
            row, score, more = each.row, each.score, each.more
            try:
                found = reader.read(str(row.path))
            except OSError:
                reason = reasons.of_row(row) + more
                hits.append(_hit(row, reason, "", score, each.over))
                continue
            if found is not None:
                body = reasons.of_body(found[1])
                reason = reasons.of_row(row) + body.matches + more
                hits.append(_hit(row, reason, body.snippet, score, each.over))
    return tuple(hits)


def _hit(
    row: Row, reason: tuple[Match, ...], snippet: str, score: float, over: str
) -> Hit:
    return Hit(
        path=row.path,
        layer=row.layer,
        description=row.description,
        tags=row.tags,
        changed_at=row.changed_at,
        reason=reason,
        snippet=snippet,
        score=round(score, 4),
        over=over,
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
