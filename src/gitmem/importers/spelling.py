"""Spell paths of a store so that they may exist in a memory repository; pure."""

import unicodedata
from pathlib import PurePosixPath

from gitmem.files.names import is_too_long, refusal
from gitmem.memory.conflicts import is_copy
from gitmem.memory.layout import SUFFIX
from gitmem.project.names import digest, folded, layer_name


def plain(path: PurePosixPath) -> PurePosixPath:
    """Spell a path so that it may exist in a memory repository, below a layer."""
    parts = [_part(part) for part in path.parts if part not in {"/", "..", "."}]
    stem = parts[-1] if parts else "unnamed"
    if stem.lower().endswith(SUFFIX):
        stem = stem[: -len(SUFFIX)]
    name = PurePosixPath(*parts[:-1], f"{_part(stem)}{SUFFIX}")
    if is_copy(name):
        name = name.with_name(name.name.replace(".conflict-", "-conflict-"))
    if is_too_long(str(name)):
        return PurePosixPath(f"{digest(str(name))[:16]}-{name.name}")
    return name


def unfit(path: PurePosixPath) -> str:
    """Say why a path cannot be spelled here as it is, or nothing."""
    spelled = path if path.name.lower().endswith(SUFFIX) else f"{path}{SUFFIX}"
    if folded(str(plain(path))) == folded(str(spelled)):
        return ""
    reasons = (refusal(unicodedata.normalize("NFC", part)) for part in path.parts)
    return next(filter(None, reasons), "not every system can hold this name")


def _part(part: str) -> str:
    text = unicodedata.normalize("NFC", part)
    is_fit = not text.startswith(".") and not refusal(text)
    return text if is_fit else layer_name(text)
