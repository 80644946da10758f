"""gitmem's folders are where platformdirs would put them."""

import os
from pathlib import Path

import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix

from gitmem.settings.folders import Folders, folders, repository_folder
from gitmem.settings.places import expanded, places

VARIABLES = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
             "XDG_CACHE_HOME")  # fmt: skip
ENVIRONMENTS = {
    "plain": {"HOME": "/home/me"},
    "slash": {"HOME": "/home/me/"},
    "root": {"HOME": "/"},
    "xdg": {"HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_CACHE_HOME": "/k/"},
    "all": dict(zip(VARIABLES, ("/h", "/c", "/d", "/s", "/k"), strict=True)),
    "relative": {"HOME": "/h", "XDG_STATE_HOME": "state", "XDG_DATA_HOME": ""},
    "tilde": {"HOME": "/h", "XDG_DATA_HOME": "~/data"},
}


@pytest.mark.parametrize("name", ENVIRONMENTS)
@pytest.mark.parametrize(
    ("platform", "theirs"), [("linux", Unix), ("darwin", MacOS)], ids=["linux", "mac"]
)
def test_the_folders_are_those_of_platformdirs(monkeypatch, platform, theirs, name):
    [monkeypatch.delenv(variable, raising=False) for variable in VARIABLES]
    [monkeypatch.setenv(*pair) for pair in ENVIRONMENTS[name].items()]
    own = theirs("gitmem", appauthor=False)

    found = places(ENVIRONMENTS[name], platform)

    assert found == (
        own.user_config_dir,
        own.user_data_dir,
        own.user_state_dir,
        own.user_cache_dir,
    )


def test_elsewhere_platformdirs_is_asked(monkeypatch):
    environment = {"HOME": "/h", "ANDROID_DATA": "/data"}
    monkeypatch.setenv("HOME", "/h")
    [monkeypatch.delenv(name) for name in VARIABLES if name != "HOME"]

    assert places(environment) == ()
    assert places({"HOME": "/h"}, "freebsd14") == ()
    assert folders(environment) == folders({"HOME": "/h"})


def test_gitmem_home_moves_everything():
    assert folders({"HOME": "/h", "GITMEM_HOME": "~/g"}) == Folders(
        Path("/h/g/config"), Path("/h/g/data"), Path("/h/g/state"), Path("/h/g/cache")
    )


def test_a_repository_has_one_folder_however_it_is_reached(tmp_path):
    (tmp_path / "memory").mkdir()
    (tmp_path / "link").symlink_to("memory")
    base = tmp_path / "state"

    found = repository_folder(base, tmp_path / "link")

    assert found == repository_folder(base, tmp_path / "memory")
    assert found != repository_folder(base, tmp_path / "other")
    assert found.parent == base / "repositories"
    assert len(os.fspath(found.name)) == 16


def test_without_a_home_a_tilde_is_the_home_of_the_account(monkeypatch):
    monkeypatch.setenv("HOME", "/from/the/process")

    assert expanded("~/x", {}) == "/from/the/process/x"
    assert [expanded(path, {"HOME": "/h/"}) for path in ("~", "~/", "~you", "a~")] == [
        "/h",
        "/h/",
        "~you",
        "a~",
    ]
