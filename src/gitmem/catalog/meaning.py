"""Find memories by what they mean: vectors beside the catalog.

A vector is kept under the digest of the file it was made of, so that moved files and
rebuilt catalogs need no new ones. Another model begins a file of its own.
"""

import contextlib
import heapq
import itertools
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from gitmem.catalog import entry
from gitmem.catalog.catalog import is_busy
from gitmem.catalog.scan import Reader
from gitmem.catalog.vectors import Model, alike
from gitmem.memory import hashes

if TYPE_CHECKING:
    from gitmem.files.tree import Tree

NEAR: Final = 100
BATCH: Final = 16
CHARACTERS: Final = 4_000
BUSY_TIMEOUT_SECONDS: Final = 5.0
_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS vectors"
    " (digest BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"
)

_Answer = TypeVar("_Answer")


class Meaning:
    """The vectors of one model, in the folder of the catalog."""

    def __init__(self, folder: Path, model: Model) -> None:
        """Remember both; nothing is opened yet."""
        self._folder = folder
        self._file = folder / f"vectors-{model.key}.sqlite"
        self._model = model

    def catch_up(
        self,
        rows: sqlite3.Connection,
        tree: "Tree",
        *,
        may_go_on: Callable[[], bool],
        progress: Callable[[int, int], None] | None = None,
    ) -> int:
        """Make the vectors that are missing, the newest first; say how many are left.

        `may_go_on` is asked before each batch.
        """
        newest = rows.execute(
            "SELECT digest, path FROM memories ORDER BY changed_at DESC, path"
        )
        needed: dict[bytes, str] = {}
        for digest, path in newest:
            needed.setdefault(digest, path)

        def make(vectors: sqlite3.Connection) -> int:
            known = {each for (each,) in vectors.execute("SELECT digest FROM vectors")}
            old = [(digest,) for digest in known - needed.keys()]
            vectors.executemany("DELETE FROM vectors WHERE digest = ?", old)
            missing = [each for each in needed.items() if each[0] not in known]
            done = 0
            with Reader(tree.root) as reader:
                while done < len(missing) and may_go_on():
                    self._make(missing[done : done + BATCH], reader, vectors)
                    done = min(done + BATCH, len(missing))
                    if progress:
                        progress(done, len(missing))
            return len(missing) - done

        return self._ask(make, default=len(needed))

    def near(
        self, rows: sqlite3.Connection, text: str, layers: Sequence[str] | None
    ) -> dict[str, float]:
        """Give the cosine of the memories in the layers that mean most alike."""
        (wanted,) = self._model.encode([text])
        paths = _paths(rows, layers)
        nothing: list[tuple[bytes, bytes]] = []
        known = [
            (digest, vector)
            for digest, vector in self._ask(_every, default=nothing)
            if digest in paths and vector
        ]
        if not (wanted and known):
            return {}
        cosines = alike(wanted, b"".join(vector for _, vector in known))
        best = heapq.nlargest(NEAR, zip(cosines, known, strict=True))
        return {path: cosine for cosine, (digest, _) in best for path in paths[digest]}

    def _make(
        self,
        missing: Sequence[tuple[bytes, str]],
        reader: Reader,
        vectors: sqlite3.Connection,
    ) -> None:
        texts: dict[bytes, str] = {}
        for digest, path in missing:
            with contextlib.suppress(OSError):
                found = reader.read(path)
                if found is not None and hashes.digest(found[1]) == digest:
                    texts[digest] = _text(path, found[1])
        if texts:
            made = self._model.encode(list(texts.values()))
            vectors.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                zip(texts, made, strict=True),
            )

    def _ask(
        self, question: Callable[[sqlite3.Connection], _Answer], *, default: _Answer
    ) -> _Answer:
        """Put a question to the vectors; a damaged file is made anew."""
        for other in self._folder.glob("vectors-*.sqlite*"):
            if not other.name.startswith(self._file.name):
                other.unlink(missing_ok=True)
        for _ in range(2):
            try:
                with contextlib.closing(self._connect()) as vectors:
                    return question(vectors)
            except sqlite3.DatabaseError as error:
                if is_busy(error):
                    break
                self._file.unlink(missing_ok=True)
        return default

    def _connect(self) -> sqlite3.Connection:
        vectors = sqlite3.connect(
            self._file, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None
        )
        vectors.execute(_TABLE)
        return vectors


def _every(vectors: sqlite3.Connection) -> list[tuple[bytes, bytes]]:
    return vectors.execute("SELECT digest, vector FROM vectors").fetchall()


def _paths(
    rows: sqlite3.Connection, layers: Sequence[str] | None
) -> dict[bytes, list[str]]:
    """Map the digests in the layers to the files that have them."""
    inside = ", ".join("?" * len(layers or ()))
    where = "" if layers is None else f"WHERE layer IN ({inside})"
    query = f"SELECT digest, path FROM memories {where} ORDER BY digest, path"  # noqa: S608
    found = rows.execute(query, list(layers or ()))
    return {
        digest: [path for _, path in same]
        for digest, same in itertools.groupby(found, key=lambda each: each[0])
    }


def _text(path: str, data: bytes) -> str:
    fields = entry.make(path, data).fields
    told = (fields.description, fields.tags, fields.body)
    return "\n".join(each for each in told if each)[:CHARACTERS]
