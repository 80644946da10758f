"""An index is told to be sound only if Git would see in it what is there."""

import hashlib

import pytest

from gitmem.repo import index
from gitmem.repo.index import Index


def checked(body: bytes) -> bytes:
    return body + hashlib.sha1(body, usedforsecurity=False).digest()


@pytest.fixture
def place(repository):
    """Give the index of a repository with files in it."""
    return repository.git_folder / "index"


def test_the_index_that_git_wrote_is_sound(place, root, git):
    git("add", ".", cwd=root)

    assert index.read(place.parent) == Index(is_sound=True)


def test_no_index_is_none(tmp_path):
    assert index.read(tmp_path) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"\0\0\x81\xa4", b"\0\0\x81\xb4"),
        (b"DIRC", b"DICR"),
        (b"\0\0\0\2", b"\0\0\0\7"),
    ],
    ids=["mode", "signature", "version"],
)
def test_what_is_wrong_is_found_under_a_right_checksum(place, root, git, old, new):
    git("add", ".", cwd=root)
    data = place.read_bytes()[:-20].replace(old, new, 1)
    place.write_bytes(checked(data))

    assert index.read(place.parent) == Index()


def test_names_that_are_out_of_order_are_found(place, root, git):
    (root / "aaa").write_text("1")
    (root / "aab").write_text("2")
    git("add", ".", cwd=root)
    data = place.read_bytes()[:-20].replace(b"aaa\0", b"aac\0", 1)
    place.write_bytes(checked(data))

    assert index.read(place.parent) == Index()


@pytest.mark.parametrize("data", [b"", b"DIRC", bytes(60), checked(b"DIRC")])
def test_what_is_too_short_is_damaged(place, data):
    place.write_bytes(data)

    assert index.read(place.parent) == Index()


def test_an_index_without_a_checksum_is_not_trusted(place, root, git):
    git("add", ".", cwd=root)
    place.write_bytes(place.read_bytes()[:-20] + bytes(20))

    assert index.read(place.parent) == Index()


def test_marks_are_told(place, root, git):
    git("add", ".", cwd=root)
    path = git("ls-files", cwd=root).splitlines()[0]

    git("update-index", "--assume-unchanged", path, cwd=root)
    assert index.read(place.parent) == Index(is_sound=True, may_assume=True)
    git("update-index", "--no-assume-unchanged", path, cwd=root)
    git("update-index", "--skip-worktree", path, cwd=root)
    assert index.read(place.parent) == Index(is_sound=True, may_skip=True)
