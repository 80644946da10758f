"""What is asked of somebody's project: it is read, and nothing of it is obeyed."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from gitmem.project.head import head
from gitmem.repo.foreign import touched

NOW = datetime.now(UTC)


def stand(folder):
    found = head(folder)
    assert found is not None
    return found


@pytest.fixture
def project(tmp_path, git):
    """Give a project with one commit of yesterday."""
    folder = tmp_path / "beacon"
    (folder / "src").mkdir(parents=True)
    git("init", "--quiet", "--initial-branch=main", folder, cwd=tmp_path)
    (folder / "src" / "a.py").write_text("one\n", "utf-8")
    (folder / ".gitignore").write_text("*.log\n", "utf-8")
    git("add", ".", cwd=folder)
    when = (NOW - timedelta(days=1)).isoformat()
    git("commit", "--quiet", "-m", "begin", f"--date={when}", cwd=folder)
    return folder


def test_what_differs_from_the_last_commit_is_named(project):
    (project / "src" / "a.py").write_text("two\n", "utf-8")
    (project / "日本語 b.py").write_text("new\n", "utf-8")
    (project / "noise.log").write_text("noise\n", "utf-8")

    assert touched(stand(project), None) == ("src/a.py", "日本語 b.py")


def test_what_the_session_committed_is_named_too(project, git):
    (project / "c.py").write_text("three\n", "utf-8")
    git("add", "c.py", cwd=project)
    later = (NOW + timedelta(hours=2)).isoformat()
    os.environ["GIT_COMMITTER_DATE"] = later
    git("commit", "--quiet", "-m", "more", cwd=project)
    del os.environ["GIT_COMMITTER_DATE"]

    assert touched(stand(project), NOW + timedelta(hours=1)) == ("c.py",)
    assert touched(stand(project), NOW + timedelta(hours=3)) == ()


def test_a_worktree_of_a_project_is_asked_for_its_own_files(project, git, tmp_path):
    git("worktree", "add", "--quiet", tmp_path / "side", "-b", "side", cwd=project)
    (tmp_path / "side" / "src" / "a.py").write_text("two\n", "utf-8")

    found = stand(tmp_path / "side")

    assert found.branch == "side"
    assert touched(found, None) == ("src/a.py",)
    assert touched(stand(project), None) == ()


def test_nothing_that_a_project_names_is_run(project, tmp_path, git):
    marker, trap = tmp_path / "marker", tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n", "ascii")
    trap.chmod(0o755)
    (project / ".git" / "hooks").mkdir(exist_ok=True)
    (project / ".git" / "hooks" / "post-index-change").symlink_to(trap)
    (project / ".git" / "info").mkdir(exist_ok=True)
    (project / ".git" / "info" / "attributes").write_text("* filter=x\n", "ascii")
    (project / ".gitattributes").write_text("* filter=x diff=x text\n", "ascii")
    with (project / ".git" / "config").open("a") as config:
        config.write(
            f"""
[core]
	fsmonitor = {trap}
	hooksPath = {project}/.git/hooks
	worktree = {tmp_path}
	pager = {trap}
[diff]
	external = {trap}
[diff "x"]
	textconv = {trap}
	command = {trap}
[filter "x"]
	clean = {trap}
	process = {trap}
	required = true
"""
        )
    (project / "src" / "a.py").write_text("six\n", "utf-8")

    found = touched(stand(project), NOW - timedelta(days=2))

    assert "src/a.py" in found
    assert not marker.exists()


def test_a_project_that_git_cannot_read_has_no_files(project):
    (project / ".git" / "index").write_bytes(b"broken")
    assert touched(stand(project), NOW) == ()


def test_a_pipe_in_place_of_the_index_is_not_waited_for(project):
    (project / ".git" / "index").unlink()
    os.mkfifo(project / ".git" / "index")
    assert touched(stand(project), None) == ()


def test_the_project_is_left_as_it_was(project, git):
    (project / "src" / "a.py").touch()
    before = (project / ".git" / "index").read_bytes()
    touched(stand(project), NOW)
    assert (project / ".git" / "index").read_bytes() == before
    assert not (project / ".git" / "index.lock").exists()
