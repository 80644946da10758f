"""Real repositories, as people and attackers lay them out."""

import pytest


@pytest.fixture
def repository(tmp_path, git):
    """Make a repository called beacon with a remote, a commit and a subfolder."""
    root = tmp_path / "beacon"
    (root / "src" / "deep").mkdir(parents=True)
    git("init", "--quiet", "--initial-branch=main", cwd=root)
    git("remote", "add", "origin", "git@h.example:o/beacon.git", cwd=root)
    git("commit", "--quiet", "--allow-empty", "--message=first", cwd=root)
    return root
