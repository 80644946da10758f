"""What two sides changed is told apart by path and by bytes, never by likeness."""

from pathlib import PurePosixPath

from gitmem.repo.history import Change, TreeEntry, Unmerged
from gitmem.sync.trees import Compared, compare

A, B, C = map(PurePosixPath, ("a.md", "b.md", "c.md"))
NOTHING = TreeEntry()


def entry(name: str) -> TreeEntry:
    return TreeEntry("100644", name)


def added(path, name):
    return Change(path, NOTHING, entry(name))


def changed(path, old, new):
    return Change(path, entry(old), entry(new))


def deleted(path, old):
    return Change(path, entry(old), NOTHING)


def test_what_one_side_changed_is_taken():
    found = compare([changed(A, "1", "2")], [changed(B, "1", "3"), deleted(C, "1")])

    assert found == Compared({B: entry("3"), C: NOTHING}, ())


def test_what_both_changed_alike_is_left_as_it_is():
    assert compare([changed(A, "1", "2")], [changed(A, "1", "2")]) == Compared({}, ())


def test_what_both_changed_is_to_be_merged():
    found = compare([changed(A, "1", "2")], [changed(A, "1", "3")])

    assert found.unmerged == (Unmerged(A, entry("1"), entry("2"), entry("3")),)


def test_edit_follows_a_file_that_we_moved():
    found = compare([deleted(A, "1"), added(B, "1")], [changed(A, "1", "2")])

    assert found == Compared({}, (Unmerged(B, entry("1"), entry("1"), entry("2")),))


def test_our_edit_follows_a_file_that_they_moved():
    found = compare([changed(A, "1", "2")], [deleted(A, "1"), added(B, "1")])

    assert found == Compared(
        {A: NOTHING}, (Unmerged(B, entry("1"), entry("2"), entry("1")),)
    )


def test_new_file_that_only_looks_alike_is_no_move():
    found = compare([deleted(A, "1"), added(B, "almost 1")], [changed(A, "1", "2")])

    assert found == Compared({}, (Unmerged(A, entry("1"), NOTHING, entry("2")),))


def test_move_to_two_places_is_no_move():
    found = compare(
        [deleted(A, "1"), added(B, "1"), added(C, "1")], [changed(A, "1", "2")]
    )

    assert found == Compared({}, (Unmerged(A, entry("1"), NOTHING, entry("2")),))


def test_of_two_files_with_one_text_only_one_can_have_moved():
    found = compare(
        [deleted(A, "1"), deleted(B, "1"), added(C, "1")],
        [changed(A, "1", "2"), changed(B, "1", "3")],
    )

    assert found == Compared(
        {},
        (
            Unmerged(B, entry("1"), NOTHING, entry("3")),
            Unmerged(C, entry("1"), entry("1"), entry("2")),
        ),
    )


def test_both_moved_to_one_place_have_the_moved_file_as_base():
    found = compare([deleted(A, "1"), added(B, "1")], [deleted(A, "1"), added(B, "2")])

    assert found == Compared({}, (Unmerged(B, entry("1"), entry("1"), entry("2")),))
