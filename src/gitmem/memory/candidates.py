"""Find the memories that a plan names, and say which of them it may not touch; pure."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from gitmem.files.names import shown
from gitmem.memory import renaming
from gitmem.memory.conflicts import is_copy
from gitmem.memory.hashes import hash_of
from gitmem.memory.layout import is_claim, is_packet
from gitmem.memory.renaming import Ground
from gitmem.project.names import folded


class Candidates:
    """The memories as they were when the plan came; `said` is what guards nothing."""

    def __init__(self, ground: Ground, hashes: Mapping[str, str]) -> None:
        """Take what there is, and the hashes that whoever made the plan saw."""
        self._ground = ground
        self._known = {folded(str(path)): path for path in sorted(ground.pages)}
        self._hashes: dict[PurePosixPath, str] = {}
        self._reasons: dict[PurePosixPath, str] = {}
        self.said: list[str] = []
        for name, hash_ in hashes.items():
            if path := self.find(name):
                self._hashes[path] = hash_
            else:
                self.said.append(f"no memory {shown(name)}: its hash guards nothing")

    def find(self, name: str) -> PurePosixPath | None:
        """Find a memory as the plan names it: as it is written before any like it."""
        plain = name.removeprefix("./")
        for text in (plain, f"{self._ground.project}/{plain}"):
            path = PurePosixPath(text)
            if path in self._ground.pages:
                return path
            if twin := self._known.get(folded(text)):
                return twin
        return None

    def unfit(self, path: PurePosixPath) -> str:
        """Say why a memory is no part of any merge; empty where it may be."""
        if path not in self._reasons:
            self._reasons[path] = self._unfit(path)
        return self._reasons[path]

    def _unfit(self, path: PurePosixPath) -> str:
        if is_claim(path) or is_packet(path) or is_copy(path):
            return "it is no memory to be merged"
        if self._is_stale(path):
            return "it changed since the plan was made"
        if self.said and path not in self._hashes:
            return "the plan has no hash of it, and one of no memory"
        pages = self._ground.pages
        return self._ground.held.get(path) or renaming.unreadable(pages[path])

    def _is_stale(self, path: PurePosixPath) -> bool:
        wanted = self._hashes.get(path)
        if wanted is None:
            return False
        return not hash_of(self._ground.pages[path]).startswith(wanted or "-")
