"""Judge whether an entry is here, where a memory says so: by its text; pure but reads.

Whoever writes a memory can write into it that it was imported. So that alone keeps no
entry out, unless the memory holds some of its text, or lies where the entry goes.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from gitmem.files.names import shown
from gitmem.importers.known import Known
from gitmem.importers.source import Found
from gitmem.memory.frontmatter.split import split
from gitmem.memory.origins import Origin

# So many memories are read that claim one entry.
_MOST: Final = 8
_PIECES: Final = 256
_PIECE: Final = 16
_LEAST_PIECE: Final = 8
# An eighth of an entry's pieces is more than two texts share by chance.
_SHARE: Final = 8
_REWRITTEN: Final = "which has hardly any of its text now"
Text = Callable[[PurePosixPath], bytes | None]


@dataclass(frozen=True, slots=True)
class Belief:
    """Where an entry is, if it is here, and why that is believed, or doubted."""

    at: PurePosixPath | None = None
    reason: str = ""
    doubts: tuple[str, ...] = ()


@dataclass(slots=True)
class _Claims:
    """The memories that claim an entry, and which of them hold some of it."""

    found: Found
    layer: str
    known: Known
    text: Text
    _held: dict[PurePosixPath, bool] = field(default_factory=dict)

    def nearest(self, paths: Iterable[PurePosixPath]) -> tuple[PurePosixPath, ...]:
        """Give some of them, those of the entry's layer first."""
        return tuple(sorted(paths, key=lambda path: not self.is_near(path)))[:_MOST]

    def is_near(self, path: PurePosixPath) -> bool:
        return path.parts[0] == self.layer

    def holds(self, path: PurePosixPath) -> bool:
        """Say whether a memory has some of the entry's text, as each new one has."""
        if path not in self._held:
            is_new = not self.known.is_old(path)
            self._held[path] = is_new or holds(self.text(path) or b"", self.found)
        return self._held[path]


def believed(
    found: Found, origin: Origin, layer: str, known: Known, text: Text
) -> Belief:
    """Say where an entry is already that is to go to a layer."""
    claims = _Claims(found, layer, known, text)
    same = claims.nearest(known.same(origin))
    if at := next(filter(claims.holds, same), None):
        return Belief(at, f"imported already as {shown(str(at))}")
    if at := next(filter(claims.is_near, same), None):
        return Belief(at, f"imported already as {shown(str(at))}, {_REWRITTEN}")
    # What this very run made cannot have changed since.
    changed = claims.nearest(filter(known.is_old, known.changed(origin)))
    for path in changed:
        if (claims.is_near(path) or origin.id) and claims.holds(path):
            return Belief(path, _otherwise(path))
    return Belief(doubts=tuple(_doubts((*same, *changed), claims)))


def holds(memory: bytes, found: Found) -> bool:
    """Say whether a memory has at least some of an entry's text, however edited."""
    wanted = _plain(_words(found))
    text = _plain(memory)
    if wanted in text:
        return True
    length = min(_PIECE, max(_LEAST_PIECE, len(wanted) // 2))
    last = max(len(wanted) - length, 0)
    starts = range(0, last + 1, last // _PIECES + 1)
    common = sum(wanted[start : start + length] in text for start in starts)
    return common * _SHARE >= len(starts)


def _otherwise(path: PurePosixPath) -> str:
    name = shown(str(path))
    return f"changed since it was imported as {name}, which stays as it is"


def _doubts(paths: tuple[PurePosixPath, ...], claims: _Claims) -> Iterator[str]:
    """Name the memories that claim the entry, but for another project's own."""
    for path in dict.fromkeys(paths):
        name = shown(str(path))
        if claims.holds(path):
            yield f"{name} came from a file of this name too, and is in another layer"
        elif claims.is_near(path):
            yield f"{name} says that it came from here, and has hardly any of this text"


def _words(found: Found) -> bytes:
    body = (
        found.body.encode("utf-8", "replace")
        if found.document is None
        else split(found.document).body
    )
    return body if body.strip() else found.description.encode("utf-8", "replace")


def _plain(data: bytes) -> bytes:
    """Make nothing of case and white space; bytes, as CJK says much in few letters."""
    return " ".join(data.decode("utf-8", "replace").split()).casefold().encode()
