"""Compare a search in the catalog with FTS5, ripgrep and Orama on the same files.

A row tells of as many queries as the head says, each asked once after one that warms
up; of slow engines, of fewer. `work` is what processors did for a query, whatever else
the machine was busy with. `answered` is the part that found anything: where that is 0,
an engine is quick because it does not know the script.
"""

import random
import re
import resource
import sqlite3
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

import corpus
import peers
from table import show

from gitmem.catalog.catalog import Catalog
from gitmem.catalog.refresh import rebuild
from gitmem.catalog.ripgrep import program
from gitmem.catalog.search import SearchRequest, search
from gitmem.files.tree import Tree

TODAY = date(2026, 3, 2)
QUERIES = 200
SLOW_QUERIES = 5
# Orama holds all in memory, and builds its index for a minute and more.
ORAMA_AT_MOST = 10_000
PREFIX = "prefix"
Row = tuple[object, ...]


@dataclass(frozen=True)
class Timed:
    """The seconds of each query, those of processors, and the part that was answered.

    Of what another process did by itself nothing is known of processors.
    """

    seconds: Sequence[float]
    answered: float
    work: Sequence[float] = ()

    @property
    def median(self) -> float:
        """Give what one half stays below."""
        return statistics.median(self.seconds)

    @property
    def slowest(self) -> float:
        """Give what all but one in a hundred stay below."""
        last = len(self.seconds) - 1
        return sorted(self.seconds)[min(last, len(self.seconds) * 99 // 100)]


def kinds(seed: int = corpus.SEED) -> dict[str, list[str]]:
    """Draw queries of several kinds from the words of the corpus."""
    source = random.Random(seed)  # noqa: S311  no secret
    words = corpus.words(random.Random(seed))[:3_000]  # noqa: S311  no secret

    def pieces(script: str) -> list[str]:
        found = [
            script[at : at + length]
            for length in (1, 2, 3, 4)
            for at in range(len(script) - length)
        ]
        return source.choices(found, k=QUERIES)

    def some(known: Sequence[str], count: int) -> list[str]:
        return [" ".join(source.choices(known, k=count)) for _ in range(QUERIES)]

    return {
        "one word": some(words, 1),
        "three words": some(words, 3),
        "common words": some(words[:30], 3),
        PREFIX: [word[: max(3, len(word) - 2)] for word in some(words, 1)],
        "chinese": pieces(corpus.CHINESE),
        "kana": pieces(corpus.KANA),
        "hangul": pieces(corpus.HANGUL),
        "identifier": source.choices(corpus.IDENTIFIERS, k=QUERIES),
    }


def ask_gitmem(catalog: Catalog, tree: Tree, kind: str, query: str) -> int:
    """Search as the verb does, with reasons and snippets."""
    request = SearchRequest(query, is_prefix=kind == PREFIX, today=TODAY)
    return len(search(catalog, request, tree).hits)


def fts5(root: Path, place: Path) -> sqlite3.Connection:
    """Index the files with FTS5 as it comes."""
    table = sqlite3.connect(place)
    table.execute("PRAGMA synchronous = OFF")
    table.execute("CREATE VIRTUAL TABLE t USING fts5(path UNINDEXED, body)")
    files = root.rglob("*.md")
    pairs = ((str(file), file.read_text(encoding="utf-8")) for file in files)
    table.executemany("INSERT INTO t VALUES (?, ?)", pairs)
    table.commit()
    return table


def ask_fts5(table: sqlite3.Connection, kind: str, query: str) -> int:
    """Ask for any of the words, the best ten."""
    star = "*" if kind == PREFIX else ""
    words = " OR ".join(f'"{word}"{star}' for word in re.findall(r"\w+", query))
    asked = "SELECT path FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10"
    return len(table.execute(asked, (words,)).fetchall())


def ask_ripgrep(root: Path, kind: str, query: str) -> int:
    """Look for any of the words."""
    words = "|".join(map(re.escape, query.split()))
    pattern = rf"\b{words}" if kind == PREFIX else words
    command = [str(program()), "--no-config", "-il", f"--regexp={pattern}", str(root)]
    done = subprocess.run(command, check=False, capture_output=True)
    return done.stdout.count(b"\n")


def timed(ask: Callable[[str], int], queries: Sequence[str]) -> Timed:
    """Time each query, after one that warms up."""
    ask(queries[0])
    found, answered = [], 0
    for query in queries:
        begun, before = time.perf_counter(), _work()
        hits = ask(query)
        found.append((time.perf_counter() - begun, _work() - before))
        answered += hits > 0
    seconds, work = zip(*found, strict=True)
    return Timed(seconds, answered / len(queries), work)


def _work() -> float:
    mine, children = map(
        resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return mine.ru_utime + mine.ru_stime + children.ru_utime + children.ru_stime


def orama(root: Path, count: int) -> dict[str, Timed] | str:
    """Ask Orama all there is to ask, or say why it cannot be asked."""
    if count > ORAMA_AT_MOST:
        return f"not run beyond {ORAMA_AT_MOST:,}"
    asked = kinds()
    every = [query for queries in asked.values() for query in queries]
    try:
        found = peers.orama(root, every)
    except peers.AbsentError as error:
        return str(error)
    each = iter(zip(found.seconds, found.hits, strict=True))
    return {kind: _told(each, len(queries)) for kind, queries in asked.items()}


def _told(answers: Iterator[tuple[float, int]], count: int) -> Timed:
    part = [next(answers) for _ in range(count)]
    return Timed([one[0] for one in part], sum(one[1] > 0 for one in part) / count)


def measure(count: int, root: Path, folder: Path) -> None:
    """Print one table for one size."""
    tree, table = Tree(root), fts5(root, folder / "fts5")
    beside = orama(root, count)
    lines: list[Row] = []
    with Catalog(folder / "catalog") as catalog:
        rebuild(catalog, tree)
        for kind, queries in kinds().items():
            few = queries[:SLOW_QUERIES]
            ours = timed(partial(ask_gitmem, catalog, tree, kind), queries)
            by_table = timed(partial(ask_fts5, table, kind), queries)
            by_pattern = timed(partial(ask_ripgrep, root, kind), few)
            lines += [
                row(kind, "gitmem", ours, ours),
                row(kind, "FTS5", by_table, ours),
                row(kind, "ripgrep", by_pattern, ours),
            ]
            if isinstance(beside, dict):
                lines.append(row(kind, "Orama", beside[kind], ours))
    if isinstance(beside, str):
        lines.append(("all", "Orama", beside, "", "", "", ""))
    head = ("query", "engine", "p50 ms", "p99 ms", "work ms", "x gitmem", "answered")
    title = f"{count} memories, {QUERIES} queries of a kind"
    show(f"{title} (ripgrep: {SLOW_QUERIES})", head, lines)


def row(kind: str, engine: str, found: Timed, ours: Timed) -> Row:
    """Write one line of the table."""
    work = 1000 * statistics.median(found.work) if found.work else ""
    times = (1000 * found.median, 1000 * found.slowest, work)
    return kind, engine, *times, found.median / ours.median, f"{found.answered:.0%}"


def main() -> None:
    """Measure each size asked for."""
    options = corpus.options(__doc__).parse_args()
    for count in options.sizes:
        with corpus.at(options.corpora, count) as (root, folder):
            measure(count, root, folder)


if __name__ == "__main__":
    main()
