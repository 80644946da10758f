"""Take over what lies in a foreign store: a plan first, then one commit."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.errors import GitmemError, UsageError
from gitmem.files.names import shown

if TYPE_CHECKING:
    from gitmem.importers.foreign import Foreign
    from gitmem.importers.plan import Plan, Step
    from gitmem.importers.relinking import Places
    from gitmem.importers.source import Line, Source
    from gitmem.service.rooms import Rooms
    from gitmem.sync.pending import Swap
    from gitmem.sync.report import Report
    from gitmem.sync.together import Edit
    from gitmem.tape.journal import Grown

_WRITTEN: Final = ("created", "merged")
# The layer of all projects, where the settings name none.
_UNNAMED: Final = "global"


@dataclass(frozen=True, slots=True)
class Imported:
    """What becomes, or became, of each entry of a store.

    `layers` are those that get something, `new_layers` the ones among them that there
    were not. `mapped` and `kept` count the fields by what is done with them, `anchors`
    the lines that are new to the tape. `report` is None for a plan, and where nothing
    was to do.
    """

    kind: str
    about: str
    is_recognised: bool
    store: Path
    layers: tuple[str, ...]
    new_layers: tuple[str, ...]
    steps: "tuple[Step, ...]"
    counts: Mapping[str, int]
    mapped: Mapping[str, int]
    kept: Mapping[str, int]
    anchors: int = 0
    known_anchors: int = 0
    advice: tuple[str, ...] = ()
    report: "Report | None" = None

    @property
    def has_work(self) -> bool:
        """Say whether anything would be written."""
        return self.anchors > 0 or any(self.counts.get(each) for each in _WRITTEN)


@dataclass(slots=True)
class _Errand:
    """One import: what is read, where it goes, and what came of it so far."""

    rooms: "Rooms"
    source: "Source"
    store: "Foreign"
    kind: str
    is_recognised: bool
    layer: str
    is_forced: bool
    expected: int = 0
    steps: "list[Step]" = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    before: frozenset[str] | None = None
    anchors: int = 0
    known_anchors: int = 0
    advice: tuple[str, ...] = ()
    _merged: "dict[PurePosixPath, Edit]" = field(default_factory=dict)

    def look(self, *, is_brief: bool = False) -> bool:
        """Decide on each entry, write nothing, and say whether anything would be.

        `is_brief` ends as soon as that is known.
        """
        plan, has_work = self._begun(), False
        for planned in plan.steps(self.source.read(self.store)):
            self._note(planned.step)
            has_work = has_work or planned.after is not None
            if has_work and is_brief:
                return True
        if plan.made.has_links:
            plan = self._begun(plan.made)
            self.steps = [it.step for it in plan.steps(self.source.read(self.store))]
        for _ in self._tally(plan):
            pass
        self._end()
        return has_work or self.anchors > 0

    def edits(self) -> "Iterator[Edit]":
        """Decide on each entry, and give what it comes to; may be done twice."""
        from gitmem.sync.together import Edit

        plan = self._begun(self._places())
        for planned in plan.steps(self.source.read(self.store)):
            self._note(planned.step, self.expected)
            path, after = planned.step.path, planned.after
            if path is not None and after is not None and planned.before is None:
                yield Edit(path, None, after)
            elif path is not None and after is not None:
                first = self._merged.get(path)
                before = first.before if first else planned.before
                self._merged[path] = Edit(path, before, after)
        yield from self._merged.values()
        for it in self._tally(plan):
            yield Edit(it.path, it.before, it.after)
        if any(_is_in(each, self.rooms.access().project.name) for each in self.steps):
            claim = self.rooms.store().claimed()
            if claim:
                yield Edit(claim.path, claim.before, claim.after)
        self._end()

    def refuse(self, edit: "Edit | Swap", error: GitmemError) -> None:
        """Take note that an entry cannot become a memory."""
        from gitmem.importers.plan import Action

        steps = [
            replace(it, action=Action.REFUSED, reason=error.message)
            if it.path == edit.path and it.action in _WRITTEN
            else it
            for it in self.steps
        ]
        if steps == self.steps:
            raise error
        self.steps = steps

    def answer(self, report: "Report | None" = None) -> Imported:
        """Say what came of it."""
        done = [each for each in self.steps if each.action in _WRITTEN]
        paths = [each.path for each in done if each.path]
        layers = sorted(self.told.union(path.parts[0] for path in paths))
        return Imported(
            self.kind,
            self.source.ABOUT,
            self.is_recognised,
            self.store.root / (self.store.only or ""),
            tuple(layers),
            tuple(each for each in layers if each not in (self.before or ())),
            tuple(self.steps),
            Counter(each.action.value for each in self.steps),
            Counter(name for each in done for name in each.mapped),
            Counter(name for each in done for name in each.kept),
            self.anchors,
            self.known_anchors,
            self.advice,
            report,
        )

    def _places(self) -> "Places":
        """Find out where each entry will be, before any link to it is written."""
        plan = self._begun()
        for _ in plan.steps(self.source.read(self.store)):
            pass
        return plan.made

    def _begun(self, places: "Places | None" = None) -> "Plan":
        from gitmem.importers.known import look
        from gitmem.importers.plan import Plan, Wish
        from gitmem.memory.claims import layers

        rooms, tree = self.rooms, self.rooms.tree()
        rules = rooms.rules()
        shared = rooms.loaded.settings.memory_dir.global_memory
        known_layers = layers(tree, shared_name=shared)
        wish = Wish(
            self.kind,
            self.store.name,
            self.layer,
            _shared(rooms),
            rules,
            rooms.now().date().isoformat(),
            tuple(each.name for each in known_layers),
            self.is_forced,
        )
        self.steps.clear()
        self._merged.clear()
        if self.before is None:
            # Nothing is new any more where it is written for the second time.
            own = rooms.access().project.name
            self.before = frozenset({own, *(each.name for each in known_layers)})
        known = look(tree, with_tags=rules.tag_contract == "strict")
        return Plan(wish, known, self._read, places)

    def _read(self, path: PurePosixPath) -> bytes:
        """Read a memory as it will be then."""
        merged = self._merged.get(path)
        return merged.after or b"" if merged else self.rooms.tree().read(path)

    def _note(self, step: "Step", total: int = 0) -> None:
        self.steps.append(step)
        if self.rooms.watch.importing:
            self.rooms.watch.importing(len(self.steps), total)

    def _end(self) -> None:
        """Let whoever watches know that all is done."""
        if self.rooms.watch.importing:
            self.rooms.watch.importing(len(self.steps), len(self.steps))

    def _unheard(self) -> Iterator[str]:
        """Say that nobody is told of a shared layer that the settings do not name."""
        if self.rooms.loaded.settings.memory_dir.global_memory:
            return
        if any(_is_in(each, _UNNAMED) for each in self.steps):
            yield (
                f"no session is told of the layer {_UNNAMED} before you say "
                f"`gitmem init --shared {_UNNAMED}`"
            )

    def _tally(self, plan: "Plan") -> "Iterator[Grown]":
        """Count the lines that are new to the tape, and say what takes them in."""
        self.advice = tuple(dict.fromkeys([*plan.advice, *self._unheard()]))
        self.anchors = self.known_anchors = 0
        for layer, lines in _by_layer(plan.lines):
            journal = self.rooms.journal(layer)
            records = [each.record for each in lines]
            new = journal.unknown(records)
            self.anchors += len(new)
            self.known_anchors += len(records) - len(new)
            yield from journal.adopted(new)


class ImportVerbs:
    """What may be done with a foreign store: look what would come of it, and do it."""

    def __init__(self, rooms: "Rooms") -> None:
        """Remember the rooms; none is opened yet."""
        self.rooms = rooms

    def plan(
        self, path: Path, kind: str | None = None, layer: str | None = None
    ) -> Imported:
        """Say what an import would do, and write nothing."""
        errand = self._errand(path, kind, layer)
        errand.look()
        return errand.answer()

    def carry_out(
        self,
        path: Path,
        kind: str | None = None,
        layer: str | None = None,
        *,
        expected: int = 0,
    ) -> Imported:
        """Import a store as one commit; nothing is done where there is nothing new.

        `expected` is how many entries a plan found, for whoever watches.
        """
        from gitmem.service import shelf

        errand = self._errand(path, kind, layer)
        if not errand.look(is_brief=True):
            return errand.answer()
        errand.expected = expected
        subject = f"memory(*): import from {errand.kind}: {errand.store.name}"
        report = self.rooms.engine().compose(subject, errand.edits, errand.refuse)
        with shelf.fresh(self.rooms):
            return errand.answer(report)

    def _errand(self, path: Path, kind: str | None, layer: str | None) -> _Errand:
        from gitmem.importers import registry
        from gitmem.importers.foreign import Foreign

        limit = self.rooms.rules().max_file_bytes
        where = self.rooms.transcripts().where
        store = Foreign(path, file_limit_bytes=limit, where=where)
        _require_foreign(self.rooms, store)
        name = kind or registry.recognised(store)
        return _Errand(
            self.rooms,
            registry.source(name),
            store,
            name,
            kind is None,
            _layer(self.rooms, layer),
            layer is not None,
        )


def _require_foreign(rooms: "Rooms", store: "Foreign") -> None:
    own = rooms.root.resolve()
    if store.root == own or own in store.root.parents:
        raise UsageError(
            f"{store.root} is the memory repository itself.",
            "What lies there is a memory already; `gitmem list` shows it.",
        )
    if store.only is None and store.root in own.parents:
        raise UsageError(
            f"The memory repository lies in {store.root}, and would be copied too.",
            "Name a folder in there that it does not lie in.",
        )


def _layer(rooms: "Rooms", wanted: str | None) -> str:
    """Name the one layer that is meant; it need not be there yet."""
    from gitmem.memory.claims import layers
    from gitmem.project.names import folded, layer_name
    from gitmem.service import naming

    project, shared = rooms.access().project.name, _shared(rooms)
    if wanted is None or wanted == "project":
        return project
    if wanted == "global":
        return shared
    known = [each.name for each in layers(rooms.tree(), shared_name=shared)]
    same = (n for n in (project, shared, *known) if folded(n) == folded(wanted))
    if name := next(same, ""):
        return name
    if wanted == naming.EVERY_LAYER or layer_name(wanted) != wanted:
        raise UsageError(
            f"An import goes to one layer, and none can be called {shown(wanted)}.",
            f"Choose from {', '.join(map(shown, ('project', *known)))}, or a new name.",
        )
    return wanted


def _shared(rooms: "Rooms") -> str:
    return rooms.loaded.settings.memory_dir.global_memory or _UNNAMED


def _by_layer(
    lines: "Sequence[tuple[str, Line]]",
) -> "Iterator[tuple[str, list[Line]]]":
    groups: dict[str, list[Line]] = {}
    for layer, line in lines:
        groups.setdefault(layer, []).append(line)
    yield from groups.items()


def _is_in(step: "Step", layer: str) -> bool:
    is_written = step.action in _WRITTEN and step.path is not None
    return is_written and str(step.path).partition("/")[0] == layer
