"""Whoever stands in the memory repository itself is in no project."""

import pytest


def layers(memory):
    return sorted(
        path.name for path in memory.iterdir() if not path.name.startswith(".")
    )


@pytest.fixture
def shared(monkeypatch):
    monkeypatch.setenv("GITMEM_MEMORY_DIR__GLOBAL_MEMORY", "global")


@pytest.mark.parametrize(
    "arguments",
    [
        ["write", "core/a.md", "--description", "a"],
        ["context"],
        ["search", "ship"],
        ["path", "--layer", "project"],
    ],
    ids=lambda value: value[0],
)
def test_the_root_of_the_memory_is_no_project(gitmem, memory, arguments):
    said = gitmem(*arguments, "--cwd", str(memory), stdin="text\n")

    assert (said.status, said.out) == (1, "")
    assert said.err == (
        f"error: {memory} is the memory repository itself, not a project.\n"
        "hint: Change to a project's folder, or to one of its layers: beacon\n"
    )
    assert layers(memory) == ["beacon"]


@pytest.mark.parametrize(
    "arguments",
    [["sync"], ["check"], ["log"], ["sync", "status"], ["doctor"], ["path"]],
    ids=" ".join,
)
def test_what_concerns_the_whole_memory_works_at_its_root(gitmem, memory, arguments):
    assert gitmem(*arguments, "--cwd", str(memory)).status == 0
    assert layers(memory) == ["beacon"]


@pytest.mark.parametrize("folder", ["beacon", "beacon/core"])
def test_a_folder_of_the_memory_means_its_layer(gitmem, memory, folder):
    cwd = ("--cwd", str(memory / folder))

    said = gitmem("write", "core/a.md", "--description", "a", *cwd, stdin="text\n")

    assert said.out.startswith("Wrote beacon/core/a.md")
    assert "core/deploy.md" in gitmem("context", *cwd).out
    assert layers(memory) == ["beacon"]


def test_a_layer_that_is_stood_in_is_not_claimed_for_the_memory_s_own_remote(
    gitmem, memory, bare_remote
):
    gitmem("remote", str(bare_remote))

    gitmem(
        *("write", "core/a.md", "--description", "a", "--cwd", str(memory / "beacon")),
        stdin="text\n",
    )

    assert not (memory / "beacon" / "PROJECT.md").exists()


def test_the_shared_layer_is_used_at_the_root_of_the_memory(gitmem, memory, shared):
    cwd = ("--cwd", str(memory))

    said = gitmem("write", "core/a.md", "--description", "a", *cwd, stdin="text\n")

    assert said.out.startswith("Wrote global/core/a.md")
    assert gitmem("context", *cwd).out.count("<memory_files") == 1
    assert gitmem("search", "text", *cwd).out.startswith("1. global/core/a.md")
    assert layers(memory) == ["beacon", "global"]


def test_a_project_below_the_memory_s_folder_stays_a_project(gitmem, memory, git):
    project = memory / "attic"
    project.mkdir()
    git("init", "--quiet", cwd=project)

    said = gitmem("path", "--layer", "project", "--cwd", str(project))

    assert said.out == f"{memory}/attic\n"
