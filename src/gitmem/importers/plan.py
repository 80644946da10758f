"""Decide what becomes of each find, given what is here already; pure but for reads."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

from gitmem.errors import GitmemError
from gitmem.files.names import shown
from gitmem.importers import refusals
from gitmem.importers.belief import believed
from gitmem.importers.compose import (
    compose,
    filled_up,
    says_the_same,
    within_contract,
)
from gitmem.importers.known import Known
from gitmem.importers.provenance import origin_of
from gitmem.importers.relinking import Places, relinked
from gitmem.importers.source import SHARED, Advice, Found, Item, Left, Line
from gitmem.importers.spelling import plain, unfit
from gitmem.memory.frontmatter.read import read as read_document
from gitmem.memory.layout import is_claim
from gitmem.memory.load import tags_of
from gitmem.memory.origins import Origin
from gitmem.memory.rules import Rules, accept, is_strict, size_limit
from gitmem.project.names import folded, layer_name
from gitmem.secrets import conceal, find
from gitmem.tape.record import read as read_line
from gitmem.tape.record import written

NOTES: Final = "notes"


class Action(StrEnum):
    """What becomes of an entry of the store."""

    CREATED = "created"
    MERGED = "merged"
    SKIPPED = "skipped"
    REFUSED = "refused"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Step:
    """What becomes of one entry: where, why, and what of its fields.

    `skipped` is here already; `refused` may not be written; `left` is no memory.
    """

    action: Action
    origin: str
    id: str = ""
    path: PurePosixPath | None = None
    reason: str = ""
    mapped: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """A step, and the bytes of its memory before (None: none) and after it."""

    step: Step
    before: bytes | None = None
    after: bytes | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    """Under which conditions there is imported.

    `layer` is where entries go that name none, all of them if `is_forced`; `shared` is
    the layer of all projects; `layers` are the names of those that there are.
    """

    kind: str
    store: str
    layer: str
    shared: str
    rules: Rules
    day: str
    layers: tuple[str, ...] = ()
    is_forced: bool = False


@dataclass(slots=True)
class Plan:
    """Goes through the entries of a store, and says of each what becomes of it.

    `made` is where they are then; `places` is that of an earlier pass, by which links
    between them lead to the same files. Without it every link stays as it is.
    """

    wish: Wish
    known: Known
    read: Callable[[PurePosixPath], bytes]
    places: Places | None = None
    made: Places = field(default_factory=Places)
    lines: list[tuple[str, Line]] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)
    _layers: dict[str, str] = field(default_factory=dict)

    def steps(self, items: Iterable[Item]) -> Iterator[Planned]:
        """Decide on each entry; what is for the tape, or for the person, is kept."""
        for item in items:
            match item:
                case Found():
                    planned = self._of(item)
                    self.made.add(_name(item), planned.step.path)
                    self.made.see(item.document or item.body.encode("utf-8", "replace"))
                    yield planned
                case Left(origin, why, is_refused):
                    action = Action.REFUSED if is_refused else Action.LEFT
                    yield Planned(Step(action, conceal(origin), reason=conceal(why)))
                case Line():
                    yield from self._line(item)
                case Advice(text):
                    self.advice.append(text)

    def _line(self, line: Line) -> Iterator[Planned]:
        """Keep a line for the tape; one with a credential would hold up all others."""
        data = written(line.record)
        step = Step(Action.REFUSED, line.origin, conceal(line.record.id))
        if self.wish.rules.secrets == "block" and find(data):
            yield Planned(_refused(step, "it seems to hold a credential"))
        elif read_line(data) is None:
            yield Planned(_refused(step, "it is too long for a line of the tape"))
        else:
            self.lines.append((self.layer(line.layer), line))

    def layer(self, hint: str) -> str:
        """Name the layer that an entry goes to."""
        if self.wish.is_forced or not hint:
            return self.wish.layer
        if hint == SHARED:
            return self.wish.shared
        if hint not in self._layers:
            name = layer_name(hint, reserved=(self.wish.shared,))
            same = (each for each in self.wish.layers if folded(each) == folded(name))
            self._layers[hint] = next(same, name)
        return self._layers[hint]

    def _of(self, found: Found) -> Planned:
        origin = origin_of(found, self.wish.kind, self.wish.store)
        step = Step(Action.CREATED, _name(found), found.id, mapped=found.mapped)
        layer = self.layer(found.layer)
        here = believed(found, origin, layer, self.known, self._text_at)
        if here.at:
            return Planned(_skipped(step, here.at, here.reason))
        step = replace(step, warnings=here.doubts)
        if _is_empty(found):
            return Planned(replace(step, action=Action.LEFT, reason="it is empty"))
        try:
            return self._made(found, origin, step)
        except GitmemError as error:
            return Planned(_refused(step, refusals.reason(found, error)))
        except UnicodeError:
            return Planned(_refused(step, "it has what UTF-8 cannot hold"))

    def _made(self, found: Found, origin: Origin, step: Step) -> Planned:
        wanted = self.known.spelled(
            PurePosixPath(self.layer(found.layer), plain(found.path))
        )
        composed = compose(found, origin, wanted, self.wish.day)
        step = replace(
            step,
            mapped=(*step.mapped, *composed.mapped),
            kept=composed.kept,
            warnings=(*step.warnings, *composed.warnings),
        )
        there = self.known.at(wanted)
        if there and self.known.is_old(there):
            before = self._text_at(there)
            if before is not None and says_the_same(before, composed.data):
                return self._merged(step, there, before, composed.data, origin)
        path = self._place(wanted, len(composed.data))
        data, said = self._relinked(composed.data, _name(found), path)
        moved = self._moved(found.path, wanted, path, there)
        step = replace(step, warnings=(*step.warnings, *moved, *said))
        tags = composed.tags
        if is_strict(path, self.wish.rules):
            layer_tags = self.known.tags(path.parts[0])
            data, tags, cut = within_contract(data, tags, layer_tags, self.wish.kind)
            step = replace(step, warnings=(*step.warnings, *cut))
        warned = self._accepted(path, data, is_new=True)
        self.known.add(path, tags, (origin,))
        step = replace(step, path=path, warnings=(*step.warnings, *warned))
        return Planned(step, None, data)

    def _relinked(
        self, data: bytes, name: str, path: PurePosixPath
    ) -> tuple[bytes, tuple[str, ...]]:
        if self.places is None:
            return data, ()
        return relinked(data, name, path, self.places, self.known.own)

    def _merged(
        self,
        step: Step,
        path: PurePosixPath,
        before: bytes,
        other: bytes,
        origin: Origin,
    ) -> Planned:
        after = filled_up(before, other)
        if is_strict(path, self.wish.rules):
            tags = tags_of(read_document(after).fields)
            layer_tags = self.known.tags(path.parts[0])
            after, _, _ = within_contract(after, tags, layer_tags, self.wish.kind)
        if after == before:
            reason = f"{shown(str(path))} says the same already"
            return Planned(_skipped(step, path, reason))
        warned = self._accepted(path, after, is_new=False)
        self.known.add_old(path, (), (origin,))
        reason = f"{shown(str(path))} says the same, and gets what it lacked"
        step = replace(
            step,
            action=Action.MERGED,
            path=path,
            reason=reason,
            warnings=(*step.warnings, *warned),
        )
        return Planned(step, before, after)

    def _accepted(
        self, path: PurePosixPath, data: bytes, *, is_new: bool
    ) -> tuple[str, ...]:
        rules = self.wish.rules
        tags = self.known.tags(path.parts[0]) if is_strict(path, rules) else ()
        return accept(path, data, rules, is_new=is_new, layer_tags=tags)

    def _place(self, wanted: PurePosixPath, size: int) -> PurePosixPath:
        """Find a place that is free, and that takes so much."""
        most = self.wish.rules.max_file_bytes
        path = wanted
        if is_claim(wanted) or size_limit(wanted, most) < size <= most:
            layer, *_, name = wanted.parts
            path = PurePosixPath(layer, NOTES, name)
        return self.known.free(path) if self.known.at(path) else path

    def _moved(
        self,
        named: PurePosixPath,
        wanted: PurePosixPath,
        path: PurePosixPath,
        there: PurePosixPath | None,
    ) -> Iterator[str]:
        """Say why an entry is not called here as it is called there."""
        name = shown(str(path))
        if reason := unfit(named):
            yield f"{shown(str(named))}: {reason}, so this becomes {name}"
        if path == wanted:
            return
        if there:
            yield f"{shown(str(there))} is there already, so this becomes {name}"
        elif is_claim(wanted):
            yield f"{wanted.name} says whose a layer is, so this becomes {name}"
        else:
            limit = size_limit(wanted, self.wish.rules.max_file_bytes)
            yield f"{wanted.name} holds {limit:,} bytes at most, so this becomes {name}"

    def _text_at(self, path: PurePosixPath) -> bytes | None:
        try:
            return self.read(path)
        except (GitmemError, OSError):
            return None


def _name(found: Found) -> str:
    """Name an entry by its file, and by its store where a folder holds several."""
    return f"{found.store}/{found.origin}" if found.store else found.origin


def _is_empty(found: Found) -> bool:
    texts: Mapping[str, str] = {"body": found.body, "description": found.description}
    return not any(text.strip() for text in texts.values()) and not (
        found.document or b""
    ).strip(b"\xef\xbb\xbf \t\r\n")


def _skipped(step: Step, path: PurePosixPath, reason: str) -> Step:
    return replace(step, action=Action.SKIPPED, path=path, reason=reason)


def _refused(step: Step, reason: str) -> Step:
    origin = conceal(step.origin)
    return replace(step, action=Action.REFUSED, origin=origin, reason=reason)
