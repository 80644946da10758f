"""The full-text engine; the only module that speaks to tantivy."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gitmem.catalog.analysis import BREAK, folded, shaped, spaced
from gitmem.catalog.builds import BrokenText
from gitmem.catalog.query import Clause, Query

if TYPE_CHECKING:
    import tantivy

# What a person chose to write about a memory says more than its body.
BOOSTS: Final = {
    "tags": 4.0,
    "description": 3.0,
    "title": 2.5,
    "headings": 1.5,
    "body": 1.0,
    # Names are often dates and numbers, which questions have too.
    "place": 0.5,
}
# Also indexed unstemmed, for a last word that is not finished.
NAMES: Final = ("tags", "description", "title", "headings", "place")
PREFIX_BOOST: Final = 2.0
PREFIX_TERMS: Final = 24
SHORTEST_BODY_PREFIX: Final = 3
SHORTEST_STEM: Final = 4
BUILD_HEAP_BYTES: Final = 96_000_000
UPDATE_HEAP_BYTES: Final = 16_000_000
LONGEST_TOKEN_BYTES: Final = 100
LONGEST_PHRASE: Final = 64
# A body counts as at least a passage long: a stub is not better for being short.
PASSAGE_WORDS: Final = 150
PASSAGE_CHARACTERS: Final = 10 * PASSAGE_WORDS
_GENERATION_PATH: Final = ""


@dataclass(frozen=True, slots=True)
class Fields:
    """What is indexed of one memory."""

    tags: str
    description: str
    title: str
    headings: str
    body: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that matched, and how well."""

    path: str
    score: float


class Writer:
    """The one open writer of an index."""

    def __init__(self, writer: "tantivy.IndexWriter") -> None:
        """Keep the engine's writer."""
        self._writer = writer

    def add(self, path: str, layer: str, fields: Fields) -> None:
        """Index a memory; an older entry of the path is to be removed first."""
        import tantivy  # heavy: 8 ms

        document = tantivy.Document()
        document.add_text("path", path)
        document.add_text("layer", layer)
        shapes = {name: shaped(getattr(fields, name)) for name in BOOSTS}
        document.add_text("names", " ".join(shapes[name] for name in NAMES))
        shapes["body"] = _filled(shapes["body"])
        for name, shape in shapes.items():
            if shape:
                document.add_text(name, shape)
        with _reported():
            self._writer.add_document(document)

    def remove(self, path: str) -> None:
        """Forget a memory."""
        with _reported():
            self._writer.delete_documents_by_term("path", path)

    def commit(self, generation: int) -> None:
        """Make the changes durable under a number."""
        import tantivy  # heavy: 8 ms

        self.remove(_GENERATION_PATH)
        document = tantivy.Document()
        document.add_text("path", _GENERATION_PATH)
        document.add_unsigned("generation", generation)
        with _reported():
            self._writer.add_document(document)
            self._writer.commit()


class TextIndex:
    """An index in a folder, open for reading; `writing` opens it for a change.

    Raises BrokenText when the folder does not hold a whole index.
    """

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        """Open the index, or lay a new one in a new folder."""
        import tantivy  # heavy: 8 ms

        if create:
            folder.mkdir(mode=0o700)
            self._index = tantivy.Index(_schema(), path=str(folder), reuse=False)
        else:
            with _reported():
                self._index = tantivy.Index.open(str(folder))
        self._analyzer = _analyzer(is_stemmed=True)
        self._plain = _analyzer(is_stemmed=False)
        self._index.register_tokenizer("stemmed", self._analyzer)
        self._index.register_tokenizer("plain", self._plain)
        self._schema = self._index.schema
        # The engine's own way of reloading watches the folder from a thread.
        with _reported():
            self._index.config_reader(reload_policy="manual")
            self._index.reload()

    def reload(self) -> None:
        """See what was committed since."""
        with _reported():
            self._index.reload()

    def generation(self) -> int:
        """Read the number of the last commit."""
        import tantivy  # heavy: 8 ms

        searcher = self._index.searcher()
        wanted = tantivy.Query.term_query(self._schema, "path", _GENERATION_PATH)
        for _, address in searcher.search(wanted, 1, count=False).hits:
            return int(searcher.doc(address).get_first("generation") or 0)
        return 0

    def tokens(self, text: str) -> list[str]:
        """Cut a memory's text as the index does."""
        return self._analyzer.analyze(shaped(text))

    def clause_tokens(self, clause: Clause) -> list[str]:
        """Cut a clause into the tokens that must stand side by side."""
        return _cut(self._analyzer, clause)

    def search(
        self,
        query: Query,
        layers: Sequence[str] | None,
        limit: int,
        among: Sequence[str] | None = None,
    ) -> list[Found]:
        """Return the best matches in the layers (None: in all), among these paths."""
        searcher = self._index.searcher()
        with _reported():
            built = self._query(query, layers, searcher)
            if among is not None:
                built = self._within(built, "path", among)
            hits = searcher.search(built, limit, count=False).hits
            found = [
                Found(str(searcher.doc(address).get_first("path")), float(score))
                for score, address in hits
            ]
        return sorted(found, key=lambda hit: (-round(hit.score, 4), hit.path))

    def by_clause(self, query: Query, paths: Sequence[str]) -> list[dict[str, float]]:
        """Score these memories by each clause alone."""
        searcher = self._index.searcher()
        names: dict[tuple[int, int], str] = {}
        found = []
        with _reported():
            for clause in query.clauses:
                alone = self._matching((clause,), searcher)
                within = self._within(alone, "path", paths)
                hits = searcher.search(within, len(paths), count=False).hits
                for _, at in hits:
                    if (at.segment_ord, at.doc) not in names:
                        name = str(searcher.doc(at).get_first("path"))
                        names[at.segment_ord, at.doc] = name
                found.append(hits)
        return [
            {names[at.segment_ord, at.doc]: float(score) for score, at in hits}
            for hits in found
        ]

    def count(self, query: Query, layers: Sequence[str] | None) -> int:
        """Count the memories that match at all."""
        searcher = self._index.searcher()
        with _reported():
            built = self._query(query, layers, searcher)
            return int(getattr(searcher.search(built, 1, count=True), "count", 0))

    def holders(self, clause: Clause) -> int:
        """Say how many memories have a word in the field that has it most often.

        Of several words, the rarest counts.
        """
        searcher = self._index.searcher()
        with _reported():
            return min(
                (
                    max(searcher.doc_freq(field, token) for field in BOOSTS)
                    for token in self.clause_tokens(clause)
                ),
                default=0,
            )

    def size(self) -> int:
        """Say how many memories are indexed, those of all layers together."""
        return int(self._index.searcher().num_docs) - 1

    @contextlib.contextmanager
    def writing(self, *, is_build: bool) -> Iterator[Writer]:
        """Open the one writer; what was not committed at the end is forgotten."""
        heap = BUILD_HEAP_BYTES if is_build else UPDATE_HEAP_BYTES
        with _reported():
            writer = self._index.writer(heap, 2 if is_build else 1)
        try:
            yield Writer(writer)
        finally:
            # Merges not waited for are lost, and the small segments would pile up.
            with _reported():
                writer.wait_merging_threads()

    def _query(
        self,
        query: Query,
        layers: Sequence[str] | None,
        searcher: "tantivy.Searcher",
    ) -> "tantivy.Query":
        # Flat, and without a filter inside: only then the engine skips blocks that
        # cannot reach the best ten.
        matching = self._matching(query.clauses, searcher)
        return matching if layers is None else self._within(matching, "layer", layers)

    def _matching(
        self, clauses: Sequence[Clause], searcher: "tantivy.Searcher"
    ) -> "tantivy.Query":
        import tantivy  # heavy: 8 ms

        build = tantivy.Query
        wanted = [part for clause in clauses for part in self._any(clause)]
        wanted += [
            part
            for clause in clauses
            if clause.is_prefix
            for part in self._begun(clause, searcher)
        ]
        if not wanted:
            return build.empty_query()
        return build.boolean_query([(tantivy.Occur.Should, part) for part in wanted])

    def _within(
        self, matching: "tantivy.Query", field: str, values: Sequence[str]
    ) -> "tantivy.Query":
        """Keep what has one of the values, its score as it is."""
        import tantivy  # heavy: 8 ms

        build, must = tantivy.Query, tantivy.Occur.Must
        inside = build.term_set_query(self._schema, field, list(values))
        kept = build.const_score_query(inside, 0.0)
        return build.boolean_query([(must, matching), (must, kept)])

    def _any(self, clause: Clause) -> list["tantivy.Query"]:
        """Look for a clause in every field."""
        import tantivy  # heavy: 8 ms

        words = self.clause_tokens(clause)
        if not words:
            return []
        build = tantivy.Query
        return [
            build.boost_query(
                build.term_query(self._schema, field, words[0])
                if len(words) == 1
                else build.phrase_query(self._schema, field, list(words)),
                boost * clause.weight,
            )
            for field, boost in BOOSTS.items()
        ]

    def _begun(
        self, clause: Clause, searcher: "tantivy.Searcher"
    ) -> list["tantivy.Query"]:
        """Look for words that begin with the last one typed."""
        import tantivy  # heavy: 8 ms

        words = _cut(self._plain, clause)
        if len(words) != 1:
            return []
        terms = self._terms("names", words[0], searcher)
        weighted = [("names", term, PREFIX_BOOST) for term in terms]
        if len(words[0]) >= SHORTEST_BODY_PREFIX:
            terms = self._terms("body", words[0], searcher)
            # The body has stems only: `deployi` goes on as `deploying`, its stem not.
            stems = [words[0][:-cut] for cut in (1, 2, 3)]
            terms += [stem for stem in stems if len(stem) >= SHORTEST_STEM]
            weighted += [("body", term, BOOSTS["body"]) for term in terms]
        build = tantivy.Query
        return [
            build.boost_query(build.term_query(self._schema, field, term), boost)
            for field, term, boost in weighted
        ]

    def _terms(
        self, field: str, prefix: str, searcher: "tantivy.Searcher"
    ) -> list[str]:
        found = searcher.terms_with_prefix(field, prefix, limit=PREFIX_TERMS)
        return [term for term, _ in found]


@contextlib.contextmanager
def _reported() -> Iterator[None]:
    """Turn whatever the engine says about damaged files into one error."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise BrokenText(str(error)) from error
    except BaseException as error:
        # A panic of the Rust side is no Exception; its class has no public name.
        if type(error).__name__ == "PanicException":
            raise BrokenText(str(error)) from error
        raise


def _schema() -> "tantivy.Schema":
    import tantivy  # heavy: 8 ms

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("path", stored=True, tokenizer_name="raw")
    builder.add_text_field("layer", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("generation", stored=True)
    builder.add_text_field("names", tokenizer_name="plain", index_option="freq")
    for field in BOOSTS:
        builder.add_text_field(field, tokenizer_name="stemmed")
    return builder.build()


def _analyzer(*, is_stemmed: bool) -> "tantivy.TextAnalyzer":
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer  # heavy: 8 ms

    builder = (
        TextAnalyzerBuilder(Tokenizer.simple())
        .filter(Filter.remove_long(LONGEST_TOKEN_BYTES))
        .filter(Filter.lowercase())
        .filter(Filter.ascii_fold())
    )
    if is_stemmed:
        builder = builder.filter(Filter.stemmer("english"))
    return builder.build()


def _filled(shape: str) -> str:
    """Fill a short text up with a word that nobody writes."""
    if not shape or len(shape) >= PASSAGE_CHARACTERS:
        return shape
    missing = PASSAGE_WORDS - len(shape.split())
    return f"{shape} {f'{BREAK} ' * missing}" if missing > 0 else shape


def _cut(analyzer: "tantivy.TextAnalyzer", clause: Clause) -> list[str]:
    return analyzer.analyze(spaced(folded(clause.text)))[:LONGEST_PHRASE]
