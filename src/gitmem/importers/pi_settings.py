"""Read the settings block of pi-memory-md, and say what it is called here."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gitmem.importers.foreign import Foreign
from gitmem.importers.source import Advice
from gitmem.secrets import mask

# Where pi keeps its settings, seen from a store in `~/.pi`; and beside the memories.
_PLACES: Final = ("settings.json",)
_BESIDE: Final = "agent/settings.json"
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
    """How the shared folder is called there, and what the person may want to set."""

    shared: str
    advice: tuple[Advice, ...] = ()


def found(store: Foreign) -> Said:
    """Read the block, wherever it is; without one everything is as by default."""
    data = store.beside(_BESIDE, _LIMIT_BYTES)
    block = _block(data)
    for place in _PLACES:
        block = block or _block(store.read(place, _LIMIT_BYTES))
    flat = dict(_flat(block))
    named = flat.get("memoryDir.globalMemory")
    shared = (
        named.strip().rstrip("/").rpartition("/")[2] if isinstance(named, str) else ""
    )
    advice = tuple(Advice(line) for line in _lines(flat))
    return Said("global" if shared in {"", "..", "."} else shared, advice)


def _lines(flat: Mapping[str, object]) -> Iterator[str]:
    for name, value in flat.items():
        written = mask(json.dumps(value, ensure_ascii=False))
        if name in _NAMES:
            yield f"{_BLOCK}'s {name} is called {_NAMES[name]} here; it was {written}"
        else:
            yield f"{_BLOCK}'s {name} has no counterpart here; it was {written}"


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
