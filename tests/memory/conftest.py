"""A memory repository with one project's layer and a shared one."""

from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from gitmem.files.tree import Tree
from gitmem.memory.layout import Access, Layer
from gitmem.memory.rules import Rules
from gitmem.memory.store import Store

TODAY = "2026-11-30"


class BusyTree(Tree):
    """A tree in which somebody else writes just before, or after, we do."""

    def __init__(
        self,
        root: Path,
        before: dict[str, str] | None = None,
        after: dict[str, str] | None = None,
    ) -> None:
        super().__init__(root)
        self.before = before or {}
        self.after = after or {}

    def replace(self, path: PurePosixPath, data: bytes, **how: Any) -> None:
        self.meddle(self.before, path)
        super().replace(path, data, **how)
        self.meddle(self.after, path)

    def remove(self, path: PurePosixPath, *, expected: bytes) -> None:
        self.meddle(self.before, path)
        super().remove(path, expected=expected)

    def meddle(self, texts: dict[str, str], path: PurePosixPath) -> None:
        if (text := texts.pop(str(path), None)) is not None:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)


class Places:
    """Makes files below one folder, and a store for them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.tree = Tree(root)

    def put(self, path: str, text: str | bytes = "text\n") -> Path:
        full = self.root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text.encode() if isinstance(text, str) else text)
        return full

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def files(self) -> dict[str, bytes]:
        return {str(path): self.tree.read(path) for path in self.tree.walk()}

    def store(self, *, remote: str | None = None, **rules: Any) -> Store:
        project = Layer("alpha", PurePosixPath("alpha"))
        shared = Layer("global", PurePosixPath("global"), is_shared=True)
        access = Access(project, shared, remote)
        return Store(self.tree, access, Rules(**rules), now)


def now() -> datetime:
    return datetime.fromisoformat(f"{TODAY}T10:00:00").replace(tzinfo=UTC)


@pytest.fixture
def memory(tmp_path: Path) -> Places:
    root = tmp_path / "memory"
    root.mkdir()
    return Places(root)


@pytest.fixture
def repository_root() -> Path:
    return Path(__file__).parents[2]
