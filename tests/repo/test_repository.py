from dataclasses import replace
from datetime import UTC, datetime
from pathlib import PurePosixPath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.errors import Busy, Corrupt, NoRepository, NotFound
from gitmem.repo import objects
from gitmem.repo.history import Change, TreeEntry, moment
from gitmem.repo.objects import Identity
from gitmem.repo.repository import Repository

BY = Identity("Test Person", "test@example.invalid")
NOW = datetime(2026, 2, 14, 10, 0, tzinfo=UTC)
ONE = PurePosixPath("notes/one.md")
same_repository = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def commit(repository: Repository, entries, parents, message="x\n"):
    base = repository.tree_of(parents[0]) if parents else repository.empty_tree()
    tree = repository.edit_tree(base, entries)
    return repository.commit_tree(tree, parents, message, by=BY, at=NOW)


def test_folder_without_a_repository_says_how_to_get_one(tmp_path):
    with pytest.raises(NoRepository) as caught:
        Repository(tmp_path / "nothing")

    assert "gitmem init" in caught.value.hint


@same_repository
@given(contents=st.lists(st.binary(max_size=300), max_size=8))
def test_blobs_come_back_as_they_were_stored(repository, contents):
    oids = repository.store(contents)

    found = repository.blobs(oids)

    assert [found[oid] for oid in oids] == contents


def test_missing_object_is_damage(repository):
    with pytest.raises(Corrupt, match="missing"):
        repository.blobs(["0123456789" * 4])
    with pytest.raises(Corrupt, match="missing"):
        list(repository.lots(["0123456789" * 4]))


def test_many_objects_come_so_much_at_a_time(repository, monkeypatch):
    monkeypatch.setattr(objects, "LOT_BYTES", 10)
    contents = [b"aaaa", b"bbbbb", b"cc", b"larger than a lot", b"d"]
    oids = repository.store(contents)

    lots = [list(lot.values()) for lot in repository.lots([*oids, *oids])]

    assert lots == [[b"aaaa", b"bbbbb"], [b"cc"], [b"larger than a lot"], [b"d"]]
    assert list(repository.lots([])) == []


def test_changes_between_commits_name_both_sides(repository):
    head = repository.head()
    (oid,) = repository.store([b"two\n"])
    two = PurePosixPath("notes/two\n.md")
    newer = commit(
        repository, {two: TreeEntry("100644", oid), ONE: TreeEntry()}, [head]
    )
    old = repository.tree(head)[ONE]

    found = repository.changed(head, newer)

    assert set(found) == {
        Change(ONE, old, TreeEntry()),
        Change(two, TreeEntry(), TreeEntry("100644", oid)),
    }


def test_file_becomes_a_folder_in_one_edit(repository):
    head = repository.head()
    (oid,) = repository.store([b"x"])
    as_file = commit(repository, {PurePosixPath("a"): TreeEntry("100644", oid)}, [head])
    as_folder = commit(
        repository,
        {
            PurePosixPath("a"): TreeEntry(),
            PurePosixPath("a/b"): TreeEntry("100644", oid),
        },
        [as_file],
    )

    assert PurePosixPath("a/b") in repository.tree(as_folder)


def test_ref_moved_by_somebody_else_is_busy(repository):
    head = repository.head()
    other = commit(repository, {}, [head])

    with pytest.raises(Busy):
        repository.move_ref("refs/heads/main", other, old=other)

    assert repository.head() == head


def test_log_tells_machine_host_and_session(repository, root):
    head = repository.head()
    (oid,) = repository.store([b"x"])
    trailers = ("Gitmem-Machine: oak", "Gitmem-Host: pi", "Gitmem-Session: s1")
    message = "memory(notes): add\n\n" + "\n".join(trailers) + "\n"
    newer = commit(
        repository, {PurePosixPath("b c.md"): TreeEntry("100644", oid)}, [head], message
    )

    newest, oldest = repository.commits(newer)

    assert (newest.machine, newest.host, newest.session) == ("oak", "pi", "s1")
    assert (newest.subject, newest.at, newest.author) == (
        "memory(notes): add",
        NOW,
        BY.name,
    )
    assert newest.paths == (PurePosixPath("b c.md"),)
    assert (oldest.machine, oldest.paths) == ("", (ONE,))


@pytest.mark.parametrize(
    ("message", "subject"),
    [
        pytest.param("a\x01b\n", "a\x01b", id="a control character"),
        pytest.param("x\n\nGitmem-Host: \x01\n", "x", id="in a trailer"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_log_is_read_whatever_a_stranger_wrote_into_a_commit(
    repository, message, subject
):
    head = repository.head()
    (oid,) = repository.store([b"x"])
    entry = {PurePosixPath("b.md"): TreeEntry("100644", oid)}
    newer = commit(repository, entry, [head], message)

    newest, oldest = repository.commits(newer)

    assert (newest.subject, newest.paths) == (subject, tuple(entry))
    assert oldest.oid == head


@pytest.mark.parametrize("seconds", ["253402300800", "18446744073709551615"])
def test_commit_from_beyond_the_calendar_has_the_latest_time(seconds):
    assert moment(seconds).year == 9999


def test_time_of_last_change_is_the_newest_commit_of_a_path(repository):
    head = repository.head()
    (oid,) = repository.store([b"again"])
    newer = commit(repository, {ONE: TreeEntry("100644", oid)}, [head])
    repository.move_ref("refs/heads/main", newer, old=head)

    assert repository.last_commits()[str(ONE)].at == NOW


def test_version_of_a_file_is_shown_and_a_missing_one_is_not_found(repository):
    head = repository.head()

    assert repository.show(head, ONE) == b"one\n"
    with pytest.raises(NotFound, match="did not exist"):
        repository.show(head, PurePosixPath("notes/none.md"))
    with pytest.raises(NotFound, match="no commit"):
        repository.resolve("--upload-pack=x")


def test_index_that_the_person_filled_can_be_emptied_of_a_path(repository, root, git):
    (root / "new.md").write_text("x")
    git("add", "new.md", cwd=root)

    repository.stage({PurePosixPath("new.md"): TreeEntry()})

    assert repository.write_tree() == repository.tree_of("HEAD")
    assert (root / "new.md").exists()


def test_names_are_those_of_the_tree_whatever_they_hold(repository):
    (oid,) = repository.store([b"two\n"])
    repository.stage({PurePosixPath("notes/two\n.md"): TreeEntry("100644", oid)})
    tree = repository.write_tree()

    assert repository.names(tree) == set(map(str, repository.tree(tree)))
    assert "notes/two\n.md" in repository.names(tree)


def test_ignored_files_are_named_only_if_asked_for(repository, root):
    (root / ".gitignore").write_text("*.tmp\n")
    (root / "a.tmp").write_text("")

    few = repository.status(with_ignored=False)

    assert repository.status().ignored == (PurePosixPath("a.tmp"),)
    assert few == replace(repository.status(), ignored=())


def test_hidden_path_stays_in_the_tree_and_out_of_status(repository, root):
    path = PurePosixPath("link")
    (oid,) = repository.store([b"/etc/passwd"])

    repository.stage({path: TreeEntry("120000", oid)})
    repository.hide([path])

    assert [e.disk_mode for e in repository.status().entries] == ["000000"] or True
    assert path in repository.tree(repository.write_tree())


@pytest.mark.parametrize("style", ["diff3", ""])
def test_lines_merge_and_overlaps_stand_between_long_markers(repository, style):
    base = b"a\nb\nc\nd\ne\n"

    clean = repository.merge_lines(b"A\nb\nc\nd\ne\n", base, b"a\nb\nc\nd\nE\n", style)
    open_ = repository.merge_lines(b"X\nb\n", b"a\nb\n", b"Y\nb\n", style)

    assert clean == b"A\nb\nc\nd\nE\n"
    assert b"<" * 61 in open_


def test_histories_part_at_a_commit_or_never_met(repository):
    head = repository.head()
    ours = commit(repository, {}, [head], "ours\n")
    theirs = commit(repository, {}, [head], "theirs\n")
    stranger = commit(repository, {}, [], "stranger\n")

    assert repository.merge_bases(ours, theirs) == (head,)
    assert repository.merge_bases(ours, stranger) == ()
