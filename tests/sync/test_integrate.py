"""Two commits become one tree, the same from either side and without a marker."""

import itertools
from pathlib import PurePosixPath

import pytest
from tests.sync.conftest import EPOCH, Machine

from gitmem.repo.history import TreeEntry, Unmerged
from gitmem.repo.objects import Identity
from gitmem.repo.repository import Repository
from gitmem.sync.integrate import Settled, merge_commits, settle

LINK, REPOSITORY, PLAIN = "120000", "160000", "100644"


@pytest.fixture
def merged(alone):
    """Merge two trees that were made of a third, in both orders."""
    repository = alone.repository
    by = Identity("x", "x@example.invalid")

    def commit(files: dict[str, tuple[str, str]], *parents: str):
        entries = {
            PurePosixPath(path): TreeEntry(mode, _oid(repository, alone, mode, text))
            for path, (mode, text) in files.items()
        }
        tree = repository.edit_tree(repository.empty_tree(), entries)
        return repository.commit_tree(tree, parents, "x\n", by=by, at=EPOCH)

    def run(base, one, other):
        start = commit(base)
        sides = commit(one, start), commit(other, start)
        results = [merge_commits(repository, *s) for s in itertools.permutations(sides)]
        assert results[0] == results[1]
        found = repository.tree(results[0].tree)
        return {
            str(path): (entry.mode, _text(repository, entry))
            for path, entry in found.items()
        }

    return run


def _oid(repository: Repository, alone: Machine, mode: str, text: str) -> str:
    return alone.tip() if mode == REPOSITORY else repository.store([text.encode()])[0]


def _text(repository: Repository, entry: TreeEntry) -> bytes:
    is_here = entry.mode != REPOSITORY
    return repository.blobs([entry.oid])[entry.oid] if is_here else b""


def plain(text: str) -> tuple[str, str]:
    return PLAIN, text


@pytest.mark.parametrize(
    ("base", "one", "other", "expected"),
    [
        (
            {"a": plain("old\n")},
            {"a": (LINK, "/etc/passwd")},
            {"a": plain("new\n")},
            {"a": (PLAIN, b"new\n")},
        ),
        (
            {"a": (LINK, "x")},
            {"a": (LINK, "y")},
            {"a": plain("new\n")},
            {"a": (PLAIN, b"new\n")},
        ),
        ({"a": plain("old\n")}, {}, {"a": plain("new\n")}, {"a": (PLAIN, b"new\n")}),
        (
            {"a": plain("1\n2\n3\n4\n5\n")},
            {"b": plain("1\n2\n3\n4\n5\n")},
            {"a": plain("1\n2\n3\n4\n5 edited\n")},
            {"b": (PLAIN, b"1\n2\n3\n4\n5 edited\n")},
        ),
        (
            {"a": plain("1\n2\n3\n4\n5\n")},
            {"b": plain("1\n2\n3\n4\nunlike\n")},
            {"a": plain("1\n2\n3\n4\n5 edited\n")},
            {
                "a": (PLAIN, b"1\n2\n3\n4\n5 edited\n"),
                "b": (PLAIN, b"1\n2\n3\n4\nunlike\n"),
            },
        ),
        (
            {"a": plain("1\n2\n3\n4\n5\n")},
            {"b": plain("1\n2\n3\n4\nours\n")},
            {"c": plain("1\n2\n3\n4\ntheirs\n")},
            {
                "b": (PLAIN, b"1\n2\n3\n4\nours\n"),
                "c": (PLAIN, b"1\n2\n3\n4\ntheirs\n"),
            },
        ),
        (
            {"a": plain("1\n2\n3\n")},
            {"b": plain("1\n2\n3\n")},
            {"b": plain("1\n2\n3 edited\n")},
            {"b": (PLAIN, b"1\n2\n3 edited\n")},
        ),
        ({"a": plain("old\n")}, {}, {}, {}),
        (
            {"a": plain("1\n2\n3\n4\n5\n")},
            {"b": plain("1\n2\n3\n4\n5\n")},
            {"c": plain("1\n2\n3\n4\n5\n")},
            {"b": (PLAIN, b"1\n2\n3\n4\n5\n"), "c": (PLAIN, b"1\n2\n3\n4\n5\n")},
        ),
        (
            {"a": plain("old\n")},
            {"a": plain("new\n")},
            {"a/b": plain("inner\n")},
            {
                "a/b": (PLAIN, b"inner\n"),
                "a.conflict-7aa7a535": (PLAIN, b"new\n"),
            },
        ),
    ],
    ids=[
        "link against file",
        "links against file",
        "deletion against edit",
        "a move, and an edit that follows it",
        "a deletion, an edit, and a new file that looks alike",
        "both renamed and edited",
        "both moved to one place, one edited",
        "both deleted",
        "moved to two places",
        "folder against file",
    ],
)
def test_what_git_cannot_settle_is_settled(merged, base, one, other, expected):
    assert merged(base, one, other) == expected


def test_two_links_leave_one_and_a_repository_no_trap(merged):
    found = merged(
        {"a": (LINK, "x"), "b": plain("old\n")},
        {"a": (LINK, "y"), "b": (REPOSITORY, "")},
        {"a": (LINK, "z"), "b": plain("new\n")},
    )

    assert found["a"] in {(LINK, b"y"), (LINK, b"z")}
    assert found["b"] == (PLAIN, b"new\n")


def test_an_executable_bit_that_one_side_took_away_is_gone(merged):
    found = merged(
        {"a": ("100755", "one\n")},
        {"a": (PLAIN, "one\ntwo\n")},
        {"a": ("100755", "one\nthree\n")},
    )

    assert found["a"][0] == PLAIN


def test_the_same_copy_twice_is_one(merged):
    found = merged(
        {"a.txt": plain("old\n")},
        {"a.txt": plain("one\n")},
        {"a.txt": plain("two\n")},
    )

    assert len(found) == 2
    assert {text for _, text in found.values()} == {b"one\n", b"two\n"}


@pytest.mark.parametrize("odd", [LINK, REPOSITORY])
def test_a_file_wins_the_name_that_it_shares_with_something_else(alone, odd):
    path = PurePosixPath("a.md")
    file, other = TreeEntry(PLAIN, "1" * 40), TreeEntry(odd, "2" * 40)

    settled = [
        settle(alone.repository, Unmerged(path, TreeEntry(), *sides), {})
        for sides in itertools.permutations((file, other))
    ]

    assert settled == [Settled({}, {path: file}, {})] * 2
