"""Where a project's HEAD stands, read without running anything."""

import os

import pytest

from gitmem.project.head import head

OID = "0f3c2d1e" * 5


def stand(folder):
    found = head(folder)
    assert found is not None
    return found


@pytest.fixture
def own(repository):
    return repository / ".git"


def test_a_branch_and_its_commit_are_read(repository, own):
    (own / "HEAD").write_text("ref: refs/heads/fix/login\n")
    (own / "refs" / "heads" / "fix").mkdir(parents=True)
    (own / "refs" / "heads" / "fix" / "login").write_text(f"{OID}\n")
    found = stand(repository)
    assert (found.branch, found.commit) == ("fix/login", OID)


def test_a_packed_branch_is_read(repository, own):
    (own / "HEAD").write_text("ref: refs/heads/packed\n")
    (own / "packed-refs").write_text(f"# pack-refs with:\n{OID} refs/heads/packed\n")
    assert stand(repository).commit == OID


def test_a_detached_head_has_no_branch(repository, own):
    (own / "HEAD").write_text(f"{OID}\n")
    found = stand(repository)
    assert (found.branch, found.commit) == ("", OID)


@pytest.mark.parametrize(
    "text",
    [
        "ref: refs/heads/../../../../secret",
        "ref: /etc/passwd",
        "ref: refs/heads/a\x1b[2J",
        "ref: refs/heads//x",
        f"ref: refs/heads/{'x' * 300}",
        "anything",
        "",
    ],
)
def test_a_head_that_leads_elsewhere_is_none(repository, own, text):
    (own / "HEAD").write_text(text)
    found = stand(repository)
    assert (found.branch, found.commit) == ("", "")


def test_a_pipe_in_place_of_a_branch_is_not_waited_for(repository, own):
    (own / "HEAD").write_text("ref: refs/heads/pipe\n")
    (own / "refs" / "heads").mkdir(parents=True, exist_ok=True)
    os.mkfifo(own / "refs" / "heads" / "pipe")
    assert stand(repository).commit == ""


def test_outside_git_there_is_none(tmp_path):
    assert head(tmp_path) is None
