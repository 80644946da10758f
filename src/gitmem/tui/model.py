"""What is reviewed, and the part of it that a filter leaves; pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final

from gitmem.service.reviewing import Reviewed
from gitmem.tape.threads import Thread
from gitmem.tui import days, rows
from gitmem.tui.relations import Keyword, relations
from gitmem.tui.rows import Row
from gitmem.tui.search import Index
from gitmem.tui.text import clean

LIMIT: Final = 50
MOST: Final = 100


@dataclass(frozen=True)
class View:
    """The anchors that are shown now, the newest first, and what follows from them."""

    rows: tuple[Row, ...]
    threads: tuple[Thread, ...]
    limit: int
    query: str = ""

    @property
    def pages(self) -> int:
        """Say on how many pages the anchors are."""
        return max(1, -(-len(self.rows) // self.limit))

    def page(self, number: int) -> tuple[Row, ...]:
        """Give the anchors of one page; the first is 1."""
        start = (number - 1) * self.limit
        return self.rows[start : start + self.limit]

    def thread(self, wanted: str) -> Thread | None:
        """Find a thread by its id."""
        return next((each for each in self.threads if each.id == wanted), None)

    @cached_property
    def keywords(self) -> tuple[Keyword, ...]:
        """Relate the keywords of these anchors."""
        return relations(self.rows)

    @cached_property
    def counts(self) -> dict[date, int]:
        """Count these anchors by day."""
        return days.by_day(self.rows)

    @property
    def summary(self) -> str:
        """Count what there is."""
        return days.summary(self.rows, len(self.threads))


class Model:
    """A tape as it was read; views of it are made as fast as one types."""

    def __init__(self, reviewed: Reviewed, limit: int = LIMIT) -> None:
        """Make everything clean once."""
        self.project = clean(reviewed.project)
        self._threads = reviewed.threads
        self._limit = limit
        self._rows = rows.rows(reviewed.anchors)

    @cached_property
    def _index(self) -> Index:
        return Index(self._rows)

    def warm(self) -> None:
        """Get ready to filter, so that the first letter is as fast as the others."""
        self.view("warm")

    def view(self, query: str = "") -> View:
        """Give what a filter leaves; all of it where there is none."""
        if not query.strip():
            return View(self._rows, self._threads, self._limit)
        found = self._index.find(query)
        ids = {each.id for each in found if each.type == "thread"}
        threads = tuple(self._threads_of(ids, query.casefold().split()))
        return View(found, threads, self._limit, query)

    def _threads_of(self, ids: set[str], typed: list[str]) -> Iterator[Thread]:
        for each in self._threads:
            title = each.title.casefold()
            if any(node.id in ids for node in each.nodes) or all(
                word in title for word in typed
            ):
                yield each
