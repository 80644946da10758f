"""@morten-olsen/pi-memory: records keep their words, and get gitmem's names."""

import os
from pathlib import Path

import pytest
from tests.importers.conftest import fields, memories, named
from tests.service.conftest import Connect

from gitmem.memory.traits import traits
from gitmem.service.service import Service

PLACE = "morten-olsen"
RECORDS = "global/records"


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("Project Beacon", "records/current-focus-a1b2c3d4.md"),
        ("Project Anvil", "records/current-focus-00000001.md"),
        ("looking for a project", "records/archive/current-focus-00000000.md"),
        ("Ida must not eat peanuts", "records/peanuts-77aa.md"),
        ("peanut allergy", "records/peanuts-77aa.md"),
        ("Ask the kitchen", "records/peanuts-77aa.md"),
        ("京都への旅", "records/rejseplan-øå.md"),
        ("宿はまだ予約", "records/rejseplan-øå.md"),
        ("came from a merge", "records/duplicate-id.md"),
        ("Renew the passport", "records/closed-loop-dd.md"),
        ("faster before noon", "records/inference-ee.md"),
        ("Kafeteria Nord", "records/hand-written.md"),
        ("relations of this record", "records/broken.md"),
        ("Europe/Copenhagen", "USER.md"),
        ("call the dentist", "daily/2026-08-16.md"),
        ("a list of links", "daily/scratch.md"),
        ("weekly review", "skills/weekly-review/SKILL.md"),
        ("dinner restaurant", "activation-rules.md"),
    ],
)
def test_everything_is_found(
    service: Service, stores: Path, query: str, path: str
) -> None:
    service.imports.carry_out(stores / PLACE)
    found = [str(hit.path) for hit in service.search(query, layer="all", limit=9).hits]

    assert f"global/{path}" in found


def test_a_record_has_its_fields_under_gitmems_names(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / PLACE)
    found = fields(service, f"{RECORDS}/current-focus-a1b2c3d4.md")
    read_as = traits(found)

    assert read_as.key == "person:morten.current-focus"
    assert (read_as.kind, read_as.attention) == ("state", "ambient")
    assert read_as.subjects == ("person:morten",)
    assert read_as.domains == ("work", "projects")
    assert read_as.triggers == ("working on", "current project", "current focus")
    assert read_as.targets == ("project:beacon",)
    assert str(read_as.recorded) == "2026-08-16"
    assert str(read_as.review_after) == "2026-09-01"
    assert (found["created"], found["source"]) == ("2026-08-16", "import")
    assert found["imported_source"] == "user"


def test_a_chain_of_what_took_its_place_is_whole(
    service: Service, stores: Path
) -> None:
    done = service.imports.carry_out(stores / PLACE)
    newest = fields(service, f"{RECORDS}/current-focus-a1b2c3d4.md")
    middle = fields(service, f"{RECORDS}/current-focus-00000001.md")
    oldest = fields(service, f"{RECORDS}/archive/current-focus-00000000.md")
    warned = [text for each in done.steps for text in each.warnings]

    assert newest["supersedes"] == [middle["id"]]
    assert middle["supersedes"] == [oldest["id"]]
    assert (middle["status"], middle["ended"]) == ("superseded", "2026-08-16")
    assert "it supersedes current-focus-lost, which is not there" in warned


def test_a_date_is_read_in_whatever_form_and_a_time_is_kept(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / PLACE)
    trip = fields(service, f"{RECORDS}/rejseplan-øå.md")

    assert (trip["recorded"], trip["review_after"]) == ("2026-06-09", "2027-06-09")
    assert trip["myOwnField"] == "kept as it is"
    anvil = fields(service, f"{RECORDS}/current-focus-00000001.md")
    assert anvil["recorded"] == "2026-05-01T08:00:00.000Z"
    assert fields(service, f"{RECORDS}/peanuts-77aa.md")["updated"] == "2026-07-01"


def test_two_records_of_one_id_both_come_and_are_warned_of(
    service: Service, stores: Path
) -> None:
    done = service.imports.carry_out(stores / PLACE)
    warned = [
        each.origin
        for each in done.steps
        if "another record has the id peanuts-77aa too" in each.warnings
    ]

    assert warned == ["duplicate-id.md", "peanuts-77aa.md"]


def test_rules_are_kept_as_a_text_and_said_to_be_yours_to_write(
    service: Service, stores: Path
) -> None:
    done = service.imports.carry_out(stores / PLACE)

    assert "activation.yaml" in done.advice[0]
    assert "terms: [dinner" in memories(service)["global/activation-rules.md"]


def test_rules_that_say_nothing_are_named_only(service: Service, stores: Path) -> None:
    (stores / PLACE / "activation.yaml").write_text("# none yet\n[]\n")
    done = service.imports.plan(stores / PLACE)

    assert named(done)["activation.yaml"] == "it holds no rule"
    assert done.advice == ()


def test_what_is_derived_or_of_that_program_is_named(
    service: Service, stores: Path
) -> None:
    (stores / PLACE / "models").mkdir()
    (stores / PLACE / "models" / "large.bin").write_bytes(b"x")
    (stores / PLACE / "attachments").mkdir()
    left = named(service.imports.plan(stores / PLACE))

    assert {*left} == {
        *("config.yaml", "index.sqlite", "models", "attachments"),
        "skills/weekly-review/checklist.txt",
    }


def test_a_personal_archive_goes_where_you_say(
    connected: Connect, stores: Path
) -> None:
    oak = connected("oak")
    oak.init()
    done = oak.imports.carry_out(stores / PLACE, layer="project")

    assert {each.path.parts[0] for each in done.steps if each.path} == {"beacon"}


def test_a_wiki_by_itself_is_an_archive_and_an_empty_profile_nothing(
    service: Service, stores: Path
) -> None:
    (stores / PLACE / "profile.md").write_text("\n")
    alone = service.imports.plan(stores / PLACE / "wiki")
    done = service.imports.carry_out(stores / PLACE)

    assert alone.kind == PLACE
    assert alone.counts["created"] == 10
    assert named(done)["profile.md"] == "it is empty"
    assert not service.imports.plan(stores / PLACE / "wiki").has_work


def test_a_day_and_a_profile_that_are_there_stay(
    service: Service, stores: Path
) -> None:
    document = b"---\ndescription: mine\n---\n\nMy own.\n"
    service.write("global/USER.md", document)
    service.write("global/daily/2026-08-16.md", document)
    done = service.imports.carry_out(stores / PLACE)
    made = {each.origin: str(each.path) for each in done.steps if each.path}

    assert b"My own." in service.read("global/USER.md").data
    assert made["profile.md"] == "global/USER-2.md"
    assert made["daily/2026-08-16.md"] == "global/daily/2026-08-16-2.md"


def test_what_is_hostile_is_named_and_the_rest_goes_on(
    service: Service, stores: Path, tmp_path: Path
) -> None:
    store = stores / PLACE
    (tmp_path / "outside.md").write_text("outside\n")
    (store / "profile.md").unlink()
    (store / "profile.md").symlink_to(tmp_path / "outside.md")
    (store / "wiki" / "loop").symlink_to(store / "wiki")
    os.mkfifo(store / "wiki" / "pipe.md")
    (store / "wiki" / "nul.md").write_bytes(b"---\nid: n\n---\n\0")
    (store / "wiki" / "latin.md").write_bytes(b"---\nid: l\n---\ncaf\xe9")
    (store / "wiki" / "deep.md").write_bytes(b"---\nrelations: " + b"[" * 50_000)
    (store / "activation.yaml").unlink()
    os.mkfifo(store / "activation.yaml")
    done = service.imports.carry_out(store)
    said = {each.origin: each.action for each in done.steps}

    left = ("profile.md", "loop", "pipe.md", "nul.md", "latin.md", "activation.yaml")
    assert [said[name] for name in left] == ["left"] * len(left)
    assert done.counts["created"] == 14
    assert "outside" not in "".join(memories(service).values())
