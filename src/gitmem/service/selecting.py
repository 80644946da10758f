"""Choose the files that a session is told of by what was worked on."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.attention import activity, bm25, ignored
from gitmem.attention.focus import focus
from gitmem.catalog.visible import visible
from gitmem.delivery.view import Entry, Selected, View
from gitmem.errors import GitmemError
from gitmem.files.names import is_of_git
from gitmem.hosts.transcript import last_turns
from gitmem.hosts.work import Access, Read, accesses
from gitmem.memory.layout import CORE
from gitmem.service import working
from gitmem.service.reachable import Reachable

if TYPE_CHECKING:
    from gitmem.service.rooms import Rooms
    from gitmem.settings.model import TapeContext

# So many times more are compared by words than are told of.
COMPARED: Final = 3
HIGH: Final = 3
WALKED_AT_MOST: Final = 500


def choose(rooms: "Rooms", view: View, prompt: str = "") -> Selected | None:
    """Choose files for a start; None where there is no tape.

    Where no prompt is known yet, what was asked last stands for it. Memories that
    nobody worked on fill what room is left.
    """
    settings = rooms.loaded.settings.tape
    if not settings.enabled:
        return None
    tape = rooms.tape()
    if not tape.is_open:
        return None
    known = Reachable(rooms, view)
    worked = _Ranked((), {})
    if settings.context.strategy == "smart":
        worked = _ranked(rooms, settings.context, known, prompt)
    limit = settings.context.file_limit
    listed = _listed(settings.context.whitelist, known)
    others = _by_age(known, settings.context)
    best = frozenset((worked.paths or others)[:HIGH])
    wanted = dict.fromkeys((*listed, *worked.paths, *others))
    paths = list(wanted)[: max(limit, len(listed))]
    chosen = [known.chosen(path, best, worked.focus.get(path, ())) for path in paths]
    return Selected(
        memories=tuple(each for each in chosen if each.entry is not None),
        files=tuple(each for each in chosen if each.entry is None),
        directory=str(known.project),
        is_manual=settings.anchor.mode == "manual",
    )


@dataclass(frozen=True, slots=True)
class _Ranked:
    """Files by what was done with them, the best first, and where in them."""

    paths: tuple[str, ...]
    focus: Mapping[str, tuple[str, ...]]


def _ranked(
    rooms: "Rooms", context: "TapeContext", known: Reachable, prompt: str
) -> _Ranked:
    reads = working.reads(rooms, context.memory_scan[1])
    now = rooms.now().timestamp()
    window = activity.window(_placed(reads, known), now, context.memory_scan)
    since = now - window.hours * 3600
    anchors = [each for each in rooms.tape().recent() if each.at.timestamp() >= since]
    marks = activity.marks(anchors, reads.values())
    ranked = [each.path for each in activity.weigh(window.accesses, marks, now)]
    able = _able(ranked, context, known)[: context.file_limit * COMPARED]
    asked = prompt if prompt.strip() else _asked(reads.values())
    query = " ".join((asked, activity.words(anchors)))
    paths = _by_words(query, able, known)
    return _Ranked(tuple(paths), _focus(paths, window.accesses))


def _placed(reads: Mapping[str, Read], known: Reachable) -> tuple[Access, ...]:
    """Name the files of now that were accessed, and leave out what is none."""
    # There are thousands: `replace` would take most of the time of a start.
    return tuple(
        Access(each.at, place, each.kind, each.session, each.ordinal, each.lines)
        for each in accesses(reads)
        if (place := known.place(each))
    )


def _able(ranked: Sequence[str], context: "TapeContext", known: Reachable) -> list[str]:
    """Leave out what is listed as unwanted, and what ignore rules hide."""
    bases = (str(known.memory), str(known.project))
    unwanted = ignored.places(context.blacklist, bases, known.home)
    able = [each for each in ranked if not ignored.is_listed(each, unwanted)]
    files = {
        each: PurePosixPath(os.path.relpath(each, known.project))
        for each in able
        if each not in known.entries
    }
    seen = frozenset(files.values())
    with suppress(GitmemError, OSError):
        seen = visible(known.project, seen)
    return [
        each
        for each in able
        if each not in files
        or (files[each] in seen and not ignored.is_ignored(files[each]))
    ]


def _by_words(query: str, paths: Sequence[str], known: Reachable) -> list[str]:
    """Let what was said last, and what anchors say, come before what was only done."""
    if not query.strip():
        return list(paths)
    found = bm25.scores(query, [known.text(each) for each in paths])
    order = sorted(range(len(paths)), key=lambda index: -found[index])
    return [paths[index] for index in order]


def _asked(reads: Iterable[Read]) -> str:
    """Give what the person said last in the project."""
    owned = ((each.last, each.owner) for each in reads if each.owner is not None)
    whole = [(last, owner) for last, owner in owned if not owner.is_part]
    if not whole:
        return ""
    _, newest = max(whole, key=lambda each: each[0])
    turns = last_turns(newest.host, newest.path)
    return turns[-2] if len(turns) > 1 else "".join(turns)


def _focus(
    paths: Sequence[str], several: Iterable[Access]
) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[Access]] = {path: [] for path in paths}
    for each in several:
        if each.path in found:
            found[each.path].append(each)
    return {
        path: tuple(f"{each.kind} {each.first}-{each.last}" for each in focus(accessed))
        for path, accessed in found.items()
    }


def _by_age(known: Reachable, context: "TapeContext") -> tuple[str, ...]:
    """List memories as far as the person wants them, those of `core/` first."""
    bases = (str(known.memory), str(known.project))
    unwanted = ignored.places(context.blacklist, bases, known.home)
    able = (each for each in known.entries if not ignored.is_listed(each, unwanted))
    return tuple(sorted(able, key=lambda each: _order(known.entries[each])))


def _order(entry: Entry) -> tuple[bool, bool, float, str]:
    newest = entry.changed_at.timestamp() if entry.changed_at else float("-inf")
    _, *below = entry.path.parts
    return (not entry.is_pinned, below[:1] != [CORE], -newest, str(entry.path))


def _listed(names: Iterable[str], known: Reachable) -> tuple[str, ...]:
    """Find what is always told of: files, and all that is in folders."""
    bases = (str(known.memory), str(known.project))
    places = ignored.places(names, bases, known.home)
    found = (file for place in places for file in _below(place))
    root = os.path.realpath(known.project)
    return tuple(
        dict.fromkeys(
            file
            for file in found
            if file in known.entries
            or (
                PurePosixPath(file).is_relative_to(known.project)
                and not PurePosixPath(file).is_relative_to(known.memory)
                and not is_of_git(os.path.relpath(os.path.realpath(file), root))
            )
        )
    )


def _below(place: str) -> Iterator[str]:
    if os.path.isfile(place):
        yield os.path.normpath(place)
        return
    left = WALKED_AT_MOST
    for folder, names, files in os.walk(place):
        names[:] = sorted(name for name in names if name[0] != ".")
        for name in sorted(files)[:left]:
            left -= 1
            yield os.path.normpath(os.path.join(folder, name))
        if left <= 0:
            return
