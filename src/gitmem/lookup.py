"""Say in which folders of PATH programs may be looked up.

Not in those that whoever made a project, or can push to a memory, may fill.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

# Who can write here owns the machine, whichever folder is the current one.
_SYSTEM: Final = frozenset(
    {"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"}
)
# What leads through these leads every process somewhere else.
_OF_A_PROCESS: Final = frozenset({"/proc", "/dev"})
_LINKS_AT_MOST: Final = 40
# An empty PATH means the current folder; in here lies nothing.
NOWHERE: Final = os.devnull

_Place = tuple[int, int]


def trusted(path: str, *, roots: Iterable[Path] = ()) -> str:
    """Leave out of PATH what must not be searched.

    That is what is relative, is the current folder under any name, or lies in one of
    the roots. A root that holds the person's home is not a project's alone: it counts
    for itself only.
    """
    home = Path(os.path.realpath(os.path.expanduser("~")))
    holders = {_place(str(root)) for root in roots if not _holds(root, home)}
    alone = {_place(os.curdir), *(_place(str(root)) for root in roots)}
    places: dict[str, _Place | None] = {}
    entries = path.split(os.pathsep)
    kept = [each for each in entries if _is_trusted(each, alone, holders, places)]
    return os.pathsep.join(kept or [NOWHERE])


def _is_trusted(
    entry: str,
    alone: set[_Place | None],
    holders: set[_Place | None],
    places: dict[str, _Place | None],
) -> bool:
    if entry in _SYSTEM:
        return True
    real = _followed(entry) if os.path.isabs(entry) else None
    if real is None or real in _SYSTEM:
        return real is not None
    # What is not there yet may come to lie there.
    own, *above = _lineage(real)
    for each in (own, *above):
        if each not in places:
            places[each] = _place(each)
    place = places[own]
    if place is not None and place in alone | holders:
        return False
    return holders.isdisjoint({places[each] for each in above} - {None})


def _lineage(path: str) -> list[str]:
    """List a folder and all that hold it, from the inside out."""
    found = [path]
    while (above := os.path.dirname(found[-1])) != found[-1]:
        found.append(above)
    return found


def _holds(root: Path, home: Path) -> bool:
    return home.is_relative_to(os.path.realpath(root))


def _place(path: str) -> _Place | None:
    """Know a folder whatever it is called: by a link, in other letters, or mounted."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _followed(path: str) -> str | None:
    """Follow the links of a path, one by one; None where no fixed place is meant."""
    done, links = "/", 0
    left = path.split("/")[::-1]
    while left:
        part = left.pop()
        done = os.path.normpath(os.path.join(done, part))
        if done in _OF_A_PROCESS or links > _LINKS_AT_MOST:
            return None
        try:
            target = os.readlink(done) if part not in {"", ".", ".."} else ""
        except (OSError, ValueError):
            continue
        if target:
            links += 1
            done = os.path.dirname(done)
            left += target.split("/")[::-1]
            if target.startswith("/"):
                done = "/"
    return done
