"""Notes of basic-memory keep their bytes, and their tags count."""

from pathlib import Path

from tests.importers.conftest import memories

from gitmem.service.service import Service


def test_a_note_keeps_its_text_and_every_field(service: Service, stores: Path) -> None:
    place = stores / "basic-memory" / "main"
    service.imports.carry_out(place)
    source = (place / "Coffee Brewing.md").read_text("utf-8")
    text = memories(service)["beacon/Coffee Brewing.md"]

    assert text.endswith(source.partition("\n---\n")[2])
    assert "\ntitle: Coffee Brewing Methods\n" in text
    assert "\ntype: note\n" in text
    assert "\npermalink: main/coffee-brewing-methods\n" in text
    assert "\nmodified: 2025-04-12T10:00:00\n" in text


def test_the_tags_of_observations_are_found_like_any(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / "basic-memory" / "main")

    assert _found(service, "water-temperature") == ["beacon/Coffee Brewing.md"]
    assert _found(service, "ethiopia") == ["beacon/Coffee Bean Origins.md"]
    assert _found(service, "beans") == ["beacon/Coffee Bean Origins.md"]
    assert _found(service, "期限") == ["beacon/設計.md"]
    assert _found(service, "headless") == ["beacon/untitled.md"]


def test_what_only_looks_like_an_observation_has_no_tags(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / "basic-memory" / "main")

    assert _found(service, "not-a-tag") == []
    assert _found(service, "codeblock") == []
    assert _found(service, "fragment") == []


def test_a_note_is_described_by_its_title_and_what_it_says_first(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / "basic-memory" / "main")
    rows = {str(row.path): row for row in service.newest(limit=100)}

    assert rows["beacon/grinding.md"].description == (
        "Grinding: Grind just before brewing."
    )
    assert rows["beacon/Coffee Brewing.md"].created == "2025-03-01"
    assert rows["beacon/Coffee Brewing.md"].updated == "2025-04-12"


def test_a_source_that_a_note_names_stays_known(service: Service, stores: Path) -> None:
    service.imports.carry_out(stores / "basic-memory" / "main")

    assert "\nimported_source: a book\n" in memories(service)["beacon/grinding.md"]


def test_relations_are_links_that_are_checked(service: Service, stores: Path) -> None:
    service.imports.carry_out(stores / "basic-memory" / "main")
    findings = service.check().checked.findings
    dead = [each.message for each in findings if "link" in each.code]

    assert len(dead) == 1
    assert "A note that is not there" in dead[0]


def test_a_head_that_cannot_be_read_stands_in_the_text(
    service: Service, stores: Path
) -> None:
    done = service.imports.carry_out(stores / "basic-memory" / "main")
    step = next(each for each in done.steps if each.origin == "broken.md")

    assert "line 2: A bracket" in step.warnings[0]
    assert "title: [Never closed\n" in memories(service)["beacon/broken.md"]


def _found(service: Service, tag: str) -> list[str]:
    return [str(hit.path) for hit in service.search(tags=(tag,), limit=10).hits]
