"""The work trees of one repository are one project."""

import pytest

from gitmem.project.identity import identify
from gitmem.project.worktrees import belongs, work_trees


@pytest.fixture
def beacon(tmp_path, git):
    folder = tmp_path / "beacon"
    git("init", "--quiet", "--initial-branch=main", folder, cwd=tmp_path)
    git("commit", "--quiet", "--allow-empty", "-m", "first", cwd=folder)
    return folder


def test_a_project_has_its_linked_work_trees(beacon, git, tmp_path):
    other = tmp_path / "side" / "topic"
    git("worktree", "add", "--quiet", other, cwd=beacon)

    assert work_trees(identify(beacon)) == (beacon, other)
    assert work_trees(identify(other)) == (other, beacon)


def test_a_work_tree_that_is_gone_is_none(beacon, git, tmp_path):
    git("worktree", "add", "--quiet", tmp_path / "topic", cwd=beacon)
    (tmp_path / "topic").rename(tmp_path / "away")

    assert work_trees(identify(beacon)) == (beacon,)


def test_a_folder_outside_git_is_a_project_alone(tmp_path):
    assert work_trees(identify(tmp_path)) == (tmp_path,)


def test_work_below_a_tree_is_work_in_it_but_not_in_a_repository_of_its_own(
    beacon, git
):
    (beacon / "src").mkdir()
    git("init", "--quiet", beacon / "inner", cwd=beacon)
    trees = work_trees(identify(beacon))

    assert belongs(str(beacon), trees)
    assert belongs(str(beacon / "src"), trees)
    assert belongs(str(beacon / "gone" / "deep"), trees)
    assert not belongs(str(beacon / "inner"), trees)


@pytest.mark.parametrize("folder", ["", "beacon", "/", "/a\0b", "/somewhere/else"])
def test_other_folders_do_not_belong(folder, beacon):
    assert not belongs(folder, (beacon,))
