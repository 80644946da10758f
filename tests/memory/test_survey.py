import os
from pathlib import PurePosixPath as P

import pytest

from gitmem.memory.survey import survey


def codes(memory):
    return sorted((str(f.path), f.code) for f in survey(memory.tree).findings)


def test_plain_files_and_folders_are_kept_account_of(memory):
    memory.put("alpha/core/a.md", "12345")
    memory.put("README.md", "")
    seen = survey(memory.tree)
    assert ({P("alpha/core/a.md"): 5, P("README.md"): 0}, ()) == (
        seen.sizes,
        seen.findings,
    )
    assert {P("alpha"), P("alpha/core")} == seen.folders


def test_gits_own_and_hidden_folders_are_left_alone(memory):
    memory.put(".git/config")
    memory.put(".obsidian/a.md")
    memory.put(".gitattributes")
    seen = survey(memory.tree)
    assert ({}, ()) == (seen.sizes, seen.findings)


def test_links_are_named_and_not_followed(memory, tmp_path):
    (tmp_path / "secret.md").touch()
    memory.put("alpha/a.md")
    (memory.root / "beta").symlink_to(tmp_path, target_is_directory=True)
    (memory.root / "alpha/b.md").symlink_to(tmp_path / "secret.md")
    (memory.root / "alpha/c.md").symlink_to("nowhere")
    (memory.root / ".gitattributes").symlink_to(tmp_path / "secret.md")
    assert [
        (".gitattributes", "link"),
        ("alpha/b.md", "link"),
        ("alpha/c.md", "link"),
        ("beta", "link"),
    ] == codes(memory)
    assert [P("alpha/a.md")] == list(survey(memory.tree).sizes)


def test_a_pipe_is_named_and_not_opened(memory):
    memory.put("alpha/a.md")
    os.mkfifo(memory.root / "alpha/b.md")
    assert [("alpha/b.md", "special-file")] == codes(memory)


@pytest.mark.parametrize("name", ["alpha/.git", "alpha/x/.git", "alpha/.GIT", ".Git"])
def test_a_repository_inside_is_named(memory, name):
    memory.put(f"{name}/config")
    assert [(name, "nested-git")] == codes(memory)


def test_a_git_file_inside_is_named(memory):
    memory.put("alpha/.git", "gitdir: ../../x\n")
    assert [("alpha/.git", "nested-git")] == codes(memory)


def test_twins_are_named_beside_the_first(memory):
    memory.put("alpha/User.md")
    memory.put("alpha/user.md")
    memory.put("Alpha/a.md")
    memory.put("beta/caf\u00e9.md")
    memory.put("beta/cafe\u0301.md")
    assert [
        ("alpha", "twin"),
        ("alpha/user.md", "twin"),
        ("beta/caf\u00e9.md", "twin"),
    ] == codes(memory)


@pytest.mark.parametrize(
    "name",
    ["con.md", "a\nb.md", "a\x1b[2J.md", "a:b.md", "a\u202eb.md", "a .", "\udcff"],
    ids=ascii,
)
def test_a_name_that_not_every_machine_can_hold_is_named(memory, name):
    memory.put(f"alpha/{name}")
    assert [(f"alpha/{name}", "bad-name")] == codes(memory)


def test_what_is_told_of_a_hostile_name_cannot_move_a_cursor(memory):
    memory.put("alpha/a\x1b[2J.md")
    memory.put("alpha/A\x1b[2J.md")
    assert all(f.message.isprintable() for f in survey(memory.tree).findings)


def test_a_deep_tree_is_no_trouble(memory):
    memory.put("a/" * 900 + "x.md")
    assert (900, 1) == (
        len(survey(memory.tree).folders),
        len(survey(memory.tree).sizes),
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read_is_named_and_the_walk_goes_on(memory):
    folder = memory.put("alpha/core/a.md").parent
    memory.put("beta/a.md")
    folder.chmod(0)
    found, sizes = codes(memory), survey(memory.tree).sizes
    folder.chmod(0o700)
    assert ([("alpha/core", "unreadable")], [P("beta/a.md")]) == (found, list(sizes))
