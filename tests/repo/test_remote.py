from pathlib import Path

import pytest

from gitmem.errors import BadConfig, BranchProtected, Offline, PushRejected
from gitmem.repo.address import Address, parse
from gitmem.repo.command import Command
from gitmem.repo.remote import Remote, RemoteRefs, parse_refs, was_outrun, was_taken


@pytest.fixture
def remote(root: Path, bare_remote: Path) -> Remote:
    return Remote(Command(root), parse(str(bare_remote)), timeout_seconds=10)


def test_empty_remote_offers_nothing(remote):
    assert remote.refs() == RemoteRefs({}, None)


def test_push_then_fetch_brings_the_commit_back(remote, repository):
    head = repository.head()

    remote.push(head, "main", progress=None)
    remote.fetch("main", into="refs/remotes/origin/main", deepen=False, progress=None)

    assert remote.refs() == RemoteRefs({"main": head}, "main")
    assert repository.refs("refs/remotes") == {"refs/remotes/origin/main": head}


def test_push_that_would_go_back_is_a_lost_race(remote, repository, root, git):
    first = repository.head()
    (root / "two.md").write_text("two")
    git("add", ".", cwd=root)
    git("commit", "-qm", "two", cwd=root)
    remote.push(repository.head(), "main", progress=None)

    with pytest.raises(PushRejected):
        remote.push(first, "main", progress=None)


def test_push_that_a_hook_refuses_is_protected(remote, repository, bare_remote):
    hook = bare_remote / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no pushing here >&2\nexit 1\n")
    hook.chmod(0o755)

    with pytest.raises(BranchProtected, match="declined"):
        remote.push(repository.head(), "main", progress=None)


def test_remote_that_is_gone_is_offline(root, tmp_path):
    gone = Remote(Command(root), parse(str(tmp_path / "no")), timeout_seconds=10)

    with pytest.raises(Offline):
        gone.refs()


def test_transport_that_the_person_did_not_choose_is_refused(root, tmp_path):
    marker = tmp_path / "it-ran"
    hostile = Address(f"ext::touch {marker}", ("https", "ssh"))

    with pytest.raises(BadConfig, match="not allowed"):
        Remote(Command(root), hostile, timeout_seconds=10).refs()

    assert not marker.exists()


def test_address_that_looks_like_an_option_is_none(root, tmp_path):
    marker = tmp_path / "it-ran"
    hostile = Address(f"--upload-pack=touch {marker};git-upload-pack", ("file",))

    with pytest.raises(BadConfig, match="strange pathname"):
        Remote(Command(root), hostile, timeout_seconds=10).refs()

    assert not marker.exists()


def test_refs_name_branches_and_the_default():
    found = parse_refs(
        b"ref: refs/heads/trunk\tHEAD\naaa\tHEAD\n"
        b"aaa\trefs/heads/trunk\nbbb\trefs/heads/x/y\n"
    )

    assert found == RemoteRefs({"trunk": "aaa", "x/y": "bbb"}, "trunk")


@pytest.mark.parametrize(
    ("answer", "taken", "outrun"),
    [
        ("To h\n \ta:refs/heads/main\t1..2\nDone\n", True, False),
        ("To h\n*\ta:refs/heads/main\t[new branch]\nDone\n", True, False),
        ("To h\n=\ta:refs/heads/main\t[up to date]\nDone\n", True, False),
        ("To h\n!\ta:refs/heads/main\t[rejected] (fetch first)\n", False, True),
        (
            "To h\n!\ta:refs/heads/main\t[remote rejected] (failed to update ref)\n",
            False,
            True,
        ),
        (
            "To h\n!\ta:refs/heads/main\t[remote rejected] (hook declined)\n",
            False,
            False,
        ),
        ("", False, False),
        (" \ta:refs/heads/maintenance\t1..2\n", False, False),
    ],
    ids=[
        "moved",
        "created",
        "same",
        "behind",
        "raced",
        "hook",
        "silent",
        "other-branch",
    ],
)
def test_answer_of_a_push_is_read_by_its_porcelain(answer, taken, outrun):
    assert (was_taken(answer, "main"), was_outrun(answer)) == (taken, outrun)
