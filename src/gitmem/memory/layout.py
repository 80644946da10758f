"""Say what a path of the memory repository means, by its name alone; pure."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from gitmem.project.names import folded

SUFFIX: Final = ".md"
CORE: Final = "core"
DAILY: Final = "daily"
PROFILE: Final = "USER.md"
INDEX: Final = "MEMORY.md"
PROJECT: Final = "PROJECT.md"
TAPE: Final = "tape"
PACKETS: Final = "packets"
_LAYER_DEPTH: Final = 2
_PACKET_DEPTH: Final = 4
_MONTH: Final = re.compile(r"[0-9]{4}/[0-9]{2}")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d\.md")


@dataclass(frozen=True, slots=True)
class Layer:
    """A first-level folder: the shared one, or a project's.

    `remotes` are the projects that its PROJECT.md claims; `exists` is False for a
    layer whose folder the first memory will make.
    """

    name: str
    path: PurePosixPath
    is_shared: bool = False
    remotes: tuple[str, ...] = ()
    exists: bool = True

    @property
    def index(self) -> PurePosixPath:
        """Return where the hand-kept index is."""
        return self.path / INDEX

    @property
    def core(self) -> PurePosixPath:
        """Return the folder that is listed at every session's start."""
        return self.path / CORE

    @property
    def claim(self) -> PurePosixPath:
        """Return the file that says which project the layer belongs to."""
        return self.path / PROJECT


@dataclass(frozen=True, slots=True)
class Access:
    """Which layers may be used: the project's, and the shared one if there is one.

    `remote` is claimed for the project's layer before anything is written to it.
    """

    project: Layer
    shared: Layer | None = None
    remote: str | None = None


def is_layer_name(name: str) -> bool:
    """Tell a layer from the tape and from hidden folders."""
    return not name.startswith(".") and folded(name) != TAPE


def is_memory(path: PurePosixPath) -> bool:
    """Tell a memory from every other file: Markdown in a layer, nothing hidden."""
    return (
        len(path.parts) >= _LAYER_DEPTH
        and path.name.lower().endswith(SUFFIX)
        and is_layer_name(path.parts[0])
        and not any(part.startswith(".") for part in path.parts)
    )


def is_core(path: PurePosixPath) -> bool:
    """Tell whether a memory lies in its layer's core folder."""
    return len(path.parts) > _LAYER_DEPTH and path.parts[1] == CORE


def is_listed(path: PurePosixPath, layer: Layer) -> bool:
    """Tell whether a session's start lists a memory of this layer.

    The shared layer is listed whole, a project's layer by its core.
    """
    if not is_memory(path) or not path.is_relative_to(layer.path):
        return False
    return layer.is_shared or is_core(path)


def is_profile(path: PurePosixPath) -> bool:
    """Tell whether a file is a layer's profile, which is given whole."""
    return path.parts[1:] == (PROFILE,)


def is_daily(path: PurePosixPath) -> bool:
    """Tell whether a file is the note of a day, which is given whole."""
    inside = path.parts[1:]
    return (
        len(inside) == _LAYER_DEPTH
        and inside[0] == DAILY
        and bool(_DAY.fullmatch(inside[1]))
    )


def is_claim(path: PurePosixPath) -> bool:
    """Tell whether a file says which project its layer belongs to."""
    return path.parts[1:] == (PROJECT,)


def is_packet(path: PurePosixPath) -> bool:
    """Tell whether a memory is a packet, by the folder of its month."""
    inside = path.parts[1:]
    is_deep = len(inside) >= _PACKET_DEPTH and inside[0] == PACKETS
    return is_deep and bool(_MONTH.fullmatch("/".join(inside[1:3])))
