"""Which layer an import goes to."""

from pathlib import Path

import pytest
from tests.importers.conftest import memories

from gitmem.errors import UsageError
from gitmem.service.service import Service


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Make a folder with a note in it."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("Old things.\n", "utf-8")
    return folder


def test_a_layer_that_is_named_may_be_a_new_one(service: Service, notes: Path) -> None:
    done = service.imports.carry_out(notes, layer="archive")

    assert (done.layers, done.new_layers) == (("archive",), ("archive",))
    assert "archive/a.md" in memories(service)


def test_a_layer_is_found_however_its_name_is_spelled(
    service: Service, notes: Path
) -> None:
    service.imports.carry_out(notes, layer="archive")
    (notes / "b.md").write_text("More of them.\n", "utf-8")
    done = service.imports.plan(notes, layer="Archive")

    assert (done.layers, done.new_layers) == (("archive",), ())


@pytest.mark.parametrize("name", ["all", "tape", "../up", ".git", "a/b", ""])
def test_what_can_be_no_layer_is_refused(
    service: Service, notes: Path, name: str
) -> None:
    with pytest.raises(UsageError, match="An import goes to one layer"):
        service.imports.plan(notes, layer=name)
