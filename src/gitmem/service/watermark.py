"""Know how many memories were added to a layer since it was tidied last.

Of each layer this machine keeps the commit at which it was tidied. Where that is lost,
every memory counts as added.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from gitmem.errors import GitmemError
from gitmem.files.atomic import private_folder, write
from gitmem.memory.conflicts import is_copy
from gitmem.memory.layout import is_claim, is_memory, is_packet
from gitmem.service.notices import counted

if TYPE_CHECKING:
    from gitmem.repo.history import TreeEntry
    from gitmem.service.rooms import Rooms

NAME: Final = "tidied.json"


@dataclass(frozen=True, slots=True)
class Mark:
    """When a layer was tidied, and the commit that it was at then."""

    commit: str
    at: str

    @property
    def moment(self) -> datetime | None:
        """Read when it was."""
        with suppress(ValueError):
            return datetime.fromisoformat(self.at)
        return None


def is_counted(path: PurePosixPath) -> bool:
    """Say whether a file is a memory that tidying is about."""
    is_apart = is_claim(path) or is_packet(path) or is_copy(path)
    return is_memory(path) and not is_apart


def marks(rooms: "Rooms") -> dict[str, Mark]:
    """Read the marks of all layers; what cannot be read is as if it were not there."""
    try:
        found = json.loads((rooms.state / NAME).read_bytes())
        return {
            str(layer): Mark(str(mark["commit"]), str(mark["at"]))
            for layer, mark in found.items()
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def set_marks(rooms: "Rooms", layers: Iterable[str]) -> None:
    """Note that layers are tidied as they are now."""
    head = rooms.repository().head()
    if head is None:
        return
    mark = Mark(head, rooms.now().isoformat())
    kept = {**marks(rooms), **dict.fromkeys(layers, mark)}
    text = json.dumps({layer: asdict(each) for layer, each in kept.items()}, indent=1)
    write(private_folder(rooms.state) / NAME, text.encode())


def added(
    rooms: "Rooms", paths: Collection[PurePosixPath], layers: Iterable[str]
) -> dict[str, int]:
    """Count in each layer the memories, of all that there are, that came since."""
    known = marks(rooms)
    trees: dict[str, Mapping[PurePosixPath, TreeEntry]] = {"": {}}
    counts: dict[str, int] = {}
    for layer in layers:
        commit = known[layer].commit if layer in known else ""
        if commit not in trees:
            trees[commit] = _tree(rooms, commit)
        here = {p for p in paths if p.parts[0] == layer and is_counted(p)}
        counts[layer] = len(_new(rooms, here, trees[commit], layer))
    return counts


def due(rooms: "Rooms", paths: Collection[PurePosixPath]) -> tuple[str, ...]:
    """Say which layers are to be tidied, where their tags are what is looked up by."""
    settings = rooms.loaded.settings
    is_index = "tags" in settings.delivery.start or settings.tags.contract == "strict"
    if not is_index:
        return ()
    access = rooms.access()
    both = (access.project, access.shared)
    counts = added(rooms, paths, [layer.name for layer in both if layer is not None])
    return tuple(
        f"{counted(count, 'memory', 'memories')} came to {layer} since it was tidied:"
        " look at `gitmem tags`, then `gitmem tags compact --plan FILE`."
        for layer, count in counts.items()
        if count >= settings.tags.consolidate_every
    )


def _tree(rooms: "Rooms", commit: str) -> "Mapping[PurePosixPath, TreeEntry]":
    """List what a commit held; nothing where it is gone."""
    with suppress(GitmemError):
        return rooms.repository().tree(commit)
    return {}


def _new(
    rooms: "Rooms",
    here: set[PurePosixPath],
    before: "Mapping[PurePosixPath, TreeEntry]",
    layer: str,
) -> set[PurePosixPath]:
    """Find what was not there; a memory that only moved is not new."""
    new = here - before.keys()
    left = {
        entry.oid
        for path, entry in before.items()
        if path.parts[0] == layer and path not in here
    }
    if not new or not left:
        return new
    from gitmem.sync.apply import blob_oid, present  # brings in Git

    tree = rooms.tree()
    return {p for p in new if blob_oid(present(tree, p) or b"") not in left}
