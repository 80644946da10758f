"""Decide what comes of a plan, given the memories that there are; pure.

Merges first, then renames, each in the plan's order. What cannot be done is left out
and said; the rest is done.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import GitmemError
from gitmem.files.names import shown
from gitmem.memory import combining, renaming, rules, tags
from gitmem.memory.combining import Part, Wanted
from gitmem.memory.conflicts import is_copy
from gitmem.memory.frontmatter.read import read
from gitmem.memory.hashes import hash_of
from gitmem.memory.layout import is_claim, is_packet
from gitmem.memory.load import tags_of
from gitmem.memory.plans import Merge, Plan
from gitmem.memory.renaming import Ground, Renamed
from gitmem.project.names import folded

# Of the memories of a layer, no more than one in so many goes without being asked.
ONE_IN: Final = 5


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A memory that changes; `after` is None for one that goes into another."""

    path: PurePosixPath
    before: bytes
    after: bytes | None


@dataclass(frozen=True, slots=True)
class Merged:
    """A memory, and those that went into it."""

    kept: PurePosixPath
    dropped: tuple[PurePosixPath, ...]


@dataclass(frozen=True, slots=True)
class Removal:
    """How many memories of a layer go, of how many."""

    layer: str
    removed: int
    total: int

    @property
    def is_large(self) -> bool:
        """Say whether somebody has to be asked."""
        return self.removed * ONE_IN > self.total


@dataclass(frozen=True, slots=True)
class Tidied:
    """What comes of a plan; `said` is what was left out of it, and what to know."""

    changes: tuple[Rewritten, ...]
    merged: tuple[Merged, ...]
    renamed: tuple[Renamed, ...]
    removals: tuple[Removal, ...]
    said: tuple[str, ...]


def tidy(plan: Plan, ground: Ground) -> Tidied:
    """Work out what a plan comes to; the same plan and memories give the same bytes."""
    work = _Work(plan, ground)
    for merge in plan.merges:
        work.merge(merge)
    done = renaming.renamed(plan.renames, work.now, work.given, ground)
    changes = tuple(
        Rewritten(path, data, done.pages.get(path))
        for path, data in sorted(ground.pages.items())
        if done.pages.get(path) != data
    )
    merged: dict[PurePosixPath, list[PurePosixPath]] = {}
    for path in work.into:
        merged.setdefault(work.root(path), []).append(path)
    return Tidied(
        changes,
        tuple(Merged(kept, tuple(parts)) for kept, parts in merged.items()),
        done.renamed,
        _removals(ground, work.into),
        (*work.said, *done.said),
    )


def _removals(
    ground: Ground, gone: Mapping[PurePosixPath, PurePosixPath]
) -> tuple[Removal, ...]:
    layers = sorted({path.parts[0] for path in gone})
    return tuple(
        Removal(
            layer,
            sum(path.parts[0] == layer for path in gone),
            sum(path.parts[0] == layer for path in ground.pages),
        )
        for layer in layers
    )


@dataclass
class _Work:
    """The memories as they are while the merges are done, one after another."""

    plan: Plan
    ground: Ground
    now: dict[PurePosixPath, bytes] = field(init=False)
    given: dict[PurePosixPath, tuple[str, ...]] = field(init=False)
    into: dict[PurePosixPath, PurePosixPath] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.now = dict(self.ground.pages)
        self.given = {path: _tags(data) for path, data in self.now.items()}
        self._carried: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for carrier, written in self.given.items():
            if not is_packet(carrier):
                self._carried[carrier.parts[0]].update(written)
        self._known = {folded(str(path)): path for path in sorted(self.now)}
        self._hashes: dict[PurePosixPath, str] = {}
        self._has_lost_hash = False
        for name, hash_ in self.plan.hashes.items():
            self._guard(name, hash_)

    def root(self, path: PurePosixPath) -> PurePosixPath:
        """Follow a memory to the one in which it is now."""
        while path in self.into:
            path = self.into[path]
        return path

    def merge(self, wish: Merge) -> None:
        """Do one merge, or say why not."""
        named = self._find(wish.keep)
        if named is None:
            return self._say(f"no memory {shown(wish.keep)}: nothing goes into it")
        kept = self.root(named)
        if reason := self._unfit(kept):
            return self._say(f"{_name(kept)} keeps as it is: {reason}")
        if kept != named:
            self._say(f"{_name(named)} is in {_name(kept)} now: more goes there too")
            wish = replace(wish, text=None, description=None, tags=None)
        dropped = [path for name in wish.drop if (path := self._dropped(name, kept))]
        dropped = list(dict.fromkeys(dropped))
        if not dropped:
            nothing = f"the plan names nothing to go into {_name(kept)}"
            return None if wish.drop else self._say(nothing)
        parts = [Part(path, self.now[path]) for path in dropped]
        try:
            self._combine(kept, parts, wish)
        except GitmemError as error:
            return self._say(f"nothing goes into {_name(kept)}: {error.message}")
        except UnicodeError:
            return self._say(f"nothing goes into {_name(kept)}: its text is no Unicode")
        return None

    def _combine(self, kept: PurePosixPath, parts: Sequence[Part], wish: Merge) -> None:
        gone = {part.path for part in parts}
        beside = self._beside(kept, gone) if self._is_strict(kept) else ()
        chosen = self._tags(kept, parts, wish, beside)
        wanted = Wanted(wish.text, wish.description, chosen)
        data, notes = combining.combined(self.now[kept], parts, wanted, self.ground.day)
        rules.accept(kept, data, self.ground.rules, is_new=False, layer_tags=beside)
        for note in notes:
            self._say(f"{_name(kept)}: {note}")
        self._take(kept, data)
        for path in gone:
            self._take(path, None)
        self.into |= {part.path: kept for part in parts}

    def _tags(
        self,
        kept: PurePosixPath,
        parts: Sequence[Part],
        wish: Merge,
        beside: Sequence[str],
    ) -> tuple[str, ...]:
        """Choose the tags that the plan names, or else those of all the parts."""
        is_strict = self._is_strict(kept)
        check = tags.check_strict if is_strict else tags.check_free
        if wish.tags is not None:
            named = tags.unique(tag.strip().removeprefix("#") for tag in wish.tags)
            complaints = check(named, beside) if named else ("it names none",)
            if not complaints:
                return named
            why = "; ".join(complaints)
            self._say(f"{_name(kept)}: the plan's tags are not used: {why}")
        all_of = [kept, *(part.path for part in parts)]
        joined = tags.unique(tag for path in all_of for tag in self.given[path])
        fitting = joined[: tags.TAGS_PER_MEMORY] if is_strict else joined
        if left := joined[len(fitting) :]:
            names = ", ".join(map(shown, left))
            self._say(f"{_name(kept)}: has no room for the tags {names}")
        return fitting

    def _is_strict(self, path: PurePosixPath) -> bool:
        return rules.is_strict(path, self.ground.rules)

    def _beside(self, kept: PurePosixPath, gone: set[PurePosixPath]) -> tuple[str, ...]:
        """Give the tags of a layer's other memories, each spelling once."""
        own = Counter(tag for path in {kept, *gone} for tag in self.given[path])
        return tuple(sorted(self._carried[kept.parts[0]] - own))

    def _take(self, path: PurePosixPath, data: bytes | None) -> None:
        """Let a memory hold something else, or be gone."""
        carried = self._carried[path.parts[0]]
        carried -= Counter(self.given.pop(path))
        del self.now[path]
        if data is not None:
            self.now[path], self.given[path] = data, _tags(data)
            carried += Counter(self.given[path])

    def _dropped(self, name: str, kept: PurePosixPath) -> PurePosixPath | None:
        """Find a memory that may go into another one, or say why there is none."""
        path = self._find(name)
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
        return self._unfit(path)

    def _guard(self, name: str, hash_: str) -> None:
        """Note the hash of a memory, or say that there is none of that name."""
        if path := self._find(name):
            self._hashes[path] = hash_
        else:
            self._has_lost_hash = True
            self._say(f"no memory {shown(name)}: its hash guards nothing")

    def _is_stale(self, path: PurePosixPath) -> bool:
        wanted = self._hashes.get(path)
        if wanted is None:
            return False
        return not hash_of(self.ground.pages[path]).startswith(wanted or "-")

    def _unfit(self, path: PurePosixPath) -> str:
        """Say why a memory is no part of any merge."""
        if is_claim(path) or is_packet(path) or is_copy(path):
            return "it is no memory to be merged"
        if self._is_stale(path):
            return "it changed since the plan was made"
        if self._has_lost_hash and path not in self._hashes:
            return "the plan has no hash of it, and one of no memory"
        return self.ground.held.get(path) or renaming.unreadable(self.now[path])

    def _find(self, name: str) -> PurePosixPath | None:
        plain = name.removeprefix("./")
        for text in (plain, f"{self.ground.project}/{plain}"):
            path = PurePosixPath(text)
            if path in self.ground.pages:
                return path
            if twin := self._known.get(folded(text)):
                return twin
        return None

    def _say(self, what: str) -> None:
        self.said.append(what)


def _tags(data: bytes) -> tuple[str, ...]:
    return tags_of(read(data).fields)


def _name(path: PurePosixPath) -> str:
    return shown(str(path))
