"""Do the merges of a plan, one after another, at the cost of what they move; pure.

Merges that say nothing of their own are gathered, so that a memory into which many go,
or a chain of them, is put together once.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import GitmemError, InvalidMemory
from gitmem.files.names import shown
from gitmem.memory import combining, rules, tags
from gitmem.memory.candidates import Candidates
from gitmem.memory.combining import Part, Wanted
from gitmem.memory.frontmatter.read import read
from gitmem.memory.layout import is_packet
from gitmem.memory.load import tags_of
from gitmem.memory.plans import Merge, Plan
from gitmem.memory.renaming import Ground
from gitmem.memory.tags import LayerTags

_PLAIN: Final = Merge("", ())
_NAMED_AT_MOST: Final = 20


@dataclass(frozen=True, slots=True)
class _Whole:
    """A memory with what went into it."""

    kept: PurePosixPath
    dropped: tuple[PurePosixPath, ...]
    data: bytes


class Merging:
    """The memories as they are while the merges are done.

    `now` is what they hold, `given` their tags as they are written, `into` where each
    of those went that are gone, and `said` what was left out.
    """

    def __init__(self, plan: Plan, ground: Ground) -> None:
        """Begin with the memories that there are."""
        self._ground = ground
        self._candidates = Candidates(ground, plan.hashes)
        self.now = dict(ground.pages)
        self.given = {path: _tags(data) for path, data in self.now.items()}
        self.into: dict[PurePosixPath, PurePosixPath] = {}
        self.said = list(self._candidates.said)
        self._before: list[tuple[PurePosixPath, PurePosixPath | None]] = []
        self._carried: defaultdict[str, LayerTags] = defaultdict(LayerTags)
        for path in sorted(self.given):
            if not is_packet(path):
                self._carried[path.parts[0]].add(self.given[path])

    def run(self, merges: Sequence[Merge]) -> None:
        """Do what can be done, in order, and say why the rest cannot."""
        for is_plain, some in groupby(merges, key=lambda each: each.is_plain):
            for each in [tuple(some)] if is_plain else [(one,) for one in some]:
                self._do(each)

    def root(self, path: PurePosixPath) -> PurePosixPath:
        """Follow a memory to the one in which it is now."""
        passed = []
        while path in self.into:
            passed.append(path)
            path = self.into[path]
        for each in passed[:-1]:
            self._lead(each, path)
        return path

    def _do(self, merges: Sequence[Merge]) -> None:
        """Do merges in one go, or in two where there is one that cannot be done."""
        self._before.clear()
        said = len(self.said)
        own = _PLAIN if len(merges) > 1 else self._own(merges[0])
        try:
            done = [
                self._whole(kept, dropped, own)
                for kept, dropped in self._gathered(merges).items()
            ]
        except GitmemError as error:
            self._take_back()
            if len(merges) > 1:
                del self.said[said:]
                half = len(merges) // 2
                self._do(merges[:half])
                self._do(merges[half:])
            else:
                self._say(error.message)
            return
        for each in done:
            self._take(each)

    def _own(self, wish: Merge) -> Merge:
        """Say what a merge has of its own: nothing where its memory went on."""
        named = self._candidates.find(wish.keep)
        return _PLAIN if named in self.into else wish

    def _gathered(
        self, merges: Sequence[Merge]
    ) -> Mapping[PurePosixPath, tuple[PurePosixPath, ...]]:
        """Decide what goes where, and give for each memory all that end in it."""
        parts: dict[PurePosixPath, list[PurePosixPath]] = {}
        for wish in merges:
            kept = self._kept(wish)
            dropped = [] if kept is None else self._all_dropped(wish, kept)
            if kept is not None and dropped:
                parts.setdefault(kept, []).extend(dropped)
                for path in dropped:
                    self._lead(path, kept)
        ends = [path for path in parts if path not in self.into]
        return {path: tuple(_below(path, parts)) for path in ends}

    def _kept(self, wish: Merge) -> PurePosixPath | None:
        """Find the memory that others go into, or say why nothing does."""
        named = self._candidates.find(wish.keep)
        if named is None:
            self._say(f"no memory {shown(wish.keep)}: nothing goes into it")
            return None
        kept = self.root(named)
        if reason := self._candidates.unfit(kept):
            self._say(f"{_name(kept)} keeps as it is: {reason}")
            return None
        if kept != named:
            self._say(f"{_name(named)} is in {_name(kept)} now: more goes there too")
        if not wish.drop:
            self._say(f"the plan names nothing to go into {_name(kept)}")
        return kept

    def _all_dropped(self, wish: Merge, kept: PurePosixPath) -> list[PurePosixPath]:
        found = [path for name in wish.drop if (path := self._dropped(name, kept))]
        return list(dict.fromkeys(found))

    def _dropped(self, name: str, kept: PurePosixPath) -> PurePosixPath | None:
        """Find a memory that may go into another one, or say why there is none."""
        path = self._candidates.find(name)
        reason = "there is no such memory"
        if path is not None:
            reason = self._standing(path, kept)
        if reason:
            self._say(f"{shown(name)} does not go into {_name(kept)}: {reason}")
        return None if reason else path

    def _standing(self, path: PurePosixPath, kept: PurePosixPath) -> str:
        if path == kept:
            return "it is that memory, or holds it by now"
        if path in self.into:
            return f"it went into {_name(self.root(path))} already"
        if path.parts[0] != kept.parts[0]:
            return "it lies in another layer"
        return self._candidates.unfit(path)

    def _whole(
        self, kept: PurePosixPath, dropped: tuple[PurePosixPath, ...], own: Merge
    ) -> _Whole:
        """Put a memory together; raises GitmemError, which says why it cannot be."""
        parts = [Part(path, self.now[path]) for path in dropped]
        description = self._description(kept, own)
        wanted = Wanted(own.text, description, self._tags(kept, dropped, own))
        try:
            data, notes = combining.combined(
                self.now[kept], parts, wanted, self._ground.day
            )
            rules.accept(kept, data, self._ground.rules, is_new=False)
        except UnicodeError as error:
            why = f"nothing goes into {_name(kept)}: its text is no Unicode"
            raise InvalidMemory(why) from error
        except GitmemError as error:
            why = f"nothing goes into {_name(kept)}: {error.message}"
            raise InvalidMemory(why) from error
        for note in notes:
            self._say(f"{_name(kept)}: {note}")
        return _Whole(kept, dropped, data)

    def _description(self, kept: PurePosixPath, own: Merge) -> str | None:
        if own.description is None or own.description.strip():
            return own.description
        self._say(f"{_name(kept)}: the plan's description is empty, and not used")
        return None

    def _tags(
        self, kept: PurePosixPath, dropped: tuple[PurePosixPath, ...], own: Merge
    ) -> tuple[str, ...]:
        """Choose the tags that the plan names, or else those of all the parts."""
        carried = [tag for path in (kept, *dropped) for tag in self.given[path]]
        if own.tags is not None:
            named = tags.unique(tag.strip().removeprefix("#") for tag in own.tags)
            complaints = self._complaints(named, carried, kept.parts[0])
            if not complaints:
                return named
            why = "; ".join(complaints)
            self._say(f"{_name(kept)}: the plan's tags are not used: {why}")
        joined = tags.unique(carried)
        fitting = joined[: tags.TAGS_PER_MEMORY] if self._is_strict else joined
        if left := joined[len(fitting) :]:
            names = ", ".join(map(shown, left[:_NAMED_AT_MOST]))
            more = len(left) - _NAMED_AT_MOST
            names += f" and {more} more" if more > 0 else ""
            self._say(f"{_name(kept)}: has no room for the tags {names}")
        return fitting

    @property
    def _is_strict(self) -> bool:
        return self._ground.rules.tag_contract == "strict"

    def _complaints(
        self, named: Sequence[str], carried: Sequence[str], layer: str
    ) -> tuple[str, ...]:
        """Hold tags against the contract, and against what the rest of a layer has."""
        there = self._carried[layer]
        if not named:
            return ("it names none",)
        if not self._is_strict:
            return tags.check_free(named)
        there.remove(carried)
        complaints = tags.check_strict(named, there, carried)
        there.add(carried)
        return complaints

    def _take(self, whole: _Whole) -> None:
        """Let a memory hold others, which are gone."""
        there = self._carried[whole.kept.parts[0]]
        for path in (whole.kept, *whole.dropped):
            there.remove(self.given.pop(path))
            del self.now[path]
        self.now[whole.kept] = whole.data
        self.given[whole.kept] = _tags(whole.data)
        there.add(self.given[whole.kept])

    def _lead(self, path: PurePosixPath, to: PurePosixPath) -> None:
        self._before.append((path, self.into.get(path)))
        self.into[path] = to

    def _take_back(self) -> None:
        """Let nothing have gone anywhere since the last merges were begun."""
        while self._before:
            path, to = self._before.pop()
            if to is None:
                del self.into[path]
            else:
                self.into[path] = to

    def _say(self, what: str) -> None:
        self.said.append(what)


def _below(
    kept: PurePosixPath, parts: Mapping[PurePosixPath, Sequence[PurePosixPath]]
) -> Iterator[PurePosixPath]:
    """Give all that goes into a memory: each before what went into that."""
    ahead = list(reversed(parts[kept]))
    while ahead:
        path = ahead.pop()
        yield path
        ahead += reversed(parts.get(path, ()))


def _tags(data: bytes) -> tuple[str, ...]:
    return tags_of(read(data).fields)


def _name(path: PurePosixPath) -> str:
    return shown(str(path))
