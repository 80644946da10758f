"""Give tags other names in every memory that carries them; pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from gitmem.files.names import shown
from gitmem.memory import tags
from gitmem.memory.frontmatter.edit import edit
from gitmem.memory.frontmatter.read import read
from gitmem.memory.layout import is_packet
from gitmem.memory.memory import Severity
from gitmem.memory.plans import Rename
from gitmem.memory.rules import Rules


@dataclass(frozen=True, slots=True)
class Ground:
    """What a plan is held against.

    `pages` are all memories of the layers that may be changed, `project` is the layer
    that a path without one means, `day` is today. What is `held` cannot be changed, for
    the reason that is given. `layers` may be changed although they have no memory.
    """

    pages: Mapping[PurePosixPath, bytes]
    project: str
    rules: Rules
    day: str
    held: Mapping[PurePosixPath, str] = field(default_factory=dict)
    layers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Renamed:
    """A tag of a layer that has another name now, in so many memories.

    `is_joined` says that the layer had the new one too: the two are one tag now.
    """

    layer: str
    old: str
    new: str
    memories: int
    is_joined: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """The memories after the renames, and what was said of them."""

    pages: Mapping[PurePosixPath, bytes]
    renamed: tuple[Renamed, ...]
    said: tuple[str, ...]


def renamed(
    wishes: Sequence[Rename],
    pages: Mapping[PurePosixPath, bytes],
    given: Mapping[PurePosixPath, tuple[str, ...]],
    ground: Ground,
) -> Done:
    """Rename tags; `given` are the tags of each memory as they are written."""
    said: list[str] = []
    layers = sorted({*ground.layers, *(path.parts[0] for path in pages)})
    allowed = [wish for wish in wishes if _is_allowed(wish, layers, ground.rules, said)]
    after, done = dict(pages), []
    used: set[int] = set()
    for layer in layers:
        paths = [path for path in sorted(pages) if _is_indexed(path, layer)]
        names = _Names(layer, [given[path] for path in paths])
        for number, wish in enumerate(allowed):
            if wish.layer in {"", layer} and names.has(wish.old):
                used.add(number)
                if refusal := names.rename(wish):
                    said.append(refusal)
        changed = _rewritten(names, paths, after, given, ground, said)
        done += [each for each in names.told(changed) if each.memories]
    said += [
        f"no memory has the tag {shown(wish.old)}: it is not renamed"
        for number, wish in enumerate(allowed)
        if number not in used
    ]
    return Done(after, tuple(done), tuple(said))


def unreadable(data: bytes) -> str:
    """Say why a file cannot be changed field by field; empty where it can."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "it is not UTF-8"
    errors = (p for p in read(data).problems if p.severity is Severity.ERROR)
    found = next(errors, None)
    return f"line {found.line}: {found.message}" if found else ""


def _is_allowed(
    wish: Rename, layers: Sequence[str], rules: Rules, said: list[str]
) -> bool:
    """Hold a new name against the contract; a layer's limit is never passed by one."""
    if wish.layer and wish.layer not in layers:
        names = ", ".join(map(shown, layers))
        what = f"{shown(wish.layer)} is no layer to be changed here: those are {names}"
        said.append(f"{shown(wish.old)} is not renamed: {what}")
        return False
    is_strict = rules.tag_contract == "strict"
    check = tags.check_strict if is_strict else tags.check_free
    complaints = check((wish.new.strip().removeprefix("#"),))
    if complaints:
        said.append(f"{shown(wish.old)} is not renamed: {'; '.join(complaints)}")
    return not complaints


def _is_indexed(path: PurePosixPath, layer: str) -> bool:
    """Leave out packets, which are no part of the table of a layer's tags."""
    return path.parts[0] == layer and not is_packet(path)


class _Names:
    """What the tags of one layer are to be called; all wishes are granted at once."""

    def __init__(self, layer: str, given: Iterable[tuple[str, ...]]) -> None:
        self._layer = layer
        counted = Counter(tag for written in given for tag in written)
        ordered = sorted(counted, key=lambda tag: (-counted[tag], tag))
        self._before: dict[str, str] = {}
        for tag in ordered:
            self._before.setdefault(tags.canonical(tag), tag)
        self._before.pop("", None)
        self._wishes: dict[str, str] = {}
        self._first: dict[str, str] = {}

    def has(self, tag: str) -> bool:
        """Say whether the layer had this tag."""
        return tags.canonical(tag) in self._before

    def rename(self, wish: Rename) -> str:
        """Take a wish, or say why it is left out."""
        old, new = tags.canonical(wish.old), wish.new.strip().removeprefix("#")
        if old in self._wishes:
            return f"{shown(wish.old)} is renamed twice: the first name counts"
        self._wishes[old] = new
        self._first.setdefault(tags.canonical(new), new)
        return ""

    def name(self, tag: str) -> str:
        """Say what a tag is called now; one that nobody spoke of stays as it is."""
        key = tags.canonical(tag)
        if key not in self._wishes:
            return tag
        target = tags.canonical(self._wishes[key])
        return self._staying(target) or self._first[target]

    def told(self, changed: Counter[str]) -> list[Renamed]:
        """Say what became of each tag."""
        return [
            Renamed(
                self._layer,
                self._before[old],
                self.name(old),
                changed[old],
                is_joined=tags.canonical(new) != old
                and bool(self._staying(tags.canonical(new))),
            )
            for old, new in self._wishes.items()
        ]

    def _staying(self, key: str) -> str:
        """Spell a tag that was there and is not called otherwise now."""
        now = self._wishes.get(key, self._before.get(key, ""))
        return now if tags.canonical(now) == key else ""


def _rewritten(
    names: _Names,
    paths: Iterable[PurePosixPath],
    pages: dict[PurePosixPath, bytes],
    given: Mapping[PurePosixPath, tuple[str, ...]],
    ground: Ground,
    said: list[str],
) -> Counter[str]:
    """Write the new names; count for each tag the memories in which it changed."""
    changed: Counter[str] = Counter()
    for path in paths:
        written = given[path]
        wanted = [names.name(tag) for tag in written]
        if wanted == list(written):
            continue
        if reason := ground.held.get(path) or unreadable(pages[path]):
            said.append(f"{shown(str(path))} keeps its tags: {reason}")
            continue
        pages[path] = edit(pages[path], {"tags": list(tags.unique(wanted))})
        pairs = zip(written, wanted, strict=True)
        changed.update({tags.canonical(old) for old, new in pairs if old != new})
    return changed
