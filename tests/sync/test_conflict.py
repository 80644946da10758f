"""A conflict copy has the same name and the same bytes on every machine."""

from pathlib import PurePosixPath

import pytest

from gitmem.memory.conflicts import is_copy
from gitmem.sync.conflict import copy_of, copy_path

OID = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("core/note.md", "core/note.conflict-2c26b46b.md"),
        ("note", "note.conflict-2c26b46b"),
        ("a.b.md", "a.b.conflict-2c26b46b.md"),
        (".hidden", ".hidden.conflict-2c26b46b"),
        ("x" * 252 + ".md", "x" * 234 + ".conflict-2c26b46b.md"),
        ("é" * 126 + ".md", "é" * 117 + ".conflict-2c26b46b.md"),
    ],
)
def test_a_copy_is_named_after_the_file_and_what_it_holds(path, expected):
    named = copy_path(PurePosixPath(path), b"foo")

    assert str(named) == expected
    assert is_copy(named)
    assert len(named.name.encode()) <= 255


@pytest.mark.parametrize(
    "path", ["note.md", "note.conflict-1.md", "note.conflict-2c26b46b.old.md"]
)
def test_other_names_are_no_copies(path):
    assert not is_copy(PurePosixPath(path))


@pytest.mark.parametrize(
    ("path", "data", "expected"),
    [
        ("a.md", b"---\nx: 1\n---\nb\n", b"---\nx: 1\nconflict_of: a.md\n---\nb\n"),
        ("a.md", b"text\n", b"---\nconflict_of: a.md\n---\ntext\n"),
        ("a.txt", b"text\n", b"text\n"),
        ("a.md", b"\xff\n", b"---\nconflict_of: a.md\n---\n\xff\n"),
    ],
    ids=["frontmatter", "none", "no memory", "bytes"],
)
def test_a_copy_of_a_memory_says_what_it_is_in_conflict_with(path, data, expected):
    assert copy_of(PurePosixPath(path), data) == expected
