"""Say which project the sessions in a folder were held in, by their first lines."""

import json
from pathlib import PurePosixPath
from typing import Final

from gitmem.importers.foreign import Foreign

_BEGINNING_BYTES: Final = 65_536


def project(store: Foreign, folder: str) -> str:
    """Name the project that the sessions in a folder say they were held in."""
    for name in store.names(folder):
        if name.endswith(".jsonl"):
            data = store.read(f"{folder}/{name}", _BEGINNING_BYTES) or b""
            for line in data.splitlines():
                if cwd := _cwd(line):
                    return PurePosixPath(cwd).name
    return ""


def _cwd(line: bytes) -> str:
    if b'"cwd"' not in line:
        return ""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    cwd = found.get("cwd") if isinstance(found, dict) else ""
    return cwd if isinstance(cwd, str) else ""
