"""Compare a search in the catalog with SQLite's FTS5 and ripgrep on the same files."""

import argparse
import random
import re
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import corpus
from table import show, spread

from gitmem.catalog.catalog import Catalog
from gitmem.catalog.refresh import rebuild
from gitmem.catalog.ripgrep import program
from gitmem.catalog.search import SearchRequest, search
from gitmem.files.tree import Tree

QUERIES = 50
SLOW_QUERIES = 5


def kinds(seed: int = corpus.SEED) -> dict[str, list[str]]:
    """Draw queries of several kinds from the words of the corpus."""
    source = random.Random(seed)  # noqa: S311  no secret
    words = corpus.words(random.Random(seed))[:3_000]  # noqa: S311  no secret
    chinese, hangul = corpus.CHINESE, corpus.HANGUL
    return {
        "one word": source.choices(words, k=QUERIES),
        "three words": [" ".join(source.choices(words, k=3)) for _ in range(QUERIES)],
        "common words": [
            " ".join(source.choices(words[:30], k=3)) for _ in range(QUERIES)
        ],
        "chinese": [chinese[at : at + 2] for at in range(len(chinese) - 2)],
        "hangul": [hangul[at : at + 2] for at in range(len(hangul) - 2)],
        "identifier": list(corpus.IDENTIFIERS),
    }


def fts5(root: Path) -> sqlite3.Connection:
    """Index the files with FTS5 as it comes."""
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE t USING fts5(path UNINDEXED, body)")
    files = root.rglob("*.md")
    pairs = ((str(file), file.read_text(encoding="utf-8")) for file in files)
    table.executemany("INSERT INTO t VALUES (?, ?)", pairs)
    return table


def ask_fts5(table: sqlite3.Connection, query: str) -> object:
    """Ask for any of the words, the best ten."""
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
    asked = "SELECT path FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10"
    return table.execute(asked, (words,)).fetchall()


def ask_ripgrep(root: Path, query: str) -> object:
    """Look for any of the words."""
    words = "|".join(map(re.escape, query.split()))
    command = [str(program()), "--no-config", "-il", f"--regexp={words}", str(root)]
    return subprocess.run(command, check=False, capture_output=True).stdout


def measure(count: int, folder: Path) -> None:
    """Print one table for one size."""
    root = folder / "memory"
    corpus.write(root, count)
    tree, table = Tree(root), fts5(root)
    with Catalog(folder / "catalog") as catalog:
        rebuild(catalog, tree)
        engines: dict[str, Callable[[str], object]] = {
            "gitmem": lambda query: search(catalog, SearchRequest(query), tree),
            "FTS5": partial(ask_fts5, table),
            "ripgrep": partial(ask_ripgrep, root),
        }
        lines = []
        for kind, queries in kinds().items():
            ours = times(engines["gitmem"], queries)
            for name, ask in engines.items():
                some = queries[:SLOW_QUERIES] if name == "ripgrep" else queries
                middle, worst = ours if name == "gitmem" else times(ask, some)
                line = (kind, name, 1000 * middle, 1000 * worst, middle / ours[0])
                lines.append(line)
    head = ("query", "engine", "p50 ms", "p99 ms", "x gitmem")
    show(f"{count} memories", head, lines)


def times(ask: Callable[[str], object], queries: Sequence[str]) -> tuple[float, float]:
    """Time each query, after one that warms up."""
    ask(queries[0])
    return spread(partial(ask, query) for query in queries)


def main() -> None:
    """Measure each size asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000])
    options = parser.parse_args()
    for count in options.sizes:
        with tempfile.TemporaryDirectory() as folder:
            measure(count, Path(folder))


if __name__ == "__main__":
    main()
