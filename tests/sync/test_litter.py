import os
import subprocess
import sys

import pytest

from gitmem.errors import Corrupt, Offline
from gitmem.files.atomic import aside_name, temporary_name
from gitmem.sync.litter import MARK, swept


@pytest.fixture
def dead() -> str:
    """Give the process id, as text, of a process that is gone."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return str(child.pid)


@pytest.fixture
def broken_off(alone):
    """Give a machine whose last cycle was killed."""
    (alone.options.state / MARK).touch()
    return alone


def left_by(pid: str, name: str) -> str:
    return aside_name(name).replace(str(os.getpid()), pid, 1)


def test_what_somebody_wrote_in_the_moment_of_a_kill_becomes_a_copy(broken_off, dead):
    broken_off.write("notes/a.md", "what stands there\n")
    broken_off.write(f"notes/{left_by(dead, 'a.md')}", "a late edit\n")

    broken_off.cycle()

    assert b"a late edit" in broken_off.text()
    assert broken_off.tree()["notes/a.md"] == b"what stands there\n"
    assert any(".conflict-" in path for path in broken_off.disk())
    assert not any("gitmem-tmp" in path for path in broken_off.disk())


def test_a_file_that_was_only_taken_aside_comes_back_under_its_name(broken_off, dead):
    broken_off.write(f"notes/{left_by(dead, 'a.md')}", "an edit\n")

    broken_off.cycle()

    assert broken_off.tree()["notes/a.md"] == b"an edit\n"


def test_what_is_in_the_history_is_cleared(alone, dead):
    alone.write("a.md", "committed\n")
    alone.cycle()
    alone.write("a.md", "edited\n")
    alone.write(left_by(dead, "a.md"), "committed\n")
    (alone.options.state / MARK).touch()

    alone.cycle()

    assert sorted(alone.disk()) == sorted(alone.tree())
    assert alone.tree()["a.md"] == b"edited\n"


def test_half_a_file_is_cleared(broken_off, dead):
    broken_off.write(f"notes/.gitmem-tmp-{dead}-0123456789ab", "hal")

    broken_off.cycle()

    assert not any("gitmem-tmp" in path for path in broken_off.disk())


def test_what_a_living_process_writes_is_let_alone(broken_off):
    mine = broken_off.write(f".gitmem-tmp-{os.getpid()}-0123456789ab", "hal")

    broken_off.cycle()

    assert mine.exists()


@pytest.mark.parametrize(
    "name",
    [
        "objects/pack/tmp_pack_abc",
        "objects/00/tmp_obj_abc",
        "objects/tmp_objdir-x/a",
        "fast_import_crash_7",
    ],
)
def test_what_a_git_left_that_died_is_cleared(broken_off, name):
    left = broken_off.write(f".git/{name}", "")

    broken_off.cycle()

    assert not left.exists()


def test_folders_in_which_a_merge_was_made_are_cleared(broken_off, dead):
    left = broken_off.write(f".git/.gitmem-tmp-{dead}-abc/index", "")

    broken_off.cycle()

    assert not left.parent.exists()


def test_after_an_orderly_end_nobody_looks(alone):
    left = alone.write(".git/objects/pack/tmp_pack_abc", "")

    alone.cycle()

    assert left.exists()
    assert not (alone.options.state / MARK).exists()


@pytest.mark.parametrize(("error", "is_kept"), [(Corrupt, True), (Offline, False)])
def test_only_an_end_that_leaves_litter_leaves_the_mark(alone, error, is_kept):
    with (
        pytest.raises(error),
        swept(alone.options.root, alone.options.state),
    ):
        raise error("for the test")

    assert (alone.options.state / MARK).exists() is is_kept


def test_a_state_folder_is_cleared_before_there_is_a_repository(tmp_path, dead):
    left = tmp_path / temporary_name().replace(str(os.getpid()), dead, 1)
    left.touch()
    (tmp_path / MARK).touch()

    with swept(tmp_path / "nowhere", tmp_path):
        assert not left.exists()
