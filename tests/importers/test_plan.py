"""What becomes of a find, given what is here already."""

import os
import unicodedata
from pathlib import Path

import pytest
from tests.importers.conftest import STORES, memories
from tests.service.conftest import Connect

from gitmem.errors import NotFound, UsageError
from gitmem.importers.plan import Step
from gitmem.memory.frontmatter.read import read as read_document
from gitmem.service.importing import Imported
from gitmem.service.service import Service

TOKEN = "AKIA" + "Q7RT2MZX5VLK3WPN"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Make an empty folder for notes."""
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


def note(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def step(done: Imported, origin: str) -> Step:
    return next(each for each in done.steps if each.origin == origin)


def test_a_name_that_is_taken_gets_a_number_and_nothing_is_written_over(
    service: Service, notes: Path
) -> None:
    service.write("a.md", b"Mine.\n", {"description": "mine"})
    note(notes, "a.md", "Theirs.\n")
    done = service.imports.carry_out(notes)

    assert str(step(done, "a.md").path) == "beacon/a-2.md"
    assert "beacon/a.md is there already" in step(done, "a.md").warnings[0]
    assert memories(service)["beacon/a.md"].endswith("Mine.\n")
    assert memories(service)["beacon/a-2.md"].endswith("Theirs.\n")


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("Deploy.md", "deploy.md"),
        (unicodedata.normalize("NFC", "é.md"), unicodedata.normalize("NFD", "é.md")),
    ],
    ids=["case", "unicode"],
)
def test_a_name_that_some_disks_take_for_the_same_is_taken(
    service: Service, notes: Path, here: str, there: str
) -> None:
    service.write(here, b"Mine.\n", {"description": "mine"})
    note(notes, there, "Theirs.\n")
    done = service.imports.carry_out(notes)

    assert step(done, there).path
    assert str(step(done, there).path).endswith("-2.md")


def test_two_entries_of_one_name_become_two_memories(
    service: Service, notes: Path
) -> None:
    note(notes, "Deploy.md", "One.\n")
    note(notes, "deploy.md", "Two.\n")
    service.imports.carry_out(notes)

    assert memories(service)["beacon/Deploy.md"].endswith("One.\n")
    assert memories(service)["beacon/deploy-2.md"].endswith("Two.\n")


def test_a_folder_that_is_spelled_otherwise_here_is_the_same_folder(
    service: Service, notes: Path
) -> None:
    service.write("Notes/a.md", b"Mine.\n", {"description": "mine"})
    note(notes, "notes/b.md", "Theirs.\n")
    done = service.imports.carry_out(notes)

    assert str(step(done, "notes/b.md").path) == "beacon/Notes/b.md"


def test_a_memory_that_says_the_same_gets_what_it_lacked(
    service: Service, notes: Path
) -> None:
    service.write("a.md", b"Ship it.\n", {"description": "how", "tags": ["mine"]})
    note(
        notes, "a.md", "---\ndescription: how\ntags: [theirs]\nfoo: bar\n---\nShip it."
    )
    done = service.imports.carry_out(notes)
    text = memories(service)["beacon/a.md"]

    assert done.counts == {"merged": 1}
    assert "tags: [mine, theirs]" in text
    assert "foo: bar" in text
    assert not service.imports.carry_out(notes).has_work


def test_a_memory_that_is_described_otherwise_stays_and_both_are_there(
    service: Service, notes: Path
) -> None:
    service.write("a.md", b"Ship it.\n", {"description": "mine"})
    note(notes, "a.md", "---\ndescription: theirs\n---\nShip it.\n")
    done = service.imports.carry_out(notes)

    assert done.counts == {"created": 1}
    assert "description: mine" in memories(service)["beacon/a.md"]
    assert "description: theirs" in memories(service)["beacon/a-2.md"]


def test_an_entry_that_changed_since_is_named_and_the_memory_stays(
    service: Service, notes: Path
) -> None:
    note(notes, "a.md", "We ship with make, first.\n")
    service.imports.carry_out(notes)
    note(notes, "a.md", "We ship with make, second.\n")
    again = service.imports.carry_out(notes)

    assert not again.has_work
    assert "changed since it was imported as beacon/a.md" in again.steps[0].reason
    assert memories(service)["beacon/a.md"].endswith("make, first.\n")


def test_what_is_new_in_a_store_is_imported_by_the_next_run(
    service: Service, notes: Path
) -> None:
    note(notes, "a.md", "First.\n")
    service.imports.carry_out(notes)
    note(notes, "b.md", "Second.\n")
    again = service.imports.carry_out(notes)

    assert again.counts == {"skipped": 1, "created": 1}
    assert memories(service)["beacon/b.md"].endswith("Second.\n")


def test_an_entry_with_a_credential_is_refused_and_the_rest_goes_on(
    service: Service, notes: Path
) -> None:
    note(notes, "a.md", f"aws_access_key_id = {TOKEN}\n")
    note(notes, "b.md", "Harmless.\n")
    done = service.imports.carry_out(notes)

    assert done.counts == {"refused": 1, "created": 1}
    assert "credential" in step(done, "a.md").reason
    assert TOKEN not in repr(done)
    assert not [text for text in memories(service).values() if TOKEN in text]


def test_a_credential_is_named_by_its_line_in_the_store(
    service: Service, notes: Path
) -> None:
    note(notes, "a.md", f"---\ntags: [x]\n---\naws_access_key_id = {TOKEN}\n")
    done = service.imports.plan(notes)

    assert step(done, "a.md").reason.startswith("line 4 seems to hold a credential: ")


def test_half_a_merge_is_named_by_its_line_in_the_store(
    service: Service, notes: Path
) -> None:
    note(notes, "a.md", "One\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")
    done = service.imports.plan(notes)

    assert step(done, "a.md").action == "refused"
    assert step(done, "a.md").reason == (
        "line 2 has the markers of an unsettled conflict"
    )


def test_a_note_that_is_too_large_is_refused_and_a_large_picture_is_left(
    service: Service, notes: Path
) -> None:
    note(notes, "a.md", "Words. " * 200_000)
    note(notes, "b.png", "Dots. " * 200_000)
    done = service.imports.plan(notes, "folder")

    assert done.counts == {"refused": 1, "left": 1}
    assert step(done, "a.md").reason == "it is larger than 1,000,000 bytes"


def test_a_profile_that_is_too_long_becomes_a_note(
    service: Service, notes: Path
) -> None:
    note(notes, "USER.md", "All about Sam. " * 1_000)
    done = service.imports.carry_out(notes)

    assert str(step(done, "USER.md").path) == "beacon/notes/USER.md"
    assert "8,192 bytes at most" in step(done, "USER.md").warnings[0]


def test_names_that_no_memory_may_have_are_spelled_otherwise(
    service: Service, notes: Path
) -> None:
    note(notes, "what is this?.md", "One.\n")
    note(notes, "con.md", "Two.\n")
    note(notes, "a.conflict-abcdef12.md", "Three.\n")
    note(notes, "loud.MD", "Four.\n")
    done = service.imports.carry_out(notes)

    assert {str(each.path) for each in done.steps} == {
        "beacon/what is this-.md",
        "beacon/project-con.md",
        "beacon/a-conflict-abcdef12.md",
        "beacon/loud.md",
    }


def test_under_the_strict_contract_the_tags_that_are_too_many_are_kept_aside(
    connected: Connect, notes: Path
) -> None:
    service = connected(GITMEM_TAGS__CONTRACT="strict")
    service.init()
    note(notes, "a.md", "---\ndescription: x\ntags: [a, b, c, d]\n---\nOne.\n")
    note(notes, "b.md", "Without any.\n")
    done = service.imports.carry_out(notes)
    texts = memories(service)

    assert done.counts == {"created": 2}
    assert "tags: [a, b, c]\n" in texts["beacon/a.md"]
    assert "imported_tags: [d]\n" in texts["beacon/a.md"]
    assert "tags: [folder]\n" in texts["beacon/b.md"]


def test_under_the_strict_contract_a_place_is_kept_for_the_tag_of_the_kind(
    connected: Connect, notes: Path
) -> None:
    service = connected(GITMEM_TAGS__CONTRACT="strict")
    service.init()
    for_each = "---\ndescription: x\ntags: [{0}a, {0}b, {0}c]\n---\nText {0}.\n"
    [note(notes, f"{n:02}.md", for_each.format(f"u{n}")) for n in range(70)]
    done = service.imports.carry_out(notes)
    tables = {
        name: read_document(text.encode()).fields["tags"]
        for name, text in memories(service).items()
        if name.startswith("beacon/")
    }

    assert done.counts == {"created": 70}
    assert tables["beacon/65.md"] == ["u65a", "u65b", "u65c"]
    assert tables["beacon/66.md"] == ["u66a"]
    assert tables["beacon/67.md"] == ["folder"]
    assert "imported_tags: [u67a, u67b, u67c]\n" in memories(service)["beacon/67.md"]


def test_the_layer_that_is_named_gets_all_of_it(service: Service, stores: Path) -> None:
    place = stores / "pi-memory-md" / "memory-md"
    done = service.imports.carry_out(place, layer="global")

    assert {each.path.parts[0] for each in done.steps if each.path} == {"global"}
    assert done.counts["created"] == 10


def test_the_memory_itself_is_no_store(service: Service) -> None:
    with pytest.raises(UsageError, match="is the memory repository itself"):
        service.imports.plan(service.rooms.root)


def test_a_place_where_nothing_is_is_named(service: Service, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="nothing at"):
        service.imports.plan(tmp_path / "nowhere")


def test_a_kind_that_there_is_not_is_refused(service: Service, notes: Path) -> None:
    with pytest.raises(UsageError, match="no store called mem0"):
        service.imports.plan(notes, "mem0")


def test_a_folder_without_any_memory_looks_like_none(
    service: Service, notes: Path
) -> None:
    with pytest.raises(UsageError, match="like none of the stores"):
        service.imports.plan(notes)


def test_a_hostile_store_leads_nowhere_and_ends(
    service: Service, notes: Path, tmp_path: Path
) -> None:
    outside = note(tmp_path / "outside", "secret.md", "Nobody asked for this.\n")
    (notes / "link.md").symlink_to(outside)
    (notes / "folder").symlink_to(outside.parent)
    (notes / "circle").symlink_to(notes)
    os.mkfifo(notes / "pipe.md")
    (notes / "huge.md").touch()
    os.truncate(notes / "huge.md", 1 << 40)
    (notes / "bad.md").write_bytes(b"\xff\xfe")
    (notes / "nul.md").write_bytes(b"a\0b")
    note(notes, ".hidden/a.md", "Hidden.\n")
    note(notes, "/".join(["deep"] * 40) + "/a.md", "Deep.\n")
    note(notes, "bomb.md", "---\na: &a [x]\nb: [*a, *a]\n---\nStill a text.\n")
    note(notes, "fine.md", "Fine.\n")
    done = service.imports.carry_out(notes, "folder")

    assert {each.origin for each in done.steps if each.action == "created"} == {
        "bomb.md",
        "fine.md",
    }
    assert done.counts == {"created": 2, "left": 8, "refused": 1}
    assert all(each.reason for each in done.steps if each.action == "left")
    assert not [t for t in memories(service).values() if "Nobody asked" in t]


def test_one_file_is_a_store_too(service: Service, notes: Path) -> None:
    note(notes, "a.md", "First.\n")
    note(notes, "b.md", "Second.\n")
    done = service.imports.carry_out(notes / "a.md")

    assert [each.origin for each in done.steps] == ["a.md"]


def test_what_was_not_committed_before_is_no_part_of_the_import(
    service: Service, notes: Path
) -> None:
    service.write("mine.md", b"Mine.\n", {"description": "mine"})
    note(notes, "a.md", "Theirs.\n")
    service.imports.carry_out(notes)
    service.undo()

    assert "beacon/mine.md" in memories(service)
    assert "beacon/a.md" not in memories(service)


def test_a_file_that_would_say_whose_the_layer_is_becomes_a_note(
    service: Service, notes: Path
) -> None:
    note(notes, "PROJECT.md", "---\nremotes: [example.org/evil/x]\n---\nA plan.\n")
    done = service.imports.carry_out(notes)

    assert str(step(done, "PROJECT.md").path) == "beacon/notes/PROJECT.md"
    assert "says whose a layer is" in step(done, "PROJECT.md").warnings[0]
    assert "beacon/PROJECT.md" not in memories(service)


def test_under_the_strict_contract_a_merge_keeps_to_it(
    connected: Connect, notes: Path
) -> None:
    service = connected(GITMEM_TAGS__CONTRACT="strict")
    service.init()
    service.write("a.md", b"Ship it.\n", {"description": "how", "tags": ["a", "b"]})
    note(notes, "a.md", "---\ndescription: how\ntags: [c, d]\n---\nShip it.\n")
    done = service.imports.carry_out(notes)

    assert done.counts == {"merged": 1}
    assert "tags: [a, b, c]\n" in memories(service)["beacon/a.md"]
    assert "imported_tags: [d]\n" in memories(service)["beacon/a.md"]
    assert not service.imports.carry_out(notes).has_work


def test_a_folder_that_holds_the_memory_is_no_store(
    service: Service, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="would be copied too"):
        service.imports.plan(tmp_path)


def test_a_path_that_leads_in_a_circle_is_named(
    service: Service, tmp_path: Path
) -> None:
    (tmp_path / "circle").symlink_to("circle")

    with pytest.raises(NotFound, match="nothing at"):
        service.imports.plan(tmp_path / "circle")


def words(data: bytes) -> str:
    """Give the text of a memory, however its lines are broken."""
    return " ".join(read_document(data).body_text.split())


def test_whatever_a_head_looks_like_the_text_below_it_is_all_there(
    service: Service,
) -> None:
    horrors = STORES.parent / "frontmatter"
    done = service.imports.carry_out(horrors, "folder")
    tree = service.rooms.tree()
    made = {each.origin: each.path for each in done.steps if each.action == "created"}
    lost = [
        origin
        for origin, path in made.items()
        if path and words((horrors / origin).read_bytes()) not in words(tree.read(path))
    ]

    assert len(made) >= 80
    assert done.report
    assert not done.report.refused
    assert lost == []
    assert not service.imports.plan(horrors, "folder").has_work


def test_what_cannot_be_written_is_refused_and_the_rest_is_imported(
    service: Service, notes: Path, tmp_path: Path
) -> None:
    note(notes, "fine.md", "Tests run twice.\n")
    note(notes, "sub/far.md", "Tests run thrice.\n")
    (service.rooms.root / "beacon").mkdir()
    (service.rooms.root / "beacon" / "sub").symlink_to(tmp_path)
    done = service.imports.carry_out(notes)

    assert done.counts == {"created": 1, "refused": 1}
    assert "passes through a link" in step(done, "sub/far.md").reason
    assert "beacon/fine.md" in memories(service)
    assert not (tmp_path / "far.md").exists()
