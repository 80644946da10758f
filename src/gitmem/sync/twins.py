"""Tell which names are one and the same on a disk that ignores case; pure."""

import unicodedata
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath


def folded(path: PurePosixPath) -> PurePosixPath:
    """Spell a path as every name that such a disk takes for it is spelled."""
    return PurePosixPath(unicodedata.normalize("NFC", str(path)).casefold())


def shadowed(
    paths: Iterable[PurePosixPath], shown: AbstractSet[PurePosixPath]
) -> frozenset[PurePosixPath]:
    """Find the paths that another one keeps from appearing on such a disk.

    Of two, the one that is shown already stays; else the first in the alphabet does.
    """
    groups: dict[PurePosixPath, list[PurePosixPath]] = {}
    for path in sorted(paths, key=lambda path: (path not in shown, path)):
        groups.setdefault(folded(path), []).append(path)
    return frozenset(path for group in groups.values() for path in group[1:])
