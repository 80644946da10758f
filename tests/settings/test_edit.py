"""A setting is changed in the person's file, and nothing else is."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.errors import SettingsError, UsageError
from gitmem.settings.edit import write_value
from gitmem.settings.load import load

FILE = """\
# mine
enabled = true   # always

[memory_dir]  # where it is
local_path = "~/notes"

[sync]
branch = 'main' # odd quotes
"""


def test_a_value_is_changed_and_all_else_stays(desk):
    desk.configure(FILE)

    write_value(desk.config, "sync.branch", "trunk")

    assert desk.config.read_text("utf-8") == FILE.replace("'main'", '"trunk"')


def test_a_value_is_added_to_its_section(desk):
    desk.configure(FILE)

    write_value(desk.config, "memory_dir.repo_url", "git@example.com:me/m.git")

    assert desk.config.read_text("utf-8") == FILE.replace(
        'local_path = "~/notes"\n',
        'local_path = "~/notes"\nrepo_url = "git@example.com:me/m.git"\n',
    )


@pytest.mark.parametrize(
    "text",
    ["", "memory_dir.local_path = '/a'\n", "memory_dir = {local_path = '/a'}\n", FILE],
    ids=["empty", "dotted", "inline", "section"],
)
def test_what_was_written_is_loaded(desk, text):
    desk.configure(text)

    write_value(desk.config, "memory_dir.repo_url", "u")
    write_value(desk.config, "delivery.budget.start", 5)
    write_value(desk.config, "hooks.session_start", [])

    loaded = desk.load()
    assert loaded.problems == ()
    assert loaded.settings.memory_dir.repo_url == "u"
    assert loaded.settings.delivery.budget.start == 5
    assert loaded.settings.hooks.session_start == ()


def test_the_file_and_its_folder_are_made_private(desk):
    write_value(desk.config, "memory_dir.local_path", desk.home / "m")

    assert desk.load().settings.memory_dir.local_path == desk.home / "m"
    assert desk.config.stat().st_mode & 0o777 == 0o600
    assert desk.config.parent.stat().st_mode & 0o777 == 0o700


def test_a_value_is_removed(desk):
    desk.configure(FILE)

    write_value(desk.config, "sync.branch", None)
    write_value(desk.config, "sync.sign", None)
    write_value(desk.config, "tape.path", None)

    assert desk.config.read_text("utf-8") == FILE.replace(
        "branch = 'main' # odd quotes\n", ""
    )


def test_a_link_to_the_dotfiles_stays_a_link(desk):
    dotfiles = desk.home / "dotfiles.toml"
    dotfiles.write_text(FILE, "utf-8")
    dotfiles.chmod(0o640)
    desk.config.parent.mkdir(parents=True)
    desk.config.symlink_to(dotfiles)

    write_value(desk.config, "sync.sign", value=True)

    assert desk.config.readlink() == dotfiles
    assert "sign = true" in dotfiles.read_text("utf-8")
    assert dotfiles.stat().st_mode & 0o777 == 0o640


def test_a_wrong_key_or_value_is_a_usage_error_and_changes_nothing(desk):
    desk.configure(FILE)

    with pytest.raises(UsageError, match=r"no setting sync\.brunch"):
        write_value(desk.config, "sync.brunch", "x")
    with pytest.raises(UsageError, match=r"sync\.branch must be a branch name"):
        write_value(desk.config, "sync.branch", "a..b")

    assert desk.config.read_text("utf-8") == FILE


@pytest.mark.parametrize(
    "data",
    [b"[[[", b"\xff", b"sync = 5\n"],
    ids=["toml", "bytes", "no section"],
)
def test_a_file_that_cannot_be_understood_is_left_alone(desk, data):
    desk.configure(data)

    with pytest.raises(SettingsError):
        write_value(desk.config, "sync.branch", "trunk")

    assert desk.config.read_bytes() == data


def test_a_pipe_is_not_waited_for(desk):
    desk.config.parent.mkdir(parents=True)
    os.mkfifo(desk.config)

    with pytest.raises(SettingsError, match="not a regular file"):
        write_value(desk.config, "sync.branch", "trunk")


@settings(max_examples=25, deadline=None)
@given(prefix=st.text(st.characters(codec="utf-8", categories=["L", "N"]), max_size=9))
def test_any_url_comes_back_as_it_was_written(tmp_path_factory, prefix):
    home = tmp_path_factory.mktemp("home")
    url = f"https://example.com/{prefix}'\"\\.git"

    write_value(home / "config" / "config.toml", "memory_dir.repo_url", url)

    environment = {"HOME": str(home), "GITMEM_HOME": str(home)}
    loaded = load(home, environment=environment)
    assert loaded.settings.memory_dir.repo_url == url
