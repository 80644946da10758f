"""What was imported, then merged: no later import brings it again."""

from pathlib import Path

from tests.importers.conftest import memories

from gitmem.memory.plans import Merge, Plan
from gitmem.service.service import Service


def merged(service: Service, keep: str, *drop: str) -> None:
    service.tags.compact(Plan((Merge(keep, drop),)), may_remove=True)


def test_what_went_into_another_memory_is_here_already(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / "folder")
    merged(service, "beacon/deploy.md", "beacon/notes/stack.md")
    merged(service, "beacon/crlf.md", "beacon/deploy.md")
    before = memories(service)

    assert "beacon/notes/stack.md" not in before
    assert not service.imports.carry_out(stores / "folder").has_work
    assert memories(service) == before


def test_what_went_into_a_memory_of_the_persons_own_is_here_already(
    service: Service, stores: Path
) -> None:
    own = b"---\ndescription: how to ship\n---\n\nMine.\n"
    service.write("beacon/core/ship.md", own)
    service.imports.carry_out(stores / "pi-memory-auto/project")
    store = stores / "pi-memory-auto/project"
    made = [each for each in memories(service) if each.startswith("beacon/decisions/")]
    merged(service, "beacon/core/ship.md", *made)

    assert made
    assert not service.imports.plan(store).has_work
    assert "imported_from:" not in memories(service)["beacon/core/ship.md"]


def test_an_entry_that_changed_since_leaves_the_whole_as_it_is(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / "folder")
    merged(service, "beacon/deploy.md", "beacon/notes/stack.md")
    changed = stores / "folder/notes/stack.md"
    changed.write_bytes(changed.read_bytes() + b"\nMore.\n")
    done = service.imports.plan(stores / "folder")
    (step,) = [each for each in done.steps if each.origin == "notes/stack.md"]

    assert step.action == "skipped"
    assert str(step.path) == "beacon/deploy.md"
