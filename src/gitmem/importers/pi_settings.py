"""Read the settings block of pi-memory-md, and say what it is called here."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final

from gitmem.errors import GitmemError
from gitmem.files.names import shown
from gitmem.files.tree import Tree
from gitmem.hosts.place import Where
from gitmem.importers.foreign import Foreign
from gitmem.importers.source import Advice
from gitmem.secrets import mask

_FILE: Final = "settings.json"
# Where pi keeps its settings, seen from a copy of `~/.pi`.
_BESIDE: Final = f"agent/{_FILE}"
_USUAL_STORE: Final = "~/.pi/memory-md"
_BLOCK: Final = "pi-memory-md"
_LIMIT_BYTES: Final = 1_000_000
_NAMES: Final = {
    "enabled": "enabled",
    "repoUrl": "memory_dir.repo_url",
    "memoryDir.repoUrl": "memory_dir.repo_url",
    "memoryDir.globalMemory": "memory_dir.global_memory",
    "delivery": "delivery.mode",
    "injection": "delivery.mode",
    "hooks.sessionStart": "hooks.session_start",
    "hooks.sessionEnd": "hooks.session_end",
    "hooks.beforeAgentStart": "hooks.before_agent_start",
    "tape.enabled": "tape.enabled",
    "tape.onlyGit": "tape.only_git",
    "tape.thread": "tape.thread",
    "tape.excludeDirs": "tape.exclude_dirs",
    "tape.context.strategy": "tape.context.strategy",
    "tape.context.fileLimit": "tape.context.file_limit",
    "tape.context.memoryScan": "tape.context.memory_scan",
    "tape.context.whitelist": "tape.context.whitelist",
    "tape.context.alwaysInclude": "tape.context.whitelist",
    "tape.context.blacklist": "tape.context.blacklist",
    "tape.anchor.mode": "tape.anchor.mode",
    "tape.anchor.labelPrefix": "tape.anchor.label_prefix",
    "tape.anchor.keywords.global": "tape.anchor.keywords.global",
    "tape.anchor.keywords.project": "tape.anchor.keywords.project",
}


@dataclass(frozen=True, slots=True)
class Said:
    """How the shared folder is called there, and what the person may want to set.

    `is_guessed` says that no settings speak of the store.
    """

    shared: str
    advice: tuple[Advice, ...] = ()
    is_guessed: bool = False


def found(store: Foreign) -> Said:
    """Read the block that speaks of a store; without one everything is as by default.

    That is the person's own, where it says that their memory is here, else the one of
    a copy of `~/.pi` that the store lies in. Nothing in the store is believed, and no
    project's settings: whoever is cloned could say where the memories go.
    """
    flat = _own(store) or dict(_flat(_block(store.beside(_BESIDE, _LIMIT_BYTES))))
    named = flat.get("memoryDir.globalMemory")
    shared = (
        named.strip().rstrip("/").rpartition("/")[2] if isinstance(named, str) else ""
    )
    advice = tuple(Advice(line) for line in _lines(flat))
    name = "global" if shared in {"", "..", "."} else shared
    return Said(name, advice, is_guessed=not flat)


def _own(store: Foreign) -> Mapping[str, object]:
    """Give what the person's own settings say, if they lead to the store."""
    if store.where is None:
        return {}
    flat = dict(_flat(_block(_read(store.where))))
    named = flat.get("memoryDir.localPath") or flat.get("localPath") or _USUAL_STORE
    place = _path(named, store.where.home)
    is_here = place is not None and place in (store.root, *store.root.parents)
    return flat if is_here else {}


def _read(where: Where) -> bytes | None:
    """Read the file in the person's home; they may keep it elsewhere, by a link."""
    folder = where.folder("PI_CODING_AGENT_DIR", ".pi", "agent")
    try:
        file = (folder / _FILE).resolve()
        name = PurePosixPath(file.name)
        return Tree(file.parent).read(name, limit_bytes=_LIMIT_BYTES)
    except (GitmemError, OSError, RuntimeError):
        return None


def _path(named: object, home: Path) -> Path | None:
    if not isinstance(named, str):
        return None
    is_at_home = named == "~" or named.startswith("~/")
    path = home / named[2:] if is_at_home else Path(named)
    try:
        return path.resolve() if path.is_absolute() else None
    except (OSError, RuntimeError, ValueError):
        return None


def _lines(flat: Mapping[str, object]) -> Iterator[str]:
    """Tell each key; its value only where gitmem has a setting that may take it."""
    for name, value in flat.items():
        if name not in _NAMES:
            yield f"{_BLOCK}'s {mask(shown(name))} has no counterpart here"
        elif _is_plain(value):
            written = mask(json.dumps(value, ensure_ascii=False))
            yield f"{_BLOCK}'s {name} is called {_NAMES[name]} here; it was {written}"
        else:
            yield f"{_BLOCK}'s {name} is called {_NAMES[name]} here"


def _is_plain(value: object) -> bool:
    values = value if isinstance(value, list) else [value]
    return all(isinstance(each, str | bool | int | float) for each in values)


def _block(data: bytes | None) -> Mapping[str, Any]:
    """Give the block of a settings file; pi's may have comments, which JSON has not."""
    try:
        document = json.loads(data or b"")
    except (ValueError, RecursionError):
        return {}
    block = document.get(_BLOCK) if isinstance(document, dict) else None
    return block if isinstance(block, dict) else {}


def _flat(block: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, object]]:
    for name, value in block.items():
        if isinstance(value, dict) and above.count(".") < 5:  # noqa: PLR2004  deep enough
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value
