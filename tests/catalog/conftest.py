"""A memory repository beside an empty catalog."""

import os
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path, PurePosixPath

import pytest

from gitmem.catalog.catalog import Catalog
from gitmem.catalog.refresh import Refreshed, refresh
from gitmem.catalog.search import Answer, SearchRequest, search
from gitmem.files.tree import Tree
from gitmem.repo.repository import Repository

TODAY = date(2026, 3, 2)


class House:
    """Writes memories, refreshes the catalog, and searches it."""

    def __init__(self, root: Path, catalog: Catalog) -> None:
        self.root = root
        self.tree = Tree(root)
        self.catalog = catalog
        self.repository: Repository | None = None

    def put(self, path: str, text: str | bytes = "text\n", *, age: int = 100) -> Path:
        """Write a memory that looks `age` seconds old."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        moment = time.time() - age
        os.utime(file, (moment, moment))
        return file

    def refresh(self, *changed: str) -> Refreshed:
        named = [PurePosixPath(each) for each in changed] or None
        return refresh(
            self.catalog, self.tree, repository=self.repository, changed=named
        )

    def answer(self, query: str = "", **options) -> Answer:
        return search(
            self.catalog, SearchRequest(query, **options, today=TODAY), self.tree
        )

    def found(self, query: str = "", **options) -> list[str]:
        return [str(hit.path) for hit in self.answer(query, **options).hits]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    root = tmp_path / "memory"
    root.mkdir()
    with Catalog(tmp_path / "cache" / "catalog") as catalog:
        yield House(root, catalog)


@pytest.fixture
def git_house(house: House, git) -> House:
    """Make it a Git repository with one committed memory."""
    git("init", "--quiet", "--initial-branch=main", cwd=house.root)
    house.put("p/core/first.md", "the first memory\n")
    git("add", ".", cwd=house.root)
    git("commit", "--quiet", "--message=first", cwd=house.root)
    house.repository = Repository(house.root)
    return house
