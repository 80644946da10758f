"""A repository with one commit, and gitmem's view of it."""

from pathlib import Path

import pytest

from gitmem.repo.repository import Repository, initialise


@pytest.fixture
def root(tmp_path: Path, git) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir()
    initialise(folder, "main")
    (folder / "notes").mkdir()
    (folder / "notes" / "one.md").write_text("one\n")
    git("add", ".", cwd=folder)
    git("commit", "--quiet", "-m", "begin", cwd=folder)
    return folder


@pytest.fixture
def repository(root: Path) -> Repository:
    return Repository(root)
