"""A remote, a repository or a name that tries to run, read or redirect something."""

from importlib.metadata import version

import pytest
from packaging.version import Version

from gitmem.errors import BadConfig, Corrupt
from gitmem.repo.address import parse
from gitmem.repo.command import Command
from gitmem.repo.environment import variables
from gitmem.settings import checks


@pytest.fixture
def marker(tmp_path):
    """Name a file that no attack may make."""
    return tmp_path / "marker"


@pytest.fixture
def trap(tmp_path, marker):
    """Make a program that leaves the marker."""
    program = tmp_path / "trap"
    program.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n", "utf-8")
    program.chmod(0o755)
    return program


def test_75_no_address_is_an_option(trap):
    with pytest.raises(BadConfig):
        parse(f"--upload-pack={trap};git-upload-pack")


@pytest.mark.parametrize("name", ["-b", "--upload-pack=x", "a..b", "a b", "@{-1}"])
def test_75_no_branch_is_an_option(name):
    with pytest.raises(ValueError):
        checks.branch(name)


def test_76_no_address_runs_a_program(first, git, trap, marker):
    git("config", "--global", "protocol.allow", "always", cwd=first.root)
    git("config", "--global", "protocol.ext.allow", "always", cwd=first.root)
    with pytest.raises(BadConfig):
        parse(f"ext::{trap}")

    finished = Command(first.root).run(
        "ls-remote",
        f"ext::{trap}",
        variables=variables(first.root, protocols=("https", "ssh")),
    )

    assert finished.status != 0
    assert not marker.exists()


HARMFUL = {
    "77 fsmonitor": "core.fsmonitor",
    "78 ssh": "core.sshCommand",
    "78 hooks": "core.hooksPath",
    "78 filter": "filter.x.clean",
    "78 diff": "diff.x.textconv",
    "78 merge": "merge.x.driver",
    "78 gpg": "gpg.program",
    "78 alias": "alias.status",
    "78 include": "include.path",
    "78 credential": "credential.helper",
    "78 proxy": "core.gitProxy",
    "78 editor": "core.editor",
}


@pytest.mark.parametrize("key", HARMFUL.values(), ids=HARMFUL)
def test_77_and_78_no_key_of_the_repository_runs_anything(first, key, trap, marker):
    first.git_("config", key, trap)
    first.write("a.md", "a\n")

    with pytest.raises(BadConfig):
        first.cycle()
    with pytest.raises(BadConfig):
        first.engine.status()

    assert not marker.exists()


def test_79_attributes_of_the_remote_bind_no_program(pair, git, trap, marker):
    first, second = pair
    for key in ("filter.x.clean", "filter.x.smudge", "diff.x.textconv"):
        git("config", "--global", key, trap, cwd=first.root)
    git("config", "--global", "merge.x.driver", trap, cwd=first.root)
    second.write(".gitattributes", "* filter=x diff=x merge=x\n")
    second.write("f.md", "theirs\n")
    second.cycle()
    first.write("f.md", "ours\n")

    first.cycle()
    first.cycle()

    assert b"ours" in first.text()
    assert b"theirs" in first.text()
    assert not marker.exists()


def test_80_a_link_from_the_remote_leads_nowhere(pair):
    first, second = pair
    (second.root / "leak.md").symlink_to("/etc/passwd")
    second.git_("add", "leak.md")
    second.git_("commit", "-q", "-m", "a link")
    second.git_("push", "-q", "origin", "main")

    first.cycle()

    assert not (first.root / "leak.md").is_symlink()
    assert not (first.root / "leak.md").exists()


def test_80_a_link_that_lies_here_is_not_committed(first):
    (first.root / "leak.md").symlink_to("/etc/passwd")

    report = first.cycle()

    assert [each.path for each in report.refused] == ["leak.md"]
    assert "leak.md" not in first.tree()


def test_81_the_git_library_has_its_fixes():
    assert Version(version("GitPython")) >= Version("3.2.1")


def test_81_a_value_with_a_line_break_becomes_no_key(first):
    first.repository.set_config("branch.x.description", "y\n[core]\nhooksPath=/tmp/h")

    keys = [key for key, _ in first.repository.local_config()]
    assert "core.hookspath" not in keys


def test_84_no_submodule_is_fetched(pair, trap, marker):
    first, second = pair
    second.write(".gitmodules", f'[submodule "s"]\n\tpath = s\n\turl = ext::{trap}\n')
    second.git_("add", ".gitmodules")
    tip = second.tip()
    second.git_("update-index", "--add", "--cacheinfo", f"160000,{tip},s")
    second.git_("commit", "-q", "-m", "a submodule")
    second.git_("push", "-q", "origin", "main")

    try_to_cycle(first)

    assert not (first.root / "s").exists()
    assert not marker.exists()


def test_84_a_list_of_submodules_is_not_committed(first):
    first.write(".gitmodules", '[submodule "s"]\n\tpath = s\n\turl = ../s\n')

    report = first.cycle()

    assert [each.path for each in report.refused] == [".gitmodules"]


def try_to_cycle(machine) -> None:
    """Sync; that what came is refused as a whole would do as well."""
    try:
        machine.cycle()
    except Corrupt:
        return
