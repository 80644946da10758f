"""`gitmem import`, as a person types it."""

from pathlib import Path

import pytest
from click.shell_completion import BashComplete
from tests.cli.conftest import Gitmem

from gitmem.cli.commands import import_ as module
from gitmem.cli.group import commands
from gitmem.importers import registry

TOKEN = "AKIA" + "Q7RT2MZX5VLK3WPN"


@pytest.fixture
def notes(empty_home: Path) -> Path:
    """Make a folder with two notes in it."""
    folder = empty_home / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Alpha\n\nFirst.\n", "utf-8")
    (folder / "b.md").write_text("---\ncolour: red\n---\n# Beta\n", "utf-8")
    return folder


@pytest.fixture
def begun(gitmem: Gitmem) -> Gitmem:
    """Make the memory repository."""
    assert gitmem("init").status == 0
    return gitmem


def test_without_a_terminal_the_plan_is_shown_and_nothing_is_written(
    begun: Gitmem, notes: Path
) -> None:
    said = begun("import", str(notes))

    assert said.status == 0
    assert f"{notes} looks like a folder of Markdown files; layer beacon." in said.out
    assert "created (new): 2\n  a.md -> beacon/a.md\n" in said.out
    assert "Fields kept as they are: colour (1)." in said.out
    assert "Nothing is written yet; --yes imports it." in said.out
    assert begun("list", "--json").json == {"memories": []}


def test_with_yes_it_is_one_commit_that_undo_takes_back(
    begun: Gitmem, notes: Path
) -> None:
    said = begun("import", "--from", "folder", str(notes), "--yes")

    assert said.status == 0
    assert "`gitmem undo` takes it back" in said.out
    assert begun("search", "Alpha").out.startswith("1. beacon/a.md")
    assert "folder: notes" in begun("undo").out
    assert begun("list", "--json").json == {"memories": []}


def test_an_undo_names_what_stays_as_it_was_edited_since(
    begun: Gitmem, notes: Path
) -> None:
    begun("import", str(notes), "--yes")
    commit = begun("log", "--limit", "1").out[:12]
    begun("write", "a.md", stdin="My own words.\n")
    begun("sync")
    said = begun("undo", commit)

    assert said.status == 0
    assert "Edited since, and left as it is: beacon/a.md\n" in said.out
    assert "Changed 1 file: beacon/b.md." in said.out


def test_the_second_run_says_that_nothing_is_new(begun: Gitmem, notes: Path) -> None:
    begun("import", str(notes), "--yes")
    said = begun("import", str(notes), "--yes")

    assert said.status == 0
    assert "a.md: imported already as beacon/a.md" in said.out
    assert said.out.endswith("There is nothing new to import.\n")


@pytest.mark.parametrize(
    ("answer", "count"), [("y\n", 2), ("n\n", 0)], ids=["yes", "no"]
)
def test_on_a_terminal_the_person_is_asked(
    begun: Gitmem,
    notes: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    count: int,
) -> None:
    monkeypatch.setattr(module, "_has_person", lambda: True)
    said = begun("import", str(notes), stdin=answer)

    assert said.out.count("a.md -> beacon/a.md") == 1
    assert "Import it? [y/N]" in said.out
    assert len(begun("list", "--json").json["memories"]) == count


def test_the_plan_names_the_layers_that_get_something(
    begun: Gitmem, notes: Path
) -> None:
    (notes / "core").mkdir()
    (notes / "core" / "c.md").write_text("---\ndescription: C\n---\nC.\n", "utf-8")
    store = notes.parent / "store"
    store.mkdir()
    notes.rename(store / "website")
    said = begun("import", "--from", "pi-memory-md", str(store))

    assert "of pi-memory-md; layer website (new)." in said.out
    begun("import", "--from", "pi-memory-md", str(store), "--yes")
    again = begun("import", "--from", "pi-memory-md", str(store))
    assert "of pi-memory-md.\n" in again.out


def test_a_dry_run_never_writes(begun: Gitmem, notes: Path) -> None:
    said = begun("import", str(notes), "--dry-run", "--yes")

    assert "Nothing is written" in said.out
    assert begun("list", "--json").json == {"memories": []}


def test_the_document_names_every_step_and_never_asks(
    begun: Gitmem, notes: Path
) -> None:
    document = begun("import", str(notes), "--json").json

    assert document["kind"] == "folder"
    assert document["counts"] == {"created": 2}
    assert [each["path"] for each in document["steps"]] == [
        "beacon/a.md",
        "beacon/b.md",
    ]
    assert document["report"] is None


def test_a_credential_makes_the_status_1_and_is_never_shown(
    begun: Gitmem, notes: Path
) -> None:
    (notes / "c.md").write_text(f"aws_access_key_id = {TOKEN}\n", "utf-8")
    said = begun("import", str(notes), "--yes")

    assert said.status == 1
    assert "refused (may not be written): 1" in said.out
    assert TOKEN not in said.out + said.err
    assert len(begun("list", "--json").json["memories"]) == 2


def test_an_unknown_kind_is_refused_with_the_names_of_all(
    begun: Gitmem, notes: Path
) -> None:
    said = begun("import", "--from", "mem0", str(notes))

    assert said.status == 2
    assert "gitmem knows no store called mem0." in said.err
    assert ", ".join(registry.names()) in said.err


def test_a_name_that_could_act_on_a_terminal_is_spelled_out(
    begun: Gitmem, notes: Path
) -> None:
    (notes / "\x1b[2Jx.md").write_text("Text.\n", "utf-8")
    said = begun("import", str(notes))

    assert "\x1b[2J" not in said.out
    assert "\\u001b[2Jx.md" in said.out


def test_the_help_names_every_kind(gitmem: Gitmem) -> None:
    said = " ".join(gitmem("import", "--help").out.replace("pi-\n  ", "pi-").split())

    assert [name for name in registry.names() if name not in said] == []


def test_kinds_are_completed() -> None:
    complete = BashComplete(commands(), {}, "gitmem", "_GITMEM_COMPLETE")
    found = complete.get_completions(["import", "--from"], "pi-")

    assert [each.value for each in found] == [
        "pi-memory-auto",
        "pi-memory-md",
        "pi-warm-memory",
    ]
