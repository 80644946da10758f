"""Any store: seen by its look, imported once, as one commit, and taken back."""

from pathlib import Path

import pytest
from tests.importers.conftest import bytes_of, memories
from tests.service.conftest import Connect

from gitmem.importers import registry
from gitmem.importers.foreign import Foreign
from gitmem.service.service import Service

PLACES = {
    "basic-memory": "basic-memory/main",
    "claude-code": "claude-code/projects/-home-sam-beacon",
    "folder": "folder",
    "morten-olsen": "morten-olsen",
    "pi-memory-auto": "pi-memory-auto/project",
    "pi-memory-md": "pi-memory-md/memory-md",
    "pi-warm-memory": "pi-warm-memory",
    "tylerho": "tylerho/--home-me-code-website--",
}
each_kind = pytest.mark.parametrize(("kind", "place"), PLACES.items(), ids=PLACES)


def test_every_kind_has_a_store_here() -> None:
    assert set(PLACES) == set(registry.names())


@each_kind
def test_a_store_is_seen_by_its_look(stores: Path, kind: str, place: str) -> None:
    store = Foreign(stores / place, file_limit_bytes=1_000_000)

    assert registry.recognised(store) == kind


@each_kind
def test_a_plan_writes_nothing_and_says_what_an_import_does(
    service: Service, stores: Path, kind: str, place: str
) -> None:
    before = memories(service)
    planned = service.imports.plan(stores / place)

    assert planned.kind == kind
    assert memories(service) == before

    done = service.imports.carry_out(stores / place)

    assert done.steps == planned.steps
    assert done.counts == planned.counts


@each_kind
def test_an_import_is_one_commit_and_one_undo_takes_it_back(
    service: Service, stores: Path, kind: str, place: str
) -> None:
    before = memories(service)
    done = service.imports.carry_out(stores / place)
    commits = service.log(limit=10)

    assert done.report
    assert [each.commit for each in commits[:-1]] == [done.report.committed]
    assert kind in commits[0].subject

    service.undo()

    assert memories(service) == before


@each_kind
def test_a_second_import_changes_nothing(
    service: Service, stores: Path, kind: str, place: str
) -> None:
    service.imports.carry_out(stores / place)
    before, commits = memories(service), service.log(limit=10)
    again = service.imports.carry_out(stores / place)

    assert not again.has_work
    assert again.report is None
    assert again.counts["skipped"] > 0
    assert again.counts["created"] == again.counts["merged"] == again.anchors == 0
    assert memories(service) == before
    assert service.log(limit=10) == commits


@each_kind
def test_the_store_keeps_every_byte_and_every_date(
    service: Service, stores: Path, kind: str, place: str
) -> None:
    before = bytes_of(stores)
    service.imports.carry_out(stores / place)
    service.imports.carry_out(stores / place)

    assert bytes_of(stores) == before


@each_kind
def test_an_import_on_another_machine_that_pulled_changes_nothing(
    connected: Connect, bare_remote: Path, stores: Path, kind: str, place: str
) -> None:
    oak, elm = connected("oak"), connected("elm", project="elsewhere")
    oak.init(str(bare_remote))
    oak.imports.carry_out(stores / place)
    oak.sync()
    elm.init(str(bare_remote))
    (stores / "copy").mkdir()
    moved = (stores / place).rename(stores / "copy" / Path(place).name)
    again = elm.imports.plan(moved, kind)

    assert not again.has_work
    assert again.counts["skipped"] > 0


@each_kind
def test_an_import_changes_nothing_that_the_person_edited_and_moved(
    service: Service, stores: Path, kind: str, place: str
) -> None:
    done = service.imports.carry_out(stores / place)
    made = [each.path for each in done.steps if each.path]
    own = min(made)
    edited = service.read(str(own)).data + b"\nA line of the person's.\n"
    service.write(str(own), edited)
    service.move(str(own), f"{own.parts[0]}/elsewhere/of-my-own.md")
    before = memories(service)

    assert not service.imports.carry_out(stores / place).has_work
    assert memories(service) == before


@each_kind
def test_what_is_imported_is_found_at_once(
    service: Service, stores: Path, kind: str, place: str
) -> None:
    done = service.imports.carry_out(stores / place)
    listed = service.newest(layer="all", limit=100)

    assert {row.path for row in listed} >= {
        each.path for each in done.steps if each.path
    }


@each_kind
def test_every_memory_says_where_it_came_from(
    service: Service, stores: Path, kind: str, place: str
) -> None:
    done = service.imports.carry_out(stores / place)
    texts = [
        service.rooms.tree().read(each.path).decode().replace("\r", "")
        for each in done.steps
        if each.path
    ]

    assert texts
    assert all("\nsource: import\n" in text for text in texts)
    assert all(f"\nimported_from: {kind}\n" in text for text in texts)
