"""The memory repository begins, and finds its remote."""

import pytest

from gitmem.errors import UsageError


def test_a_relative_address_means_one_from_the_folder_of_the_call(
    connected, bare_remote
):
    begun = connected().init("../../remote.git")

    assert (begun.made, begun.url) == ("cloned", str(bare_remote))


def test_a_shared_layer_is_written_to_the_settings(connected):
    service = connected(GITMEM_MEMORY_DIR__GLOBAL_MEMORY="")

    begun = service.init(shared="common")

    config = service.rooms.loaded.folders.config / "config.toml"
    assert begun.settings == ("memory_dir.global_memory = common",)
    assert 'global_memory = "common"' in config.read_text("utf-8")


def test_settings_that_name_another_remote_are_not_overruled(connected, bare_remote):
    service = connected(GITMEM_MEMORY_DIR__REPO_URL="https://git.example.org/m.git")

    with pytest.raises(UsageError, match="already names another remote"):
        service.init(str(bare_remote))


def test_the_remote_of_the_settings_is_used_without_naming_it(connected, bare_remote):
    service = connected(GITMEM_MEMORY_DIR__REPO_URL=str(bare_remote))

    assert service.init().url == str(bare_remote)


def test_a_new_remote_is_written_where_the_old_one_stood(connected, bare_remote):
    config = connected().rooms.loaded.folders.config
    config.mkdir(parents=True)
    (config / "config.toml").write_text(
        f'[memory_dir]\nrepo_url = "{bare_remote}"  # mine\n', "utf-8"
    )
    service = connected()
    service.init()

    service.remote("https://git.example.org/m.git")

    assert (config / "config.toml").read_text("utf-8") == (
        '[memory_dir]\nrepo_url = "https://git.example.org/m.git"  # mine\n'
    )
    assert connected().remote() == "https://git.example.org/m.git"


def test_a_remote_from_a_variable_is_changed_there(connected, bare_remote):
    service = connected(GITMEM_MEMORY_DIR__REPO_URL=str(bare_remote))
    service.init()

    with pytest.raises(UsageError, match="set by GITMEM_MEMORY_DIR__REPO_URL"):
        service.remote("https://git.example.org/m.git")


@pytest.mark.parametrize(
    ("written", "name"),
    [("../x", "x"), ("~/memory/ours/", "ours"), (" ours ", "ours"), ("..", "global")],
)
def test_the_shared_layer_is_written_down_by_the_name_that_is_used(
    connected, written, name
):
    service = connected(GITMEM_MEMORY_DIR__GLOBAL_MEMORY="")

    begun = service.init(shared=written)

    assert begun.settings == (f"memory_dir.global_memory = {name}",)


@pytest.mark.parametrize("written", ["", "tape", ".hidden", "a:b"])
def test_a_name_that_no_shared_layer_can_have_is_wrong_usage(connected, written):
    service = connected()

    with pytest.raises(UsageError, match="cannot be the name of the shared layer"):
        service.init(shared=written)

    assert not service.path().exists()
