"""Folders laid out by a stranger: nothing runs, nothing else is read."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.project.identity import identify

WATCHED = """
import json, sys
from pathlib import Path
from gitmem.project.identity import identify
seen = []
def watch(event, arguments):
    if event == "open" and not isinstance(arguments[0], int):
        seen.append(["open", str(arguments[0])])
    elif event.startswith(("subprocess.", "os.exec", "os.fork", "os.posix_spawn",
                           "os.spawn", "os.system", "pty.", "ctypes.", "socket.")):
        seen.append(["run", event])
sys.addaudithook(watch)
project = identify(Path(sys.argv[1]))
print(json.dumps([project.name, project.remote, seen]))
"""


def watched(folder: Path):
    """Identify a folder in a process of its own; say what it opened and started."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(folder)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return json.loads(done.stdout)


def test_a_configuration_full_of_programs_starts_none(repository, tmp_path):
    marker = tmp_path / "marker"
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {marker}\n")
    trap.chmod(0o755)
    with (repository / ".git/config").open("a") as config:
        config.write(
            f"""
[core]
	fsmonitor = {trap}
	sshCommand = {trap}
	hooksPath = {tmp_path}
	pager = {trap}
	editor = {trap}
	gitProxy = {trap}
[diff]
	external = {trap}
[diff "x"]
	textconv = {trap}
[filter "x"]
	clean = {trap}
	smudge = {trap}
	process = {trap}
[merge "x"]
	driver = {trap}
[alias]
	rev-parse = !{trap}
	status = !{trap}
[credential]
	helper = !{trap}
[gpg]
	program = {trap}
[include]
	path = {tmp_path}/included
[includeIf "gitdir:{tmp_path}/**"]
	path = {tmp_path}/included
[url "ext::{trap}"]
	insteadOf = git@h.example:
"""
        )
    (tmp_path / "included").write_text('[remote "origin"]\n\turl = git@h:evil/x\n')
    git = repository / ".git"
    (git / "hooks/post-index-change").symlink_to(trap)
    name, remote, seen = watched(repository / "src")
    assert [name, remote] == ["beacon", "h.example/o/beacon"]
    assert [["open", str(git / "config")]] == seen
    assert not marker.exists()


@pytest.fixture
def stranger(tmp_path, repository):
    """Make a folder beside a private repository, as an archive would unpack."""
    folder = tmp_path / "stranger"
    folder.mkdir()
    return folder


def plain(folder: Path):
    found = identify(folder)
    return found.name, found.remote, found.is_git, bool(found.note)


STRANGER = ("stranger", None, False, True)


def test_a_git_file_cannot_borrow_another_repository(stranger, repository):
    (stranger / ".git").write_text(f"gitdir: {repository}/.git\n")
    assert plain(stranger) == STRANGER


def test_a_git_link_cannot_borrow_another_repository(stranger, repository):
    (stranger / ".git").symlink_to(repository / ".git")
    assert plain(stranger) == STRANGER


def test_a_git_file_cannot_borrow_a_worktree(stranger, repository, git):
    git("worktree", "add", "--quiet", "../hotfix", cwd=repository)
    (stranger / ".git").write_text(f"gitdir: {repository}/.git/worktrees/hotfix\n")
    assert plain(stranger) == STRANGER


def test_a_git_file_cannot_borrow_a_submodule(stranger, repository, git):
    module = repository / ".git/modules/x"
    git("init", "--quiet", "--bare", module, cwd=repository)
    git("config", "core.bare", "false", cwd=module)
    git("config", "core.worktree", "../../../libs/x", cwd=module)
    (stranger / ".git").write_text(f"gitdir: {module}\n")
    assert plain(stranger) == STRANGER


def test_a_git_file_cannot_borrow_a_bare_repository(stranger, bare_remote):
    (stranger / ".git").write_text(f"gitdir: {bare_remote}\n")
    assert plain(stranger) == STRANGER


def test_a_git_folder_cannot_borrow_a_common_directory(stranger, repository, git):
    git("init", "--quiet", cwd=stranger)
    (stranger / ".git/commondir").write_text(f"{repository}/.git\n")
    assert plain(stranger) == STRANGER


def test_an_inner_git_folder_cannot_borrow_a_common_directory(stranger, repository):
    inner = stranger / "worktrees/x"
    inner.mkdir(parents=True)
    (inner / "HEAD").write_text("ref: refs/heads/main\n")
    (inner / "commondir").write_text(f"{repository}/.git\n")
    (inner / "gitdir").write_text(f"{stranger}/.git\n")
    (stranger / ".git").write_text("gitdir: worktrees/x\n")
    assert plain(stranger) == STRANGER


def test_a_linked_config_is_not_read(stranger, repository, git):
    git("init", "--quiet", cwd=stranger)
    (stranger / ".git/config").unlink()
    (stranger / ".git/config").symlink_to(repository / ".git/config")
    assert plain(stranger) == ("stranger", None, True, False)


def test_a_folder_laid_out_like_a_bare_repository_does_not_count(repository, git):
    planted = repository / "src/planted"
    git("init", "--quiet", "--bare", planted, cwd=repository)
    git("remote", "add", "origin", "git@h.example:evil/x", cwd=planted)
    found = identify(planted)
    assert (repository, "h.example/o/beacon") == (found.root, found.remote)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("gitdir: ", id="no path"),
        pytest.param("gitdir: .git", id="itself"),
        pytest.param("gitdir: .", id="its own folder"),
        pytest.param("gitdir: ../gone", id="nowhere"),
        pytest.param("gitdir: /dev/zero", id="a device"),
        pytest.param("gitdir: /proc/self/fd/0", id="an open descriptor"),
        pytest.param("gitdir: a\0b", id="a NUL"),
        pytest.param("gitdir: a\nb", id="two lines"),
        pytest.param("gitdir: " + "x" * 9000, id="beyond the limit"),
        pytest.param("gitdir: " + "a/" * 4000, id="a long path"),
        pytest.param("worktree: x", id="another word"),
    ],
)
def test_a_malformed_git_file_leaves_the_folder_its_name(stranger, text):
    (stranger / ".git").write_text(text)
    assert plain(stranger) == STRANGER


def test_git_files_in_a_circle_lead_nowhere(stranger, tmp_path):
    (stranger / ".git").symlink_to(tmp_path / "circle")
    (tmp_path / "circle").symlink_to(stranger / ".git")
    assert plain(stranger) == STRANGER


def test_a_borrowed_git_folder_is_not_even_opened(stranger, repository):
    (stranger / ".git").symlink_to(repository / ".git")
    _, _, seen = watched(stranger)
    assert seen == []


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c 'touch x'",
        "-oProxyCommand=x",
        "ssh://-x/y",
        "https://h/\x1b]0;x\x07",
    ],
)
def test_a_hostile_remote_is_no_name(repository, git, url):
    git("config", "remote.origin.url", url, cwd=repository)
    assert identify(repository).remote is None
