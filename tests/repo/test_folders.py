"""The folders of a tree are rewritten as Git itself would have it."""

from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.repo.folders import is_well_formed
from gitmem.repo.history import TreeEntry
from gitmem.repo.repository import Repository, initialise

NAMES = ("a", "a.b", "a-", "é", "x\ny")
PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map(
    lambda parts: PurePosixPath(*parts)
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """Make a repository that holds nothing but objects."""
    folder = tmp_path_factory.mktemp("trees")
    initialise(folder, "main")
    return Repository(folder)


def by_index(repository: Repository, tree: str, entries: dict) -> str:
    """Write the tree as Git does it: by an index."""
    with repository._workshop() as folder:
        index = {"GIT_INDEX_FILE": f"{folder}/index"}
        repository.change("read-tree", tree, extra=index)
        repository.update_index(entries, extra=index)
        return repository.change("write-tree", extra=index).decode().strip()


@settings(
    max_examples=12,
    deadline=None,
)
@given(
    first=st.sets(PATHS, max_size=6),
    added=st.sets(PATHS, max_size=3),
    removed=st.sets(PATHS, max_size=3),
)
def test_a_rewritten_tree_is_the_one_that_git_makes_by_an_index(
    repository, first, added, removed
):
    oid = repository.store([b"x"])[0]
    start = repository.edit_tree(repository.empty_tree(), _files(first, oid))
    entries = dict.fromkeys(removed, TreeEntry()) | _files(added, oid, "100755")

    assert repository.edit_tree(start, entries) == by_index(repository, start, entries)


def _files(
    paths: set[PurePosixPath], oid: str, mode: str = "100644"
) -> dict[PurePosixPath, TreeEntry]:
    """Leave out a file where another one needs a folder of that name."""
    folders = {folder for path in paths for folder in path.parents}
    return {path: TreeEntry(mode, oid) for path in paths - folders}


def line(mode: bytes, name: bytes) -> bytes:
    return mode + b" " + name + b"\0" + b"\1" * 20


A, B = line(b"100644", b"a"), line(b"40000", b"b")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", True),
        (A + B, True),
        (line(b"100644", b"a.b") + line(b"40000", b"a"), True),
        (B + A, False),
        (A + A, False),
        (line(b"100644", b"a") + line(b"40000", b"a"), False),
        (line(b"100664", b"a"), False),
        (line(b"100644", b".git"), False),
        (line(b"100644", b"a/b"), False),
        (line(b"100644", b""), False),
        (A[:-1], False),
        (b"nonsense", False),
    ],
    ids=[
        "empty",
        "sorted",
        "a folder as if it ended in a slash",
        "unsorted",
        "twice",
        "file and folder",
        "mode",
        "Git's own name",
        "path",
        "no name",
        "cut",
        "nonsense",
    ],
)
def test_a_tree_that_some_git_would_not_take_is_told(data, expected):
    assert is_well_formed(data) is expected
