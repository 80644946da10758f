from pathlib import PurePosixPath

from gitmem.repo.status import Entry, Kind, parse


def test_new_repository_has_a_branch_and_no_head(tmp_path, git):
    from gitmem.repo.repository import Repository, initialise

    initialise(tmp_path, "main")

    found = Repository(tmp_path).status()

    assert (found.head, found.branch, found.entries) == (None, "main", ())


def test_every_kind_of_change_is_told_apart(repository, root, git):
    (root / "gone.md").write_text("x")
    git("add", ".", cwd=root)
    git("commit", "-qm", "second", cwd=root)
    (root / "gone.md").unlink()
    (root / "notes/one.md").write_text("changed\n")
    (root / "new file\n.md").write_text("new\n")
    (root / "staged.md").write_text("staged\n")
    git("add", "staged.md", cwd=root)
    (root / "inner").mkdir()
    git("init", "-q", cwd=root / "inner")
    (root / "inner/x.md").write_text("x")

    found = {str(e.path): e for e in repository.status().entries}

    assert {name: entry.kind for name, entry in found.items()} == {
        "gone.md": Kind.CHANGED,
        "inner": Kind.UNTRACKED,
        "new file\n.md": Kind.UNTRACKED,
        "notes/one.md": Kind.CHANGED,
        "staged.md": Kind.CHANGED,
    }
    assert found["gone.md"].disk_mode == "000000"
    assert found["inner"].disk_mode == "160000"
    assert found["staged.md"].is_staged
    assert not found["notes/one.md"].is_staged


def test_file_that_no_utf8_can_spell_keeps_its_bytes():
    found = parse(b"# branch.oid (initial)\0# branch.head main\0? caf\xe9.md\0")

    assert found.entries == (
        Entry(PurePosixPath("caf\udce9.md"), Kind.UNTRACKED, disk_mode="100644"),
    )


def test_detached_head_has_no_branch(repository, root, git):
    git("checkout", "-q", "--detach", cwd=root)

    assert repository.status().branch is None


def test_conflict_is_unmerged(repository, root, git):
    git("checkout", "-qb", "other", cwd=root)
    (root / "notes/one.md").write_text("theirs\n")
    git("commit", "-qam", "theirs", cwd=root)
    git("checkout", "-q", "main", cwd=root)
    (root / "notes/one.md").write_text("ours\n")
    git("commit", "-qam", "ours", cwd=root)
    git("read-tree", "-m", "main~1", "main", "other", cwd=root)

    (entry,) = repository.status().entries

    assert (str(entry.path), entry.kind) == ("notes/one.md", Kind.UNMERGED)
