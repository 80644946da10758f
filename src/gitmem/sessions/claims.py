"""Who wrote which file, until a commit says so: one small file, disposable."""

import contextlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gitmem.errors import GitmemError
from gitmem.files.atomic import private_folder, write
from gitmem.files.lock import locked
from gitmem.sessions import names

NAME: Final = "claims.json"
LOCK_NAME: Final = "claims.lock"
LOCK_SECONDS: Final = 0.5
KEPT: Final = 2000


@dataclass(frozen=True, slots=True)
class Claim:
    """A session of a host that wrote a file with this content; or nobody's session."""

    host: str
    session: str
    oid: str


class Claims:
    """The files whose writer is known and that are not committed yet."""

    def __init__(self, folder: Path) -> None:
        """Remember the folder; it is created by the first write."""
        self.folder = folder

    def read(self) -> dict[str, Claim]:
        """Give the last writer of each file; what cannot be understood is nothing."""
        found = names.read(self.folder, NAME) or {}
        with contextlib.suppress(TypeError):
            return {path: Claim(*map(str, each)) for path, each in found.items()}
        return {}

    def add(self, host: str, session: str, written: Mapping[str, str]) -> None:
        """Note who wrote which files, by path and Git's name of the content."""
        new = {path: Claim(host, session, oid) for path, oid in written.items()}
        if new:
            self._change(lambda known: {**_without(known, new), **new})

    def drop(self, paths: Iterable[str]) -> None:
        """Forget files that a commit holds."""
        gone = set(paths) & self.read().keys()
        if gone:
            self._change(lambda known: _without(known, gone))

    def _change(self, by: Callable[[dict[str, Claim]], dict[str, Claim]]) -> None:
        """Change what is known; where it cannot be kept, a commit says less."""
        with contextlib.suppress(GitmemError, OSError):
            folder = private_folder(self.folder)
            with locked(folder / LOCK_NAME, timeout_seconds=LOCK_SECONDS):
                kept = list(by(self.read()).items())[-KEPT:]
                plain = {path: [c.host, c.session, c.oid] for path, c in kept}
                write(folder / NAME, json.dumps(plain).encode("ascii"))


def _without(known: dict[str, Claim], paths: Iterable[str]) -> dict[str, Claim]:
    gone = set(paths)
    return {path: claim for path, claim in known.items() if path not in gone}
