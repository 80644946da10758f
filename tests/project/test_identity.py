import os
import shutil
from pathlib import Path

import pytest

from gitmem.errors import NotFound
from gitmem.project.identity import Project, identify
from gitmem.project.remote import normalise_remote

REMOTE = "h.example/o/beacon"


def common_directory(git, folder):
    told = git("rev-parse", "--git-common-dir", cwd=folder).strip()
    return (folder / told).resolve()


@pytest.mark.parametrize("inside", [".", "src/deep", ".git", ".git/refs/heads"])
def test_every_folder_of_a_repository_is_one_project(repository, inside):
    assert Project(repository, "beacon", REMOTE, is_git=True) == identify(
        repository / inside
    )


def test_a_worktree_is_the_same_project(repository, git):
    git("worktree", "add", "--quiet", "../hotfix", cwd=repository)
    hotfix = repository.parent / "hotfix"
    (hotfix / "src").mkdir()
    assert Project(hotfix, "beacon", REMOTE, is_git=True) == identify(hotfix / "src")
    assert common_directory(git, hotfix) == repository / ".git"


def test_a_worktree_with_relative_links_is_the_same_project(repository, git):
    git("worktree", "add", "--quiet", "../hotfix", cwd=repository)
    hotfix = repository.parent / "hotfix"
    (hotfix / ".git").write_text("gitdir: ../beacon/.git/worktrees/hotfix\n")
    back = repository / ".git/worktrees/hotfix/gitdir"
    back.write_text("../../../../hotfix/.git\n")
    assert Project(hotfix, "beacon", REMOTE, is_git=True) == identify(hotfix)


def test_a_submodule_is_a_project_of_its_own(repository, git, tmp_path):
    outer = tmp_path / "outer"
    outer.mkdir()
    git("init", "--quiet", cwd=outer)
    allow = "protocol.file.allow=always"
    add = ["submodule", "--quiet", "add", "--name", "other", repository, "libs/beacon"]
    git("-c", allow, *add, cwd=outer)
    module = outer / "libs/beacon"
    git("remote", "set-url", "origin", "https://h.example/o/lib", cwd=module)
    assert Project(module, "beacon", "h.example/o/lib", is_git=True) == identify(module)
    assert identify(outer).name == "outer"


def test_a_worktree_of_a_submodule_is_that_submodule(repository, git, tmp_path):
    outer = tmp_path / "outer"
    outer.mkdir()
    git("init", "--quiet", cwd=outer)
    add = ["submodule", "--quiet", "add", "--name", "other", repository, "libs/beacon"]
    git("-c", "protocol.file.allow=always", *add, cwd=outer)
    git("worktree", "add", "--quiet", "../../../side", cwd=outer / "libs/beacon")
    side = identify(tmp_path / "side")
    assert (side.name, side.is_git) == ("beacon", True)
    assert identify(outer / "libs/beacon").remote == side.remote


def test_a_separate_git_folder_is_followed(git, tmp_path):
    work = tmp_path / "work"
    (tmp_path / "gits").mkdir()
    separate = ["init", "--quiet", f"--separate-git-dir={tmp_path}/gits/abc.git"]
    git(*separate, work, cwd=tmp_path)
    git("remote", "add", "origin", "h.example:o/n", cwd=work)
    assert Project(work, "work", "h.example/o/n", is_git=True) == identify(work)


def test_a_bare_repository_and_its_worktrees_are_one_project(repository, git, tmp_path):
    git("clone", "--quiet", "--bare", repository, "store/hub.git", cwd=tmp_path)
    hub = tmp_path / "store/hub.git"
    git("worktree", "add", "--quiet", "../side", cwd=hub)
    expected = ("hub", normalise_remote(str(repository)), True)
    found = [identify(hub / "refs"), identify(tmp_path / "store/side")]
    assert [expected] * 2 == [(each.name, each.remote, each.is_git) for each in found]


def test_a_hidden_bare_repository_is_named_after_its_folder(repository, git, tmp_path):
    home = tmp_path / "project"
    git("clone", "--quiet", "--bare", repository, home / ".bare", cwd=tmp_path)
    (home / ".git").write_text("gitdir: ./.bare\n")
    git("worktree", "add", "--quiet", "side", cwd=home)
    names = [(each.name, each.is_git) for each in map(identify, (home, home / "side"))]
    assert names == [("project", True)] * 2


def test_a_moved_main_work_tree_has_its_new_name(repository, git):
    git("worktree", "add", "--quiet", "../hotfix", cwd=repository)
    moved = repository.rename(repository.parent / "lighthouse")
    assert Project(moved, "lighthouse", REMOTE, is_git=True) == identify(moved)
    hotfix = identify(moved.parent / "hotfix")
    assert (hotfix.name, hotfix.is_git) == ("hotfix", False)
    assert hotfix.note == "its .git leads nowhere"


def test_home_may_be_a_repository(empty_home, git):
    git("init", "--quiet", cwd=empty_home)
    (empty_home / "notes").mkdir()
    assert Project(
        empty_home.resolve(), empty_home.name, None, is_git=True
    ) == identify(empty_home / "notes")


def test_outside_git_the_folder_has_the_name(tmp_path):
    folder = tmp_path / "日本語"
    folder.mkdir()
    assert Project(folder, "日本語", None, is_git=False) == identify(folder)


def test_a_link_to_a_subfolder_belongs_to_its_repository(repository, tmp_path):
    (tmp_path / "shortcut").symlink_to(repository / "src")
    assert repository == identify(tmp_path / "shortcut").root


def test_the_top_folder_has_a_name():
    assert ("root", Path("/")) == (identify(Path("/")).name, identify(Path("/")).root)


def test_a_removed_current_folder_is_told(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(NotFound, match="no longer exists"):
        identify(Path())


def test_a_folder_that_is_gone_still_has_its_repository(repository):
    assert repository == identify(repository / "gone" / "deeper").root


def test_a_repository_without_remote_or_commit(tmp_path, git):
    git("init", "--quiet", tmp_path / "new", cwd=tmp_path)
    assert Project(tmp_path / "new", "new", None, is_git=True) == identify(
        tmp_path / "new"
    )


def test_a_relative_remote_is_the_same_from_each_worktree(repository, git):
    git("remote", "set-url", "origin", "../up.git", cwd=repository)
    git("worktree", "add", "--quiet", "../elsewhere/hotfix", cwd=repository)
    hotfix = identify(repository.parent / "elsewhere/hotfix")
    assert identify(repository).remote == hotfix.remote
    assert normalise_remote(f"{repository.parent}/up.git") == hotfix.remote


@pytest.mark.parametrize("name", ["global", "tape", ".hidden", "-x"])
def test_a_reserved_folder_name_is_made_safe(tmp_path, git, name):
    git("init", "--quiet", f"{tmp_path}/{name}", cwd=tmp_path)
    assert identify(tmp_path / name).name not in {"global", "tape", ".hidden", "-x"}


def test_an_empty_git_folder_is_passed_over(repository):
    (repository / "src/.git").mkdir()
    assert repository == identify(repository / "src").root


def test_another_users_repository_is_not_believed(repository, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    found = identify(repository / "src")
    note = "its .git belongs to another user"
    assert Project(repository / "src", "src", None, is_git=False, note=note) == found


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("given", [".git", "."])
def test_a_git_folder_given_away_is_not_believed(repository, given):
    os.chown(repository / given, 54321, 54321)
    found = identify(repository)
    note = "its .git belongs to another user"
    assert Project(repository, "beacon", None, is_git=False, note=note) == found


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_common_directory_given_away_is_not_believed(repository, git):
    git("worktree", "add", "--quiet", "../hotfix", cwd=repository)
    os.chown(repository / ".git", 54321, 54321)
    found = identify(repository.parent / "hotfix")
    note = "its .git leads to a folder of another user"
    assert ("hotfix", False, note) == (found.name, found.is_git, found.note)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_git_folder_planted_above_does_not_name_a_project(tmp_path, git):
    git("init", "--quiet", cwd=tmp_path)
    os.chown(tmp_path / ".git", 54321, 54321)
    os.chown(tmp_path, 54321, 54321)
    (tmp_path / "mine").mkdir()
    assert tmp_path / "mine" == identify(tmp_path / "mine").root


def test_a_config_that_is_no_plain_file_names_no_remote(repository):
    config = repository / ".git/config"
    config.unlink()
    os.mkfifo(config)
    assert Project(repository, "beacon", None, is_git=True) == identify(repository)


def test_a_config_beyond_the_limit_names_no_remote(repository):
    with (repository / ".git/config").open("a") as config:
        config.write("#" * (1 << 20))
    assert identify(repository).remote is None


def test_an_object_store_that_is_missing_makes_no_repository(repository):
    shutil.rmtree(repository / ".git/objects")
    assert not identify(repository).is_git


def test_another_users_bare_repository_is_not_believed(bare_remote, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    found = identify(bare_remote / "refs")
    note = "this bare repository belongs to another user"
    assert ("refs", False, note) == (found.name, found.is_git, found.note)


def test_a_folder_whose_name_is_not_text_has_a_project(tmp_path, git):
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    git("init", "--quiet", folder, cwd=tmp_path)
    git("remote", "add", "origin", "../up", cwd=folder)
    found = identify(folder)
    assert ("caf", "up") == (found.name, (found.remote or "").rpartition("/")[2])
