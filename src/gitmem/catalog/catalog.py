"""The catalog of one memory repository, open for reading."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeVar

from gitmem.catalog import builds, schema
from gitmem.catalog.builds import BrokenText

if TYPE_CHECKING:
    from gitmem.catalog.text import TextIndex

_PRIMARY_CODE: Final = 0xFF

_Answer = TypeVar("_Answer")


class View:
    """One build as it stands: rows, and the full text once it is asked for."""

    def __init__(self, build: Path) -> None:
        """Open the rows; raises sqlite3.Error when they cannot be read."""
        self.build = build
        self.rows = schema.open_reader(build / builds.ROWS)
        self._text: TextIndex | None = None
        self._text_generation = -1
        self._kept: dict[str, Any] = {}
        self._kept_generation = -1

    def kept(self) -> dict[str, Any]:
        """Give what was read of memories by path, since the last change of any."""
        generation = self._generation()
        if generation != self._kept_generation:
            self._kept, self._kept_generation = {}, generation
        return self._kept

    def text(self) -> "TextIndex":
        """Open the full text, or bring it to what was committed last."""
        from gitmem.catalog.text import TextIndex  # brings in tantivy

        generation = self._generation()
        if self._text is None:
            self._text = TextIndex(self.build / builds.TEXT)
        elif generation != self._text_generation:
            self._text.reload()
        self._text_generation = generation
        return self._text

    def close(self) -> None:
        """Let go of the files."""
        self.rows.close()
        self._text = None

    def _generation(self) -> int:
        (found,) = self.rows.execute("SELECT generation FROM state").fetchone()
        return int(found)


class Catalog:
    """The derived index in a folder of the cache; use it in a `with`.

    One thread at a time. What is open is the build that was current at the last
    question; a rebuild by another process is noticed at the next one.
    """

    # Whether what is built is there for the next one who asks.
    is_kept: ClassVar[bool] = True

    def __init__(self, folder: Path) -> None:
        """Remember the folder; nothing is opened or made yet."""
        self.folder = folder
        self._view: View | None = None

    def __enter__(self) -> Self:
        """Enter."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """Let go of all files; a later question opens them again."""
        if self._view is not None:
            self._view.close()
            self._view = None

    def is_built(self) -> bool:
        """Tell whether there is anything to answer from."""
        return builds.current(self.folder) is not None

    def ask(self, question: Callable[[View], _Answer], *, default: _Answer) -> _Answer:
        """Put a question to the current build, or return `default` without one.

        A build that turns out to be broken is given up, so that the next refresh
        makes a new one.
        """
        failed: Path | None = None
        while build := builds.current(self.folder):
            try:
                return question(self._open(build))
            except (sqlite3.DatabaseError, BrokenText) as error:
                self.close()
                if is_busy(error):
                    break
                # A build may be replaced and removed while it is being opened.
                if build == failed:
                    builds.discard(build)
                failed = build
        return default

    def _open(self, build: Path) -> View:
        if self._view is not None and self._view.build != build:
            self.close()
        if self._view is None:
            self._view = View(build)
        return self._view


def is_busy(error: Exception) -> bool:
    """Tell whether another process holds a store, so that it may be tried again."""
    code = getattr(error, "sqlite_errorcode", 0)
    return (code & _PRIMARY_CODE) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
