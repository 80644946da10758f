"""Measure whether the memory that answers a question is found.

Needs a folder with `devmembench_sessions.json`, `devmembench_questions.json` and
`locomo5.json`; none of them is part of gitmem. Recall is the part of the evidence that
is among the first hits, averaged over the questions.

gitmem's constants were settled with the first two conversations of LoCoMo in view; the
rows "kept apart" are the others. BM25 is the usual formula (k1 = 0.9, b = 0.4, as in
Anserini) over the words as gitmem cuts them.
"""

import argparse
import hashlib
import heapq
import json
import math
import re
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from table import show

from gitmem.catalog.catalog import Catalog, View
from gitmem.catalog.meaning import Meaning
from gitmem.catalog.query import STOP_WORDS
from gitmem.catalog.refresh import rebuild
from gitmem.catalog.search import SearchRequest, search
from gitmem.catalog.vectors import Model, opened
from gitmem.files.tree import Tree

TODAY = date(2026, 3, 2)
LIMIT = 10
ANSWERABLE = (1, 2, 3, 4)
LOOKED_AT = ("c0", "c1")
K1, B = 0.9, 0.4

Search = Callable[[str, str], list[str]]


@dataclass(frozen=True)
class Question:
    """A question, the layer that it is put to, and the memories that answer it."""

    text: str
    layer: str
    evidence: frozenset[str]


@dataclass(frozen=True)
class Set:
    """Memories by path, and questions about them."""

    name: str
    memories: Mapping[str, str]
    questions: Sequence[Question]


def coding_sessions(data: Path) -> Set:
    """Make a memory of each session of DevMemBench."""
    memories = {}
    for session in _json(data / "devmembench_sessions.json"):
        about = session["metadata"]
        lines = [f"{each['role']}: {each['content']}" for each in session["messages"]]
        head = f'tags: [{about["project"]}]\ncreated: "{about["date"]}"'
        path = f"all/{session['sessionId']}.md"
        memories[path] = f"---\n{head}\n---\n" + "\n\n".join(lines)
    questions = [
        Question(
            each["question"],
            "all",
            frozenset(f"all/{name}.md" for name in each["haystackSessionIds"]),
        )
        for each in _json(data / "devmembench_questions.json")
        if each["haystackSessionIds"]
    ]
    return Set("DevMemBench sessions", memories, questions)


def turns(data: Path, *, neighbours: bool = False, ordered: bool = True) -> Set:
    """Make a memory of each turn of LoCoMo, alone or between its neighbours.

    Where it is not `ordered` its name does not say which turn it was.
    """
    place = _place if ordered else _any_place
    memories: dict[str, str] = {}
    questions: list[Question] = []
    for number, sample in enumerate(_json(data / "locomo5.json")):
        layer = f"c{number}"
        talks = [t for t in sample["conversation"].values() if isinstance(t, list)]
        for talk in talks:
            for at, turn in enumerate(talk):
                near = (talk[max(0, at - 1) : at], talk[at + 1 : at + 2])
                text = _said(turn)
                if neighbours:
                    text = "\n\n".join(map(_said, (turn, *near[0], *near[1])))
                memories[place(layer, turn["dia_id"])] = text
        for each in sample["qa"]:
            places = {place(layer, name) for name in each["evidence"]}
            evidence = frozenset(places & memories.keys())
            if each["category"] in ANSWERABLE and evidence:
                questions.append(Question(each["question"], layer, evidence))
    name = "LoCoMo turns" + (" with neighbours" if neighbours else "")
    name += "" if ordered else ", names without order"
    return Set(name, memories, questions)


def measured(found: Search, questions: Sequence[Question]) -> tuple[float, ...]:
    """Average recall at 5 and 10, and the reciprocal rank of the first evidence."""
    sums = [0.0, 0.0, 0.0]
    for question in questions:
        hits = found(question.text, question.layer)
        right = [rank for rank, hit in enumerate(hits) if hit in question.evidence]
        sums[0] += sum(rank < LIMIT // 2 for rank in right) / len(question.evidence)
        sums[1] += len(right) / len(question.evidence)
        sums[2] += 1 / (1 + right[0]) if right else 0.0
    return tuple(each / len(questions) for each in sums)


def fts5(memories: Mapping[str, str]) -> Search:
    """Search with plain FTS5: porter stems, any word, stop words dropped."""
    table = sqlite3.connect(":memory:")
    table.execute(
        "CREATE VIRTUAL TABLE t USING fts5(path UNINDEXED, layer UNINDEXED, body,"
        " tokenize = 'porter unicode61')"
    )
    lines = ((path, path.split("/")[0], text) for path, text in memories.items())
    table.executemany("INSERT INTO t VALUES (?, ?, ?)", lines)

    def found(query: str, layer: str) -> list[str]:
        words = [w for w in re.findall(r"\w+", query.lower()) if w not in STOP_WORDS]
        asked = "SELECT path FROM t WHERE t MATCH ? AND layer = ? ORDER BY rank LIMIT ?"
        match = " OR ".join(f'"{word}"' for word in words) or '""'
        return [path for (path,) in table.execute(asked, (match, layer, LIMIT))]

    return found


def bm25(memories: Mapping[str, str], cut: Callable[[str], list[str]]) -> Search:
    """Search with plain BM25, stop words dropped."""
    words = {path: Counter(cut(text)) for path, text in memories.items()}
    lengths = {path: counts.total() for path, counts in words.items()}
    average = sum(lengths.values()) / len(lengths)
    holders: dict[str, list[str]] = {}
    for path, counts in words.items():
        for word in counts:
            holders.setdefault(word, []).append(path)

    def found(query: str, layer: str) -> list[str]:
        meant = (w for w in re.findall(r"\w+", query.lower()) if w not in STOP_WORDS)
        scores: dict[str, float] = {}
        for word in dict.fromkeys(each for w in meant for each in cut(w)):
            having = holders.get(word, [])
            rare = math.log(1 + (len(words) - len(having) + 0.5) / (len(having) + 0.5))
            for path in having:
                often = words[path][word]
                norm = K1 * (1 - B + B * lengths[path] / average)
                scores[path] = scores.get(path, 0.0) + rare * often / (often + norm)
        inside = [path for path in scores if path.split("/")[0] == layer]
        return heapq.nlargest(LIMIT, inside, key=lambda path: scores[path])

    return found


class Remembering:
    """A model that is asked only once about each text."""

    def __init__(self, model: Model) -> None:
        """Ask this model."""
        self.key = model.key
        self.seconds = 0.0
        self._model = model
        self._known: dict[str, bytes] = {}

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """Give the vector of each text."""
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        begun = time.perf_counter()
        made = self._model.encode(new) if new else []
        self.seconds += time.perf_counter() - begun
        self._known.update(zip(new, made, strict=True))
        return [self._known[text] for text in texts]

    def rate(self) -> str:
        """Say how many texts it took in a second."""
        return f"{len(self._known) / max(self.seconds, 1e-9):.0f} texts a second"


def by_meaning(catalog: Catalog, tree: Tree, model: Model) -> Search:
    """Search as gitmem does with a model."""
    meaning = Meaning(catalog.folder, model)

    def understand(view: View) -> int:
        return meaning.catch_up(view.rows, tree, may_go_on=lambda: True)

    catalog.ask(understand, default=0)

    def found(query: str, layer: str) -> list[str]:
        request = SearchRequest(query, layers=(layer,), limit=LIMIT, today=TODAY)
        answer = search(catalog, request, tree, meaning)
        return [str(hit.path) for hit in answer.hits]

    return found


def measure(data: Set, model: Model | None) -> list[tuple[object, ...]]:
    """Put all questions to both engines."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "memory")
        for path, text in data.memories.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        tree = Tree(root)
        with Catalog(Path(folder, "catalog")) as catalog:
            rebuild(catalog, tree)
            cut = catalog.ask(lambda view: view.text().tokens, default=list)

            def ours(query: str, layer: str) -> list[str]:
                request = SearchRequest(
                    query, layers=(layer,), limit=LIMIT, today=TODAY
                )
                answer = search(catalog, request, tree)
                return [str(hit.path) for hit in answer.hits]

            engines = {
                "gitmem": ours,
                "FTS5": fts5(data.memories),
                "BM25": bm25(data.memories, cut),
            }
            if model is not None:
                engines["gitmem with a model"] = by_meaning(catalog, tree, model)
            return [
                (part, name, len(questions), *measured(engine, questions))
                for part, questions in _parts(data).items()
                for name, engine in engines.items()
            ]


def _parts(data: Set) -> dict[str, Sequence[Question]]:
    """Put beside all questions those of the conversations that were kept apart."""
    apart = [each for each in data.questions if each.layer not in LOOKED_AT]
    is_whole = len(apart) in {0, len(data.questions)}
    return {data.name: data.questions} | (
        {} if is_whole else {f"{data.name}, kept apart": apart}
    )


def _said(turn: Mapping[str, Any]) -> str:
    picture = turn.get("blip_caption")
    shown = f" (a picture: {picture})" if picture else ""
    return f"{turn['speaker']}: {turn['text']}{shown}"


def _place(layer: str, name: str) -> str:
    return f"{layer}/{name.replace(':', '-')}.md"


def _any_place(layer: str, name: str) -> str:
    # Letters only: a digit at the end would put the names into a row.
    digest = hashlib.sha256(name.encode()).hexdigest()
    return f"{layer}/{digest}x.md"


def _json(path: Path) -> Any:  # noqa: ANN401  each file has its own shape
    return json.loads(path.read_text(encoding="utf-8"))


def main() -> None:
    """Measure on the data that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", type=Path, help="as search.semantic names it")
    wish = parser.parse_args()
    data, model = wish.data, None
    if wish.model:
        model = Remembering(opened(wish.model))
    if not (data / "locomo5.json").is_file():
        sys.exit(f"{data} does not hold the data sets; see --help.")
    sets = (
        coding_sessions(data),
        turns(data),
        turns(data, ordered=False),
        turns(data, neighbours=True),
    )
    lines = [line for each in sets for line in measure(each, model)]
    show("Retrieval", ("data", "engine", "questions", "R@5", "R@10", "MRR"), lines)
    if model is not None:
        print(f"\nThe model took {model.rate()}.")


if __name__ == "__main__":
    main()
