"""What a store looks like, and what that leads to in a second run."""

from pathlib import Path

import pytest

from gitmem.importers import registry
from gitmem.importers.foreign import Foreign
from gitmem.service.service import Service

DESCRIBED = "---\ndescription: How it is deployed\n---\nSteps.\n"
OF_BASIC_MEMORY = "---\npermalink: main/tea\n---\nTea.\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Make a folder with a `core` in it."""
    (tmp_path / "store" / "core").mkdir(parents=True)
    return tmp_path / "store"


def kind(store: Path) -> str:
    return registry.recognised(Foreign(store, file_limit_bytes=1_000_000))


def test_a_core_of_plain_notes_is_a_folder_like_any_other(store: Path) -> None:
    (store / "core" / "plan.md").write_text("# Plan\n", "utf-8")

    assert kind(store) == "folder"


def test_a_core_of_described_memories_is_pi_memory_mds(store: Path) -> None:
    (store / "core" / "deploy.md").write_text(DESCRIBED, "utf-8")

    assert kind(store) == "pi-memory-md"
    assert kind(store.parent) == "pi-memory-md"


def test_one_note_of_basic_memory_makes_no_store_of_it(store: Path) -> None:
    (store / "tea.md").write_text(OF_BASIC_MEMORY, "utf-8")
    (store / "plan.md").write_text("# Plan\n", "utf-8")

    assert kind(store) == "folder"


def test_a_store_that_was_taken_for_another_kind_is_not_imported_again(
    service: Service, store: Path
) -> None:
    (store / "core" / "deploy.md").write_text(DESCRIBED, "utf-8")
    service.imports.carry_out(store, "folder")
    done = service.imports.carry_out(store)

    assert done.kind == "pi-memory-md"
    assert done.counts == {"skipped": 1}
