"""What was done can be taken back, and what came after it stays."""

import errno
import fcntl
from dataclasses import replace
from pathlib import PurePosixPath

import pytest
from tests.sync.conftest import SECRET, numbered, settled, write_all

from gitmem.errors import Busy, DiskFull, NotFound, PathRefused, UsageError
from gitmem.files.tree import Tree
from gitmem.sync import engine as engines
from gitmem.sync.author import Author


def test_the_last_commit_is_taken_back_as_a_new_one(alone):
    write_all(alone, {"a.md": "old\n", "b.md": "gone\n"})
    alone.cycle()
    write_all(alone, {"a.md": "new\n", "c.md": "added\n"})
    alone.delete("b.md")
    alone.cycle()
    count = len(alone.log())

    report = alone.engine.undo()

    disk = alone.disk()
    assert (disk["a.md"], disk["b.md"]) == (b"old\n", b"gone\n")
    assert "c.md" not in disk
    assert disk == alone.tree()
    assert report.committed == alone.tip()
    assert len(alone.log()) == count + 1
    assert alone.log()[0].startswith("memory(*): undo ")


def test_undoing_the_undo_brings_it_back(alone):
    alone.write("a.md", "a\n")
    alone.cycle()
    alone.engine.undo()

    alone.engine.undo()

    assert alone.read("a.md") == "a\n"


def test_edits_that_are_not_committed_yet_stay_when_a_commit_is_undone(alone):
    write_all(alone, {"a.md": "one\n", "b.md": "b\n"})
    alone.cycle()
    alone.write("a.md", "two\n")
    alone.cycle()
    alone.write("new.md", "precious\n")

    alone.engine.undo("HEAD")

    assert alone.read("a.md") == "one\n"
    assert alone.read("new.md") == "precious\n"


def test_an_undo_takes_nothing_back_that_may_not_be_meant(alone):
    write_all(alone, {"a.md": "one\n"})
    alone.cycle()
    alone.write("new.md", "just written\n")

    with pytest.raises(UsageError, match="nothing was taken back"):
        alone.engine.undo()

    assert alone.read("a.md") == "one\n"
    assert alone.log()[0] == "memory(.): add new.md"
    alone.engine.undo()
    assert not (alone.root / "new.md").exists()


@pytest.mark.parametrize("act", ["undo", "restore"])
def test_deletions_that_were_held_back_do_not_slip_out_with_something_else(alone, act):
    write_all(alone, numbered(40))
    alone.cycle()
    alone.write("last.md", "last\n")
    alone.cycle()
    kept = alone.tree()
    for path in list(numbered(40)):
        alone.delete(path)
    acts = {
        "undo": alone.engine.undo,
        "restore": lambda: alone.engine.restore(PurePosixPath("last.md"), "HEAD"),
    }

    report = acts[act]()

    assert report.held
    assert kept.keys() - alone.tree().keys() <= {"last.md"}


def test_what_came_after_an_older_commit_stays(alone):
    alone.write("a.md", "one\n\ntwo\n\nthree\n")
    alone.cycle()
    alone.write("a.md", "ONE\n\ntwo\n\nthree\n")
    alone.cycle()
    commit = alone.tip()
    alone.write("a.md", "ONE\n\ntwo\n\nTHREE\n")
    alone.cycle()

    alone.engine.undo(commit)

    assert alone.read("a.md") == "one\n\ntwo\n\nTHREE\n"


@pytest.mark.parametrize("later", ["newest\n", "later\n", "since\n", "at last\n"])
def test_where_the_two_overlap_the_file_stays_beside_its_former_version(alone, later):
    alone.write("a.md", "old\n")
    alone.cycle()
    alone.write("a.md", "new\n")
    alone.cycle()
    commit = alone.tip()
    alone.write("a.md", later)
    alone.cycle()

    alone.engine.undo(commit)

    [copy] = [path for path in alone.tree() if ".conflict-" in path]
    assert alone.read("a.md") == later
    assert "old\n" in alone.read(copy)


def test_a_file_that_is_gone_since_stays_gone(alone):
    alone.write("a.md", "old\n")
    alone.cycle()
    alone.write("a.md", "new\n")
    alone.cycle()
    commit = alone.tip()
    alone.delete("a.md")
    alone.cycle()

    alone.engine.undo(commit)

    assert "a.md" not in alone.tree()


def test_a_large_commit_can_be_undone(alone):
    write_all(alone, numbered(40))
    alone.cycle()

    alone.engine.undo()

    assert set(alone.tree()) == {".gitattributes", ".gitignore"}


def test_a_merge_cannot_be_undone(pair):
    first, second = pair
    first.write("a.md", "a\n")
    first.cycle()
    second.write("b.md", "b\n")
    second.cycle()

    with pytest.raises(UsageError, match="is a merge"):
        second.engine.undo(second.tip())


def test_by_default_only_this_machine_s_own_commits_are_undone(pair):
    first, second = pair
    second.write("b.md", "mine\n")
    second.cycle()
    first.write("a.md", "theirs\n")
    settled(pair)

    second.engine.undo()

    assert second.read("a.md") == "theirs\n"
    assert not (second.root / "b.md").exists()


def test_nothing_to_undo_says_so(alone):
    stranger = alone.with_(author=Author("stranger"))

    with pytest.raises(NotFound, match="nothing lately"):
        stranger.engine.undo()


def test_a_commit_that_does_not_exist_says_so(alone):
    with pytest.raises(NotFound, match="no commit"):
        alone.engine.undo("--output=x")


def test_an_older_version_of_a_file_comes_back(alone):
    alone.write("core/a.md", "old\n")
    alone.cycle()
    alone.write("core/a.md", "new\n")
    alone.cycle()
    alone.write("core/a.md", "not committed\n")

    alone.engine.restore(PurePosixPath("core/a.md"), "main~1")

    assert alone.read("core/a.md") == "old\n"
    older = alone.git_("rev-parse", "main~3").strip()
    assert alone.log()[0] == f"memory(*): restore core/a.md from {older[:12]}"
    assert b"not committed\n" in alone.tree("main~1").values()


def test_a_deleted_file_comes_back(alone):
    alone.write("core/a.md", "old\n")
    alone.cycle()
    alone.delete("core/a.md")
    alone.cycle()

    alone.engine.restore(PurePosixPath("core/a.md"), "main~1")

    assert alone.read("core/a.md") == "old\n"


def test_a_commit_that_the_disk_already_took_back_changes_nothing(alone):
    alone.write("a.md", "old\n")
    alone.cycle()
    alone.write("a.md", "new\n")
    alone.write("b.md", "b\n")
    alone.cycle()
    commit = alone.tip()
    alone.write("a.md", "old\n")
    alone.write("b.md", "b, and more\n")
    alone.cycle()

    assert alone.engine.undo(commit).committed is None
    assert alone.read("b.md") == "b, and more\n"


def test_the_beginning_of_the_memory_is_not_undone(alone):
    root = alone.git("rev-list", "--max-parents=0", "HEAD", cwd=alone.root).strip()

    with pytest.raises(UsageError, match="beginning"):
        alone.engine.undo(root)


def test_restoring_what_is_there_commits_nothing(alone):
    alone.write("a.md", "a\n")
    alone.cycle()

    report = alone.engine.restore(PurePosixPath("a.md"), "main")

    assert report.committed is None


def test_a_version_that_never_was_says_so(alone):
    with pytest.raises(NotFound, match="did not exist"):
        alone.engine.restore(PurePosixPath("core/a.md"), "main")


@pytest.mark.parametrize("path", ["../outside.md", "/etc/passwd", ".git/config", "CON"])
def test_a_path_that_may_not_be_written_is_refused(alone, path):
    with pytest.raises(PathRefused):
        alone.engine.restore(PurePosixPath(path), "main")


@pytest.fixture
def restless(alone, monkeypatch):
    """Let an agent write, once, right before a file is replaced."""
    writes: list[tuple[str, str]] = []
    real = Tree.replace

    def replace(self, path, data, **how):
        while writes:
            alone.write(*writes.pop())
        real(self, path, data, **how)

    monkeypatch.setattr(Tree, "replace", replace)
    return lambda path, text: writes.append((path, text))


def test_an_edit_in_the_middle_of_an_undo_is_kept(alone, restless):
    alone.write("a.md", "one\n\ntwo\n")
    alone.engine.commit()
    alone.write("a.md", "one\n\nchanged\n")
    alone.engine.commit()
    restless("a.md", "agent\n\none\n\nchanged\n")

    alone.engine.undo()

    assert alone.read("a.md") == "agent\n\none\n\ntwo\n"
    assert alone.is_clean()


def test_an_edit_in_the_middle_of_a_restore_is_in_the_history(alone, restless):
    alone.write("a.md", "one\n")
    alone.engine.commit()
    old = alone.tip()
    alone.write("a.md", "two\n")
    restless("a.md", "agent\n")

    alone.engine.restore(PurePosixPath("a.md"), old)

    assert alone.read("a.md") == "one\n"
    assert alone.tree("HEAD~1")["a.md"] == b"agent\n"


def test_an_edit_that_never_ends_gives_an_undo_up(alone, monkeypatch):
    monkeypatch.setattr(engines, "STARTS", 0)

    with pytest.raises(Busy, match="kept changing"):
        alone.engine.commit()


@pytest.mark.skipif(not hasattr(fcntl, "F_SETLEASE"), reason="no leases here")
def test_an_undo_says_which_file_another_program_has_open(alone, monkeypatch):
    monkeypatch.setattr(engines, "STARTS", 1)
    alone.write("a.md", "one\n")
    alone.engine.commit()
    alone.write("a.md", "two\n")
    alone.engine.commit()

    with (
        (alone.root / "a.md").open("ab"),
        pytest.raises(Busy, match=r"a\.md is open in another program"),
    ):
        alone.engine.undo()

    assert alone.read("a.md") == "two\n"


def test_what_may_not_be_committed_any_more_is_left_out_of_an_undo_and_told(alone):
    lax = alone.with_(rules=replace(alone.options.rules, secrets="off"))
    write_all(alone, {"a.md": f"{SECRET}\n", "b.md": "old\n"})
    lax.engine.commit()
    write_all(alone, {"a.md": "clean\n", "b.md": "new\n"})
    alone.engine.commit()

    report = alone.engine.undo()

    assert (alone.read("a.md"), alone.read("b.md")) == ("clean\n", "old\n")
    assert [each.path for each in report.refused] == ["a.md"]
    assert alone.is_clean()


def test_a_merge_with_what_may_not_be_committed_any_more_is_left_out(alone):
    lax = alone.with_(rules=replace(alone.options.rules, secrets="off"))
    alone.write("a.md", f"{SECRET}\n\ntwo\n")
    lax.engine.commit()
    alone.write("a.md", "clean\n\ntwo\n")
    alone.engine.commit()
    commit = alone.tip()
    alone.write("a.md", "clean\n\ntwo\n\nthree\n")
    alone.engine.commit()

    report = alone.engine.undo(commit)

    assert alone.read("a.md") == "clean\n\ntwo\n\nthree\n"
    assert (report.committed, len(report.refused)) == (None, 1)


def test_a_file_that_cannot_be_committed_stays_as_it_is_when_others_are_undone(alone):
    write_all(alone, {"a.md": "old\n", "b.md": "old\n"})
    alone.engine.commit()
    write_all(alone, {"a.md": "new\n", "b.md": "new\n"})
    alone.engine.commit()
    alone.write("a.md", f"{SECRET}\n")

    report = alone.engine.undo()

    assert (alone.read("a.md"), alone.read("b.md")) == (f"{SECRET}\n", "old\n")
    assert [each.path for each in report.refused] == ["a.md"]


def test_what_came_after_a_file_in_its_place_keeps_an_undo_from_all_of_it(alone):
    write_all(alone, {"x": "x\n", "b.md": "old\n"})
    alone.engine.commit()
    alone.delete("x")
    alone.write("b.md", "new\n")
    alone.engine.commit()
    commit = alone.tip()
    alone.write("x/in.md", "in\n")
    alone.engine.commit()
    before = alone.disk()

    with pytest.raises(PathRefused, match=r"x/in\.md stands where"):
        alone.engine.undo(commit)

    assert alone.disk() == alone.tree() == before


def test_a_folder_that_took_the_place_of_a_file_is_taken_back(alone):
    alone.write("x", "x\n")
    alone.engine.commit()
    alone.delete("x")
    alone.write("x/in.md", "in\n")
    alone.engine.commit()

    alone.engine.undo()

    assert alone.read("x") == "x\n"
    assert alone.disk() == alone.tree()


def test_an_undo_that_fails_half_way_leaves_nothing_of_it(alone, monkeypatch):
    write_all(alone, {"a.md": "old\n", "b.md": "old\n"})
    alone.engine.commit()
    write_all(alone, {"a.md": "new\n", "b.md": "new\n", "c.md": "c\n"})
    alone.engine.commit()
    before, log = alone.disk(), alone.log()
    full = OSError(errno.ENOSPC, "full")
    with monkeypatch.context() as patch:
        patch.setattr(Tree, "remove", lambda *_, **__: (_ for _ in ()).throw(full))
        with pytest.raises(DiskFull):
            alone.engine.undo()

    assert alone.disk() == alone.tree() == before
    assert alone.log() == log
