"""Look for the memories that a prompt brings to mind, in the catalog as it stands.

A hook waits for this: nothing is refreshed, and only what may be told is read.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.attention.asking import Asking, ask, is_own, is_thin, looked_for
from gitmem.attention.score import RELATION, Judged, judge, reached
from gitmem.attention.selection import Selection, refusal, select
from gitmem.attention.signals import Hearing, hear
from gitmem.attention.weights import FLOOR
from gitmem.attention.withheld import withheld
from gitmem.catalog import bearing
from gitmem.catalog.activation import Fired
from gitmem.catalog.bearing import Bearing, Found, Held, Said
from gitmem.errors import NotFound, PathRefused
from gitmem.hosts.transcript import last_turns
from gitmem.memory.hashes import digest, hash_of
from gitmem.memory.memory import Memory
from gitmem.memory.tags import canonical
from gitmem.memory.traits import traits
from gitmem.sessions.ledger import Told

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.files.tree import Tree
    from gitmem.service.answers import Visit
    from gitmem.service.rooms import Rooms

# Of the memories that bear on a turn, whose relations are followed.
FOLLOWED: Final = 12
COUNTED: Final = 4
GONE: Final = "gone"
GIVEN: Final = "given"
_UNREAD: Final = "activation.yaml is not used ({}): run `gitmem check`."


@dataclass(frozen=True, slots=True)
class File:
    """A memory as its file is now; `memory` where the catalog knows another text."""

    data: bytes
    hash: str
    memory: Memory | None = None


@dataclass(frozen=True, slots=True)
class Attended:
    """What a prompt brought to mind, the files of what is to be told, and counts."""

    asking: Asking = field(default_factory=lambda: Asking(""))
    selection: Selection = field(default_factory=Selection)
    files: Mapping[str, File] = field(default_factory=dict)
    held: tuple[Held, ...] = ()
    notices: tuple[str, ...] = ()


def attend(
    rooms: "Rooms", visit: "Visit", told: Told, prompt: str, transcript: str
) -> Attended:
    """Choose what to tell a session at a turn; nothing where nothing is indexed."""
    layers = _layers(rooms)
    if not layers or not prompt.strip():
        return Attended()
    asking = ask(prompt, _earlier(visit, transcript) if is_thin(prompt) else ())
    today = rooms.now().astimezone().date()
    with rooms.catalog() as catalog:
        if not catalog.is_built():
            return Attended(asking)
        now = _heard(catalog, asking.now, asking.keys, layers)
        before = _heard(catalog, asking.before, asking.keys_before, layers)
        heard = _Both(catalog, now, before, today)
        judged = _with_reached(catalog, heard.judged(), layers, today)
        disk = _Disk(rooms.tree(), told, today, heard.anew)
        most = rooms.loaded.settings.delivery.max_cues
        chosen = disk.as_now(select(judged, today, most, disk.objection))
        names = _in_play(asking, chosen, now.found.fired)
        held = bearing.held(catalog, names, layers, today, COUNTED) if names else ()
    notices = (_UNREAD.format(problem),) if (problem := now.found.problem) else ()
    return Attended(asking, chosen, disk.files, held, notices)


def carries(judged: Judged) -> frozenset[str]:
    """Give the keys of the tags, subjects and domains that a memory carries."""
    return judged.found.names


def _earlier(visit: "Visit", transcript: str) -> tuple[str, ...]:
    return visit.earlier or last_turns(visit.host, transcript)


def _layers(rooms: "Rooms") -> tuple[str, ...]:
    try:
        access = rooms.access()
    except NotFound:
        return ()
    both = (access.shared, access.project)
    return tuple(dict.fromkeys(each.name for each in both if each is not None))


@dataclass(frozen=True, slots=True)
class _Heard:
    """A text, what there is for it, and each memory as it is weighed against it."""

    said: Said = field(default_factory=lambda: Said(""))
    found: Found = field(default_factory=Found)
    hearings: Mapping[str, Hearing] = field(default_factory=dict)


def _heard(
    catalog: "Catalog", text: str, keys: Mapping[str, str], layers: Sequence[str]
) -> _Heard:
    if not text.strip():
        return _Heard()
    said = Said(looked_for(text)[0], list(keys))
    found = bearing.bearing(catalog, said, layers)
    ear = hear(text, keys, found)
    hearings = {str(each.row.path): Hearing(ear, each) for each in found.bearings}
    return _Heard(said, found, hearings)


@dataclass(frozen=True, slots=True)
class _Both:
    """What is said now, and what was said before."""

    catalog: "Catalog"
    now: _Heard
    before: _Heard
    today: date

    def judged(self) -> dict[str, Judged]:
        """Weigh every memory that was found for either."""
        now, before = self.now.hearings, self.before.hearings
        return {
            path: judge(now.get(path), before.get(path), self.today)
            for path in dict.fromkeys((*now, *before))
        }

    def anew(self, judged: Judged, memory: Memory) -> Judged:
        """Weigh a memory again by what its file says, not what the catalog knows."""
        if any(each.name == RELATION for each in judged.signals):
            return replace(judged, traits=traits(memory.fields))
        now, before = (
            self._again(heard, judged.path, memory) for heard in (self.now, self.before)
        )
        return judge(now, before, self.today)

    def _again(self, heard: _Heard, path: str, memory: Memory) -> Hearing | None:
        known = heard.hearings.get(path)
        if known is None:
            return None
        found = bearing.anew(self.catalog, heard.said, known.found, memory)
        return replace(known, found=found)


def _with_reached(
    catalog: "Catalog", judged: dict[str, Judged], layers: Sequence[str], today: date
) -> list[Judged]:
    reached = {
        each.path: each
        for each in _reached(catalog, list(judged.values()), layers, today)
        if each.path not in judged or judged[each.path].relevance < each.relevance
    }
    return list({**judged, **reached}.values())


def _reached(
    catalog: "Catalog", judged: Sequence[Judged], layers: Sequence[str], today: date
) -> Iterator[Judged]:
    """Follow relations, in either direction, to what is to be given whole."""
    able = [
        each for each in judged if each.relevance >= FLOOR and not withheld(each, today)
    ]
    best = sorted(able, key=lambda each: (-each.score, each.path))[:FOLLOWED]
    keys = [each.traits.key for each in best if each.traits.key]
    targets = [target for each in best for target in each.traits.targets]
    for found in bearing.related(catalog, keys, targets, layers):
        via = next(each for each in best if _is_related(each, found))
        judgement = reached(found, via)
        if judgement.is_whole:
            yield judgement


def _is_related(judged: Judged, found: Bearing) -> bool:
    other = found.traits
    targets = {canonical(target) for target in judged.traits.targets}
    back = {canonical(target) for target in other.targets}
    own = canonical(judged.traits.key)
    return canonical(other.key) in targets or bool(own and own in back)


def _in_play(
    asking: Asking, chosen: Selection, fired: Mapping[str, Fired]
) -> dict[str, str]:
    """Name what the turn is about: words of its own, and those of what is told.

    A domain that is meant by a rule counts like one that was said.
    """
    told = frozenset[str]().union(*map(carries, (*chosen.whole, *chosen.cues)))
    now = {
        key: name for key, name in asking.keys.items() if is_own(name) or key in told
    }
    before = {key: name for key, name in asking.keys_before.items() if key in told}
    meant = {key: each.domain for key, each in fired.items()}
    return {**before, **meant, **now}


class _Disk:
    """Asks the files and the session about memories, the best ones only."""

    def __init__(
        self,
        tree: "Tree",
        told: Told,
        today: date,
        anew: Callable[[Judged, Memory], Judged],
    ) -> None:
        self._tree = tree
        self._told = told
        self._today = today
        self._anew = anew
        self._changed: dict[str, Judged] = {}
        self.files: dict[str, File] = {}

    def objection(self, judged: Judged) -> str:
        """Say why a memory is not told after all; nothing where it may be."""
        try:
            data = self._tree.read(PurePosixPath(judged.path))
        except (NotFound, PathRefused, OSError):
            return f"{GONE}: the file cannot be read"
        memory = None
        if digest(data) != judged.found.digest:
            from gitmem.catalog import entry  # rare, and heavy: 5 ms

            memory = entry.make(judged.path, data).memory
            now = self._changed[judged.path] = self._anew(judged, memory)
            if reason := refusal(now, self._today):
                return reason
        content = hash_of(data)
        if self._told.knows(judged.path, content):
            return f"{GIVEN}: the session has read it"
        if self._told.named.get(judged.path) == content:
            return f"{GIVEN}: the session was told of it"
        self.files[judged.path] = File(data, content, memory)
        return ""

    def as_now(self, chosen: Selection) -> Selection:
        """Give what was chosen as the files that changed make of it."""
        now = self._changed
        return Selection(
            cues=tuple(now.get(each.path, each) for each in chosen.cues),
            whole=tuple(now.get(each.path, each) for each in chosen.whole),
            left=tuple((now.get(e.path, e), reason) for e, reason in chosen.left),
        )
