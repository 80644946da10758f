"""A repository's own configuration is read as it stands, and never obeyed."""

import os

import pytest

from gitmem.errors import GitmemError
from gitmem.repo import own_config


def test_the_work_trees_own_part_is_read_behind_the_shared_one(repository, git, root):
    git("config", "--file", ".git/config.worktree", "user.name", "Zoë", cwd=root)
    assert own_config.read(repository.git_folder)[-1] == ("user.name", "Zoë")


def test_what_stands_in_a_file_that_it_includes_is_left_out(repository, git, root):
    (root / ".git" / "more").write_text("[user]\n\tname = someone else\n", "utf-8")
    git("config", "include.path", "more", cwd=root)
    found = dict(own_config.read(repository.git_folder))
    assert found["include.path"] == "more"
    assert "user.name" not in found


def test_bytes_that_were_read_before_need_no_git(repository, monkeypatch, tmp_path):
    first = own_config.read(repository.git_folder)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert own_config.read(repository.git_folder) == first


def test_a_change_is_seen_though_size_and_time_stay(repository, git, root):
    git("config", "user.name", "one", cwd=root)
    own_config.read(repository.git_folder)
    file = root / ".git" / "config"
    before = file.stat()
    file.write_bytes(file.read_bytes().replace(b"one", b"two"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert dict(own_config.read(repository.git_folder))["user.name"] == "two"


def test_a_linked_file_is_read_as_git_reads_it(repository, root, tmp_path):
    file = root / ".git" / "config"
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert ("core.bare", "false") in own_config.read(repository.git_folder)


def test_a_broken_file_is_refused_the_second_time_too(repository, root):
    (root / ".git" / "config").write_bytes(b"[core\n\tbare = false\n")
    with pytest.raises(GitmemError, match="config"):
        own_config.read(repository.git_folder)
    with pytest.raises(GitmemError, match="config"):
        own_config.read(repository.git_folder)
