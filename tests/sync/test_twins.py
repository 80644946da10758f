"""Names that are one and the same on some disks, and two on others."""

from pathlib import PurePosixPath

import pytest
from tests.sync.conftest import settled, write_all

from gitmem.repo import environment
from gitmem.sync import workspace
from gitmem.sync.twins import folded, shadowed


def paths(*names: str) -> frozenset[PurePosixPath]:
    return frozenset(map(PurePosixPath, names))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Notes/A.md", "notes/a.md"),
        ("caf\u00e9.md", "cafe\u0301.md"),
        ("STRASSE.md", "stra\u00dfe.md"),
    ],
    ids=["case", "accents", "letters"],
)
def test_names_that_such_a_disk_takes_for_one_are_spelled_alike(one, other):
    assert folded(PurePosixPath(one)) == folded(PurePosixPath(other))


@pytest.mark.parametrize(
    ("names", "shown", "expected"),
    [
        (paths("a.md", "b.md"), paths(), paths()),
        (paths("A.md", "a.md"), paths(), paths("a.md")),
        (paths("A.md", "a.md"), paths("a.md"), paths("A.md")),
        (paths("x/A.md", "x/a.md", "y/a.md"), paths(), paths("x/a.md")),
    ],
    ids=["none", "first", "shown stays", "in one folder"],
)
def test_of_two_such_names_one_is_shown(names, shown, expected):
    assert shadowed(names, shown) == expected


@pytest.fixture
def folding(pair, monkeypatch):
    """Give two machines, of which the second was told that its disk ignores case."""
    first, second = pair
    monkeypatch.setattr(environment, "is_folding", second.root.__eq__)
    monkeypatch.setattr(workspace, "is_folding", second.root.__eq__)
    return first, second


def test_a_twin_is_kept_and_not_shown(folding):
    first, second = folding
    write_all(first, {"Note.md": "upper\n", "note.md": "lower\n"})
    first.cycle()

    second.cycle()

    assert set(second.disk()) == {"Note.md", ".gitattributes", ".gitignore"}
    assert second.is_clean()
    second.write("Note.md", "edited\n")
    settled(folding, rounds=2)
    assert first.read("Note.md") == "edited\n"
    assert first.read("note.md") == "lower\n"


def test_another_spelling_of_a_name_replaces_the_old_one(folding):
    first, second = folding
    first.write("Note.md", "start\n")
    settled(folding, rounds=1)
    (first.root / "Note.md").rename(first.root / "note.md")
    first.write("note.md", "edited\n")
    first.cycle()

    second.cycle()

    assert second.disk() == first.disk() == first.tree()
    assert second.is_clean()
