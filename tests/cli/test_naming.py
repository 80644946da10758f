"""A memory is found however it is named, and its lack is told truthfully."""

import pytest


@pytest.mark.parametrize(
    "arguments",
    [["read"], ["history"], ["check"], ["read", "--rev", "HEAD"]],
    ids=" ".join,
)
@pytest.mark.parametrize(
    "shape", ["{memory}/beacon/core/deploy.md", "./core/deploy.md"]
)
def test_a_memory_is_named_as_a_shell_or_a_start_text_does(
    gitmem, memory, arguments, shape
):
    gitmem("sync")

    said = gitmem(*arguments, shape.format(memory=memory))

    assert (said.status, said.err) == (0, "")


def test_a_restore_takes_an_absolute_path(gitmem, memory):
    gitmem("sync")

    said = gitmem("restore", f"{memory}/beacon/core/deploy.md@HEAD")

    assert (said.status, said.err) == (0, "")


def test_an_absolute_path_is_written_to(gitmem, memory):
    said = gitmem(
        *("write", f"{memory}/beacon/core/b.md", "--description", "b"), stdin="b\n"
    )

    assert said.out.startswith("Wrote beacon/core/b.md")


def test_an_absolute_path_of_another_layer_is_not_taken_for_one_of_ours(gitmem, memory):
    for layer in ("lantern", "beacon/lantern"):
        (memory / layer).mkdir()
        (memory / layer / "a.md").write_text("secret\n", "utf-8")

    said = gitmem("read", f"{memory}/lantern/a.md")

    assert (said.status, said.out) == (1, "")
    assert said.err.startswith(f"error: {memory}/lantern/a.md is in no layer that this")


@pytest.mark.parametrize("path", ["/etc/hosts.md", "{memory}/../x.md"])
def test_a_path_outside_is_told_what_paths_are_relative_to(gitmem, memory, path):
    said = gitmem("read", path.format(memory=memory))

    assert said.status == 1
    assert said.err.endswith(
        "hint: Name it relative to the project's layer, such as core/deploy.md, or to "
        "the repository's root, such as global/USER.md.\n"
    )


def test_a_picture_that_lies_there_is_not_told_to_be_renamed(gitmem, memory):
    picture = memory / "beacon" / "pic.png"
    picture.write_bytes(b"\x89PNG")

    there, lacking = gitmem("read", "pic.png"), gitmem("read", "other.png")

    assert there.err.endswith(f"hint: It lies there as it is; open {picture}.\n")
    assert lacking.err.endswith("hint: Memories end in .md; name it other.png.md.\n")


def test_a_deleted_memory_is_said_to_be_deleted(gitmem, memory):
    gitmem("sync")
    (memory / "beacon" / "core" / "deploy.md").unlink()

    said = gitmem("read", "core/deploy.md")

    assert said.err == (
        "error: beacon/core/deploy.md was deleted.\n"
        "hint: `gitmem history core/deploy.md` lists its versions; bring one back with "
        "`gitmem restore core/deploy.md@REV`.\n"
    )


def test_a_memory_that_never_was_is_not_told_to_be_synced(gitmem, memory):
    read, history = gitmem("read", "core/x.md"), gitmem("history", "core/x.md")

    assert read.err.startswith("error: beacon/core/x.md does not exist in the memory")
    assert history.err == (
        "error: beacon/core/x.md does not exist, and no commit ever held it.\n"
        "hint: Look for it with `gitmem search`.\n"
    )
    assert "gitmem sync" in gitmem("history", "core/deploy.md").err


@pytest.mark.parametrize("folder", ["core", "./core", "beacon/core", "core/deploy.md"])
def test_check_reads_a_folder_as_read_reads_a_path(gitmem, memory, folder):
    (memory / "beacon" / "notes.md").write_text("no frontmatter\n", "utf-8")

    said = gitmem("check", folder, "--json")

    assert said.json["checked"]["memories"] == 1


def test_a_shared_layer_that_is_not_there_is_told_with_the_command_for_it(gitmem):
    gitmem("init")

    refused = gitmem("write", "global/USER.md", "--description", "me", stdin="Sam\n")
    gitmem("init", "--shared", "global")

    assert refused.err.endswith(
        "hint: For a layer that all your projects share: gitmem init --shared global\n"
    )
    written = gitmem("write", "global/USER.md", "--description", "me", stdin="Sam\n")
    assert written.out.startswith("Wrote global/USER.md;")
