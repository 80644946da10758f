from typing import get_args

import pytest

from gitmem.delivery import registry
from gitmem.delivery.view import View
from gitmem.errors import SettingsError
from gitmem.settings.model import StartSection, TurnSection


def test_every_name_that_settings_accept_is_known() -> None:
    accepted = {*get_args(StartSection), *get_args(TurnSection)}
    assert sorted(accepted) == list(registry.names())


@pytest.mark.parametrize(
    "name", ["status", "profile", "daily", "index", "files", "tags"]
)
def test_a_file_in_the_folder_is_a_section(name: str, view: View) -> None:
    assert registry.blocks(name, view)


@pytest.mark.parametrize("name", registry.RESERVED)
def test_a_section_that_comes_later_gives_nothing(name: str, view: View) -> None:
    assert registry.blocks(name, view) == ()


@pytest.mark.parametrize("name", ["", "os", "..view", "Files", "__init__"], ids=repr)
def test_an_unknown_section_is_refused_with_the_known_ones(
    name: str, view: View
) -> None:
    with pytest.raises(SettingsError) as refusal:
        registry.blocks(name, view)
    assert "files" in refusal.value.hint
