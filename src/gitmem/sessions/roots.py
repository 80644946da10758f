"""Where hosts were seen to keep their transcripts, beside the usual places.

A host's own variables move them, and only the host's process knows those.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from gitmem.errors import GitmemError
from gitmem.files.atomic import private_folder, write
from gitmem.sessions import names

FILE_NAME: Final = "roots"
KEPT: Final = 10


def known(folder: Path) -> Mapping[str, tuple[str, ...]]:
    """Give the folders by host, the last seen first."""
    found = names.read(folder, FILE_NAME) or {}
    return {
        host: tuple(each for each in several if _is_place(each))
        for host, several in found.items()
        if isinstance(several, list)
    }


def note(folder: Path, host: str, root: str) -> None:
    """Remember where a host's transcripts lie; what cannot be kept is seen again."""
    before = known(folder)
    if not _is_place(root) or root in before.get(host, ()):
        return
    after = {**before, host: (root, *before.get(host, ()))[:KEPT]}
    with suppress(GitmemError, OSError):
        data = json.dumps(after).encode("ascii")
        write(private_folder(folder) / FILE_NAME, data)


def _is_place(text: object) -> bool:
    return isinstance(text, str) and text.startswith("/") and "\0" not in text
