"""A person's settings are never left out in silence."""

from pathlib import Path

import pytest

BROKEN = '[sync]\nbranch = "trunk"\noops\n'


@pytest.fixture
def config(empty_home: Path) -> Path:
    """Name the person's settings file, whose folder is there."""
    folder = empty_home / "gitmem" / "config"
    folder.mkdir(parents=True)
    return folder / "config.toml"


@pytest.mark.parametrize(
    "arguments",
    [
        ["path"],
        ["context"],
        ["sync"],
        ["search", "x"],
        ["check"],
        ["log"],
        ["read", "core/deploy.md"],
        ["write", "core/deploy.md"],
        ["init"],
        ["remote"],
        ["session", "list"],
        ["daemon", "status"],
    ],
    ids=" ".join,
)
def test_a_settings_file_that_is_no_toml_stops_every_command(
    gitmem, memory, config, arguments
):
    gitmem("path")
    config.write_text(BROKEN, "utf-8")

    said = gitmem(*arguments)

    assert (said.status, said.out) == (1, "")
    assert said.err.startswith(f"error: {config}: it is not valid TOML: ")
    assert "line 3" in said.err.splitlines()[0]
    assert said.err.splitlines()[1].startswith("hint: Mend that file")


def test_a_folder_in_place_of_the_settings_file_stops_a_command(gitmem, config):
    config.mkdir()

    said = gitmem("path")

    assert (said.status, said.out) == (1, "")
    assert said.err.startswith(f"error: {config}: it is not a regular file.\n")


@pytest.mark.parametrize(
    "arguments",
    [["settings"], ["completion", "fish"], ["--help"], ["sync", "--help"]],
    ids=" ".join,
)
def test_what_helps_to_mend_the_settings_works_without_them(gitmem, config, arguments):
    config.write_text(BROKEN, "utf-8")

    assert gitmem(*arguments).status == 0


def test_the_doctor_names_broken_settings_once_and_looks_no_further(gitmem, config):
    config.write_text(BROKEN, "utf-8")

    said = gitmem("doctor")

    assert said.status == 1
    assert f"broken  settings: {config}: it is not valid TOML: " in said.out
    assert "repository" not in said.out


def test_a_project_s_broken_file_stops_nothing(gitmem, memory, project):
    (project / ".gitmem.toml").write_text("oops", "utf-8")

    said = gitmem("search", "ship")

    assert (said.status, said.err) == (0, "")


@pytest.mark.parametrize(
    "line", ["sync.timeout = 'soon'", "sync.tiemout = 5"], ids=["value", "key"]
)
@pytest.mark.parametrize(
    "arguments", [["path"], ["search", "ship"], ["sync", "status"]], ids=" ".join
)
def test_a_mistake_in_the_settings_is_said_on_stderr_by_every_command(
    gitmem, memory, config, line, arguments
):
    config.write_text(f"memory_dir.global_memory = 'ours'\n{line}\n", "utf-8")
    gitmem(*arguments)

    said = gitmem(*arguments)

    assert said.status == 0
    assert said.err == (
        "warning: 1 mistake in your settings: see `gitmem settings --explain`\n"
    )
    assert "warning" not in said.out
    assert gitmem("path", "--layer", "global").out == f"{memory}/ours\n"


def test_a_mistake_in_the_settings_leaves_the_document_alone(gitmem, memory, config):
    config.write_text("sync.timeout = 'soon'\n", "utf-8")

    said = gitmem("path", "--json")

    assert said.json["path"] == str(memory)
    assert said.err.startswith("warning: 1 mistake")


def test_an_old_spelling_is_no_mistake(gitmem, memory, config):
    config.write_text("memory_dir.globalMemory = 'ours'\n", "utf-8")

    assert gitmem("search", "ship").err == ""
