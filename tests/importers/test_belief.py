"""What counts as imported: no other project's file, and no mere word of a memory."""

from pathlib import Path, PurePosixPath

import pytest
from tests.importers.conftest import memories
from tests.service.conftest import Connect

from gitmem.importers.belief import holds
from gitmem.importers.source import Found
from gitmem.service.service import Service

SECRET = "# The journal\n\nToday the beacon was lit for the first time.\n"


def note(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, "utf-8")
    return folder


def forged(service: Service, path: str, digest: str, text: str = "Mine.\n") -> None:
    """Write a memory that says it was made of `secret.md` of a store `journal`."""
    fields = {
        "description": "a decoy",
        "imported_from": "folder",
        "imported_path": "journal/secret.md",
        "imported_digest": digest,
    }
    service.write(path, text.encode(), fields)


def two_projects(connected: Connect, tmp_path: Path) -> tuple[Service, Service]:
    """Connect two projects of one machine, each with `docs/README.md` of its own."""
    one, other = connected("oak", project="one"), connected("oak", project="other")
    one.init()
    same = "# Read me\n\nEvery project here begins with these words.\n\n"
    note(tmp_path / "oak" / "one" / "docs", "README.md", f"{same}alpha\n")
    note(tmp_path / "oak" / "other" / "docs", "README.md", f"{same}beta\n")
    return one, other


def test_stores_of_one_name_of_two_projects_are_both_imported(
    connected: Connect, tmp_path: Path
) -> None:
    one, other = two_projects(connected, tmp_path)
    one.imports.carry_out(tmp_path / "oak" / "one" / "docs")
    done = other.imports.carry_out(tmp_path / "oak" / "other" / "docs")

    assert done.counts == {"created": 1}
    assert memories(other)["one/README.md"].endswith("alpha\n")
    assert memories(other)["other/README.md"].endswith("beta\n")
    assert "one/README.md came from a file of this name" in done.steps[0].warnings[0]
    assert not one.imports.plan(tmp_path / "oak" / "one" / "docs").has_work
    assert not other.imports.plan(tmp_path / "oak" / "other" / "docs").has_work


def test_a_change_in_one_of_two_stores_of_one_name_is_told_of_its_own_memory(
    connected: Connect, tmp_path: Path
) -> None:
    one, other = two_projects(connected, tmp_path)
    docs = tmp_path / "oak" / "other" / "docs"
    one.imports.carry_out(tmp_path / "oak" / "one" / "docs")
    other.imports.carry_out(docs)
    text = (docs / "README.md").read_text("utf-8")
    note(docs, "README.md", f"{text}gamma\n")
    (step,) = other.imports.plan(docs).steps

    assert step.reason.startswith("changed since it was imported as other/README.md")


def test_a_memory_that_only_says_so_hides_no_entry(
    service: Service, tmp_path: Path
) -> None:
    forged(service, "notes/decoy.md", "0")
    journal = note(tmp_path / "journal", "secret.md", SECRET)
    done = service.imports.carry_out(journal, "folder")

    assert done.counts == {"created": 1}
    assert memories(service)["beacon/secret.md"].endswith(SECRET)
    (said,) = done.steps[0].warnings
    assert said.startswith("beacon/notes/decoy.md says that it came from here, and has")
    assert not service.imports.plan(journal, "folder").has_work


def test_many_memories_that_only_say_so_hide_no_entry(
    service: Service, tmp_path: Path
) -> None:
    more = [f"folder {number} journal/secret.md" for number in range(50)]
    decoy = {"description": "a decoy", "imported_more": more}
    service.write("notes/decoy.md", b"Mine.\n", decoy)
    journal = note(tmp_path / "journal", "secret.md", SECRET)

    assert service.imports.plan(journal, "folder").counts == {"created": 1}


def digest_of(service: Service, journal: Path) -> str:
    service.imports.carry_out(journal, "folder")
    fields = memories(service)["beacon/secret.md"].partition("imported_digest: ")[2]
    service.undo()
    return fields.splitlines()[0].strip('"')


def test_the_right_digest_in_another_layer_hides_nothing_without_the_text(
    service: Service, tmp_path: Path
) -> None:
    journal = note(tmp_path / "journal", "secret.md", SECRET)
    forged(service, "global/decoy.md", digest_of(service, journal))

    assert service.imports.carry_out(journal, "folder").counts == {"created": 1}
    assert memories(service)["beacon/secret.md"].endswith(SECRET)


def test_the_right_digest_without_the_text_is_told_in_the_own_layer(
    service: Service, tmp_path: Path
) -> None:
    journal = note(tmp_path / "journal", "secret.md", SECRET)
    forged(service, "notes/decoy.md", digest_of(service, journal))
    (step,) = service.imports.plan(journal, "folder").steps

    assert step.reason.startswith("imported already as beacon/notes/decoy.md, ")
    assert step.reason.endswith("which has hardly any of its text now")


def test_a_memory_moved_to_another_layer_and_edited_is_still_the_entry(
    service: Service, tmp_path: Path
) -> None:
    journal = note(tmp_path / "journal", "secret.md", SECRET)
    service.imports.carry_out(journal, "folder")
    service.move("beacon/secret.md", "global/journal.md")
    edited = service.read("global/journal.md").data.replace(b"first", b"second")
    service.write("global/journal.md", edited)
    before = memories(service)

    assert not service.imports.carry_out(journal, "folder").has_work
    assert memories(service) == before


def test_a_memory_that_was_written_anew_is_still_the_entry(
    service: Service, tmp_path: Path
) -> None:
    journal = note(tmp_path / "journal", "secret.md", SECRET)
    service.imports.carry_out(journal, "folder")
    service.write("secret.md", b"All of it in words of my own.\n")

    assert not service.imports.carry_out(journal, "folder").has_work


@pytest.mark.parametrize("digest", ["", "imported_digest: old\n"])
def test_what_a_file_says_of_an_import_of_its_own_is_none_of_ours(
    service: Service, tmp_path: Path, digest: str
) -> None:
    head = f"imported_id: X\nimported_more: [folder 1 st/b.md]\n{digest}"
    store = note(tmp_path / "st", "a.md", f"---\n{head}---\nhello\n")
    note(store, "b.md", "Another one.\n")
    done = service.imports.carry_out(store, "folder")
    made = service.read("a.md").data
    service.write("a.md", made + b"more\n")
    service.sync()

    assert done.counts == {"created": 2}
    assert b"imported_id" not in made
    assert b"imported_more" not in made
    assert b"imported_path: st/a.md\n" in made
    assert done.mapped["imported_id -> where this import found it"] == 1
    assert not service.imports.carry_out(store, "folder").has_work


def test_a_memory_that_says_the_same_loses_half_an_origin(
    service: Service, tmp_path: Path
) -> None:
    service.write("a.md", b"hello\n", {"description": "hello", "imported_id": "X"})
    store = note(tmp_path / "st", "a.md", "hello\n")
    service.imports.carry_out(store, "folder")
    service.write("a.md", service.read("a.md").data + b"more\n")

    assert not service.imports.carry_out(store, "folder").has_work


@pytest.mark.parametrize(
    ("memory", "entry", "is_held"),
    [
        ("", "", True),
        ("Use pnpm 8", "Use pnpm 9", True),
        ("a  line\r\nand more", "A line and\nmore", True),
        ("Ship with make ship.", "Ship with make ship. " * 7 + "And wait.", True),
        ("请在部署之前运行所有测试", "请在部署之后运行所有测试吗", True),
        ("Mine.", "Nothing in common with that.", False),
        ("x", "x-ray of the beacon", False),
        ("", "Words.", False),
    ],
    ids=["nothing", "word", "spaces", "grown", "cjk", "other", "letter", "empty"],
)
def test_a_memory_holds_an_entry_that_shares_its_text(
    memory: str, entry: str, *, is_held: bool
) -> None:
    found = Found("a.md", PurePosixPath("a.md"), entry)

    assert holds(memory.encode(), found) is is_held


def test_the_head_of_a_document_is_no_text_of_it() -> None:
    head = b"---\ndescription: x\ntags: []\ncreated: 2026-01-01\n---\n"
    found = Found("a.md", PurePosixPath("a.md"), document=head + b"Theirs.\n")

    assert not holds(head + b"Mine.\n", found)
