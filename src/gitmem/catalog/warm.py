"""Keep a build open between the questions of a process that lives long.

To open one costs more than to ask it. What is kept is let go as soon as it is not the
current build any more, or any of its files is not as it was.
"""

import os
import threading
from pathlib import Path
from typing import Final, Self

from gitmem.catalog import builds
from gitmem.catalog.catalog import Catalog, View

_Looks = tuple[tuple[str, int, int, int], ...]
_NONE: Final[_Looks] = ()


class Warm:
    """Holds at most one open build; whoever asks meanwhile opens another."""

    def __init__(self) -> None:
        """Hold nothing yet."""
        self._lock = threading.Lock()
        self._held: tuple[View, _Looks] | None = None

    def catalog(self, folder: Path) -> Catalog:
        """Give a catalog that begins with what is held, and leaves it here."""
        return _Lent(folder, self)

    def take(self, folder: Path) -> tuple[View | None, _Looks]:
        """Hand over what is held for a folder, if that still looks as it did."""
        with self._lock:
            held, self._held = self._held, None
        if held is None:
            return None, _NONE
        view, looks = held
        if builds.current(folder) == view.build and _looks(view.build) == looks:
            return held
        view.close()
        return None, _NONE

    def give(self, folder: Path, view: View, looks: _Looks) -> None:
        """Hold an open build, unless it was replaced or another one is held."""
        if looks and builds.current(folder) == view.build:
            with self._lock:
                if self._held is None:
                    self._held = (view, looks)
                    return
        view.close()

    def close(self) -> None:
        """Let go of all files."""
        with self._lock:
            held, self._held = self._held, None
        if held is not None:
            held[0].close()


class _Lent(Catalog):
    """A catalog whose open build outlives its `with`."""

    def __init__(self, folder: Path, warm: Warm) -> None:
        super().__init__(folder)
        self._warm = warm
        self._looks = _NONE

    def __enter__(self) -> Self:
        self._view, self._looks = self._warm.take(self.folder)
        return self

    def __exit__(self, *_: object) -> None:
        view, self._view = self._view, None
        if view is not None:
            self._warm.give(self.folder, view, self._looks)

    def _open(self, build: Path) -> View:
        if self._view is None or self._view.build != build:
            # Before it is opened: what changes in between is not taken for known.
            self._looks = _looks(build)
        return super()._open(build)


def _looks(build: Path) -> _Looks:
    """Tell the files of a build from what they are after the next change.

    Nothing where they cannot be seen.
    """
    found = []
    try:
        row = (build / builds.ROWS).stat()
        found.append((builds.ROWS, row.st_ino, row.st_size, row.st_mtime_ns))
        with os.scandir(build / builds.TEXT) as entries:
            for entry in entries:
                seen = entry.stat()
                found.append((entry.name, seen.st_ino, seen.st_size, seen.st_mtime_ns))
    except OSError:
        return _NONE
    return tuple(sorted(found))
