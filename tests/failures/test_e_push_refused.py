"""A push is refused, or only seems to be, or publishes too much."""

import shutil

import pytest
from tests.sync.conftest import protect

from gitmem.errors import BranchProtected, Corrupt, Offline


@pytest.fixture
def wrap(tmp_path, monkeypatch):
    """Put a program named git before the real one, for one of its commands."""

    def with_(verb: str, script: str) -> None:
        program = tmp_path / "bin" / "git"
        program.parent.mkdir()
        program.write_text(
            f"#!/bin/sh\nGIT={shutil.which('git')}\n"
            f'if [ "$1" = {verb} ]; then\n{script}\nfi\nexec "$GIT" "$@"\n',
            encoding="utf-8",
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(program.parent), prepend=":")

    return with_


def test_44_a_protected_branch_leaves_commits_in_sight(first, bare_remote, gitmem):
    protect(bare_remote)
    first.write("a.md", "a\n")

    with pytest.raises(BranchProtected, match="hook declined"):
        first.cycle()

    standing = gitmem(first, "sync", "status")
    assert standing.returncode == 1
    assert "1 commit" in standing.stdout + standing.stderr
    assert "day" in standing.stdout + standing.stderr


def test_45_a_large_file_never_gets_into_a_commit(first):
    first.write("large.md", "x" * 1_000_001)
    first.write("a.md", "a\n")

    report = first.cycle()

    assert report.pushed
    assert [each.path for each in report.refused] == ["large.md"]
    assert "1,000,000 bytes" in report.refused[0].reason
    assert "large.md" not in first.tree()
    assert "large.md" in first.disk()


def test_46_a_secret_never_reaches_a_host_that_refuses_it(first, bare_remote):
    protect(
        bare_remote,
        "while read old new ref; do git grep -q AKIA $new && exit 1; done; exit 0\n",
    )
    first.write("keys.md", "aws: AKIA" + "Q3EGRIZ7VXTWLMNO\n")
    first.write("a.md", "a\n")

    report = first.cycle()

    assert report.pushed
    assert [each.path for each in report.refused] == ["keys.md"]


def test_47_a_push_that_only_says_that_it_went_well_is_noticed(first, wrap):
    first.write("a.md", "a\n")
    wrap("push", "echo Everything up-to-date; exit 0")

    with pytest.raises(Corrupt, match="does not have it"):
        first.cycle()

    assert first.engine.status().unpushed == 1


def test_48_a_push_that_landed_is_no_failure_whatever_failed_after_it(first, wrap):
    first.write("a.md", "a\n")
    wrap("push", '"$GIT" "$@"; echo "error: a hook failed" >&2; exit 1')

    assert first.cycle().pushed
    assert first.engine.status().unpushed == 0


def test_48_a_push_whose_answer_was_lost_is_not_repeated(first, wrap):
    first.write("a.md", "a\n")
    wrap("push", '"$GIT" "$@" >/dev/null; echo "fatal: early EOF" >&2; exit 1')
    with pytest.raises(Offline):
        first.cycle()

    report = first.cycle()

    assert report.pushed is False
    assert first.engine.status().unpushed == 0
    assert first.engine.record().push.error_class is None


def test_49_a_project_around_the_memory_is_not_committed_to(
    tmp_path, git, machine, bare_remote
):
    project = tmp_path / "inside"
    git("init", "-q", "-b", "main", project, cwd=tmp_path)
    (project / "code.py").write_text("print()\n", "utf-8")
    git("add", "code.py", cwd=project)
    git("commit", "-q", "-m", "code", cwd=project)
    before = git("rev-parse", "HEAD", cwd=project)
    inside = machine("inside")
    inside.write("a.md", "a\n")

    inside.cycle()

    assert git("rev-parse", "HEAD", cwd=project) == before
    assert set(inside.tree()) == {".gitattributes", ".gitignore", "a.md"}
