"""Every command is listed, taught, and imported only when it is called."""

import subprocess
import sys

import click
import pytest

from gitmem.cli.group import COMMANDS, commands

SHOW = "import sys; from gitmem.cli.main import run; run({}); print(*sys.modules)"
LIBRARIES = {"git", "tantivy", "pydantic", "ruamel", "frontmatter", "ripgrepy"}

CYCLE = {
    "gitmem.repo.command",
    "gitmem.repo.repository",
    "gitmem.sync.advance",
    "gitmem.sync.apply",
    "gitmem.sync.exchange",
    "gitmem.sync.heal",
    "gitmem.sync.merge",
    "gitmem.sync.revert",
    "gitmem.sync.settle",
    "gitmem.sync.workspace",
    "tempfile",
}


def modules_after(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", SHOW.format(list(arguments))],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


def commands_in(modules: set[str]) -> set[str]:
    prefix = "gitmem.cli.commands."
    return {each.removeprefix(prefix) for each in modules if each.startswith(prefix)}


def loaded(name: str) -> click.Command:
    group = commands()
    found = group.get_command(click.Context(group), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_of_itself_what_the_list_says(name):
    assert loaded(name).name == name
    assert (loaded(name).help or "").splitlines()[0] == COMMANDS[name]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_teaches_with_an_example_and_a_next_step(gitmem, name):
    said = gitmem(name, "--help")

    assert said.status == 0
    assert f"Example:  {'cd' if name == 'path' else ''}" in said.out
    assert "Next:     " in said.out
    assert "--json" in said.out
    assert "--cwd DIR" in said.out


def test_a_group_alone_names_its_commands_in_one_line(gitmem):
    said = gitmem("packet")

    assert said.status == 2
    assert said.err == (
        "error: `gitmem packet` needs one of its commands: new, list, show, index.\n"
        "hint: See `gitmem packet --help`.\n"
    )


def test_the_list_of_commands_imports_none_of_them():
    found = modules_after("--help")

    assert commands_in(found) == set()
    assert found & LIBRARIES == set()


def test_only_the_chosen_command_is_imported(gitmem):
    found = modules_after("path", "--layer", "project")

    assert commands_in(found) == {"path"}


def test_a_known_layer_is_found_without_git_or_settings_libraries(gitmem, memory):
    found = modules_after("path", "--layer", "project")

    assert found & (LIBRARIES - {"frontmatter", "ruamel"}) == set()


def test_a_throttled_pull_starts_no_git_and_imports_none(gitmem, bare_remote):
    gitmem("init", str(bare_remote))
    gitmem("sync")

    found = modules_after("sync", "pull", "--json")

    assert commands_in(found) == {"sync"}
    assert found & LIBRARIES == set()
    assert found & CYCLE == set()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("serach", "gitmem search"),
        ("Log", "gitmem log"),
        ("status", "gitmem sync status"),
        ("ls", "gitmem list"),
        ("rename", "gitmem mv"),
        ("delete", "gitmem rm"),
        ("cat", "gitmem read"),
        ("help", "gitmem --help"),
    ],
)
def test_an_unknown_command_is_answered_with_the_one_that_is_meant(
    gitmem, typed, meant
):
    said = gitmem(typed, "x")

    assert said.status == 2
    assert said.err == (
        f"error: No such command '{typed}'.\nhint: Did you mean `{meant}`?\n"
    )


def test_an_unknown_command_that_is_like_none_is_sent_to_the_list(gitmem):
    assert gitmem("xyzzy").err.endswith("hint: `gitmem --help` lists the commands.\n")


@pytest.mark.parametrize(
    "arguments",
    [["init", "--nope"], ["search", "--tag"], ["read"], ["daemon", "stop", "--stay"]],
    ids=" ".join,
)
def test_wrong_usage_points_to_the_help_of_the_command(gitmem, arguments):
    said = gitmem(*arguments)

    assert said.status == 2
    assert said.err.endswith(f"hint: See `gitmem {arguments[0]} --help`.\n")


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["tape", "handoff"], "See `gitmem tape handoff --help`."),
        (["tape", "search", "--nope"], "See `gitmem tape search --help`."),
        (["tape", "--nope"], "See `gitmem tape --help`."),
        (["tape", "delet", "1"], "Did you mean `gitmem tape delete`?"),
        (["tape", "xyzzy"], "See `gitmem tape --help`."),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else "",
)
def test_wrong_usage_below_a_group_points_to_what_is_in_it(gitmem, arguments, meant):
    said = gitmem(*arguments)

    assert said.status == 2
    assert said.err.endswith(f"hint: {meant}\n")


@pytest.mark.parametrize("before", [[], ["log"]], ids=["gitmem", "command"])
def test_the_short_help_is_the_long_one(gitmem, before):
    said = gitmem(*before, "-h")

    assert said.status == 0
    assert said == gitmem(*before, "--help")
