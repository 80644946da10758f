"""The reference says what the program says; `cli.reference` writes it."""

from pathlib import Path

import pytest

from gitmem.cli import reference
from gitmem.cli.group import COMMANDS

DOCS = Path(__file__).parents[2] / "docs" / "reference"
PAGES = reference.command_pages()


def test_every_command_has_a_page_and_no_page_is_left_over():
    found = {path.name for path in (DOCS / "commands").iterdir()}

    assert found == {f"{name}.md" for name in COMMANDS}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_command_says_of_itself(name):
    assert (DOCS / "commands" / name).read_text("utf-8") == PAGES[name]


def test_the_page_on_exit_statuses_lists_every_error():
    page = (DOCS / "exit-codes.md").read_text("utf-8")

    assert page == reference.exit_page()
