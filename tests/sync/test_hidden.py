"""An edit is seen, whatever Git was told not to look at."""

import os
import signal

import pytest
from tests.sync.conftest import Machine

from gitmem.errors import BadConfig


@pytest.fixture
def note(alone: Machine) -> Machine:
    """Give a machine with a memory that is committed."""
    alone.write("proj/A.md", "before\n")
    alone.cycle()
    return alone


def test_an_edit_of_a_file_that_is_assumed_unchanged_is_committed(note):
    note.git_("update-index", "--assume-unchanged", "proj/A.md")
    note.write("proj/A.md", "after\n")

    assert note.engine.status().uncommitted == 1
    assert note.cycle().committed
    assert note.tree()["proj/A.md"] == b"after\n"


def test_the_deletion_of_a_file_that_is_assumed_unchanged_is_committed(note):
    note.git_("update-index", "--assume-unchanged", "proj/A.md")
    note.delete("proj/A.md")

    assert note.engine.status().uncommitted == 1
    note.cycle()

    assert "proj/A.md" not in note.tree()


def test_a_file_that_is_assumed_unchanged_and_is_so_waits_for_nothing(note):
    note.git_("update-index", "--assume-unchanged", "proj/A.md")

    assert note.engine.status().uncommitted == 0
    assert note.cycle().committed is None


def test_marks_are_found_in_an_index_of_any_version(note):
    note.git_("update-index", "--index-version", "4")
    note.git_("update-index", "--assume-unchanged", "proj/A.md")
    note.write("proj/A.md", "after\n")

    note.cycle()

    assert note.tree()["proj/A.md"] == b"after\n"


def test_names_are_told_apart_as_the_disk_does_and_not_as_it_is_configured(note):
    note.git_("config", "core.ignorecase", "true")
    note.write("proj/a.md", "another\n")

    note.cycle()

    assert note.tree()["proj/a.md"] == b"another\n"
    assert note.tree()["proj/A.md"] == b"before\n"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("core.trustctime", "false"),
        ("core.ignorestat", "true"),
        ("core.untrackedcache", "true"),
        ("core.splitindex", "true"),
        ("index.skiphash", "true"),
        ("index.version", "4"),
        ("feature.manyfiles", "true"),
        ("status.showuntrackedfiles", "no"),
        ("diff.ignoresubmodules", "all"),
    ],
)
def test_no_configuration_makes_an_edit_invisible(note, key, value):
    note.git_("config", "core.checkstat", "minimal")
    note.git_("config", key, value)
    note.git_("update-index", "--really-refresh")
    path = note.root / "proj" / "A.md"
    seen = path.stat()
    note.write("proj/A.md", "behind\n"[:7])
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    note.write("proj/new.md", "new\n")

    note.cycle()

    assert note.tree()["proj/A.md"] == b"behind\n"
    assert note.tree()["proj/new.md"] == b"new\n"


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes", ".gitmodules"])
def test_what_git_would_wait_for_is_named_and_not_opened(note, name):
    os.mkfifo(note.root / "proj" / name)
    signal.alarm(60)

    with pytest.raises(BadConfig, match=f"proj/{name} is no plain file"):
        note.cycle()
    with pytest.raises(BadConfig, match="no plain file"):
        note.engine.status()
    signal.alarm(0)


def test_a_sparse_checkout_that_was_given_up_is_no_obstacle(note):
    note.git_("sparse-checkout", "set", "--cone", "proj")
    note.git_("sparse-checkout", "disable")
    note.write("proj/A.md", "after\n")

    note.cycle()

    assert note.tree()["proj/A.md"] == b"after\n"


def test_what_is_out_of_a_sparse_checkout_stays_committed(note):
    note.write("other/b.md", "kept\n")
    note.cycle()
    note.git_("sparse-checkout", "set", "--cone", "proj")
    note.write("proj/A.md", "after\n")

    note.cycle()

    assert note.tree()["proj/A.md"] == b"after\n"
    assert note.tree()["other/b.md"] == b"kept\n"


def test_the_part_of_the_configuration_that_is_the_work_trees_is_looked_at(note):
    note.git_("config", "extensions.worktreeConfig", "true")
    note.git_("config", "--worktree", "core.sshCommand", "evil")

    with pytest.raises(BadConfig, match=r"core\.sshcommand"):
        note.cycle()
