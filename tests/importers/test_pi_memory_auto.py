"""pi-memory-auto: one memory for each entry, whatever its comment says."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.importers.conftest import memories
from tests.service.conftest import Connect

from gitmem.importers.plan import Step
from gitmem.memory.frontmatter.read import read
from gitmem.service.importing import Imported
from gitmem.service.service import Service

TOOLING = "pi-memory-auto/global/TOOLING.md"
ENTRY = (
    "<!-- mid: 2026{0:04d}-{0:04x} | t: 2026-10-11 | tags: {1} -->\nNote {0}: {1}.\n"
)
FORM = "<!-- mid: … | t: … | tags: … -->"


def only(done: Imported, name: str) -> Step:
    (step,) = [each for each in done.steps if each.id.startswith(name)]
    return step


def fields(service: Service, step: Step) -> dict[str, object]:
    return read(service.read(str(step.path)).data).fields


def test_an_entry_is_found_by_its_tags_its_words_and_its_project(
    service: Service, stores: Path
) -> None:
    done = service.imports.carry_out(stores / "pi-memory-auto/global")
    path = only(done, "20261011-a1b2 TOOLING").path

    assert path in [h.path for h in service.search(tags=("备份",), limit=9).hits]
    assert path in [h.path for h in service.search("rsync previous", limit=9).hits]
    assert path in [h.path for h in service.search("20261011-a1b2", limit=9).hits]
    assert service.read(str(path)).data.endswith(
        b"\nDeploy with `rsync --delete`; back up the previous release first.\n"
    )


def test_what_the_comment_says_becomes_fields(service: Service, stores: Path) -> None:
    done = service.imports.carry_out(stores / "pi-memory-auto/global")
    found = fields(service, only(done, "20261012-c3d4"))

    assert found["tags"] == ["deploy", "备份", "回滚"]
    assert (found["created"], found["updated"]) == ("2026-10-12", "2026-10-12")
    assert found["recorded"] == "2026-10-12T07:00:00.000Z"
    assert (found["project"], found["told_by"]) == ("website", "handoff")
    assert found["description"] == "发布之前先备份，失败时用 `deploy rollback` 回滚。"


def test_a_date_that_says_none_stays_and_is_warned_of(
    service: Service, stores: Path
) -> None:
    done = service.imports.carry_out(stores / "pi-memory-auto/global")
    step = only(done, "20261027-5555")

    assert fields(service, step)["t"] == "yesterday evening"
    assert fields(service, step)["created"] == "2026-10-27"
    assert step.warnings == ("yesterday evening is read as 2026-10-27",)


@pytest.mark.parametrize(
    ("contract", "tags", "others"),
    [
        ("free", ["a", "b", "c", "d"], ["x" * 101]),
        ("strict", ["a", "b", "c"], ["x" * 101, "d"]),
    ],
)
def test_a_tag_that_cannot_be_one_here_is_kept_beside(
    connected: Connect, stores: Path, contract: str, tags: list[str], others: list[str]
) -> None:
    service = connected(GITMEM_TAGS__CONTRACT=contract)
    service.init()
    tooling = stores / TOOLING
    tooling.write_text(ENTRY.format(7, f"a, {'x' * 101}, b, c, d"))
    done = service.imports.carry_out(tooling.parent)
    found = fields(service, only(done, "20260007"))

    assert found["tags"] == tags
    assert found["imported_tags"] == others


def test_what_is_global_there_is_shared_here_unless_you_say_otherwise(
    connected: Connect, stores: Path
) -> None:
    oak, elm = connected("oak"), connected("elm")
    oak.init()
    elm.init()
    shared = oak.imports.carry_out(stores / "pi-memory-auto/global")
    own = elm.imports.carry_out(stores / "pi-memory-auto/global", layer="project")

    assert {each.path.parts[0] for each in shared.steps if each.path} == {"global"}
    assert {each.path.parts[0] for each in own.steps if each.path} == {"beacon"}


def layers(done: Imported) -> set[str]:
    return {each.path.parts[0] for each in done.steps if each.path}


NAMES = ("USER.md", "TOOLING.md", "LESSONS.md", "DECISIONS.md", "PREFERENCES.md")


@pytest.fixture
def filled(tmp_path: Path) -> Callable[[str], Path]:
    """Give a store at a place, with files of every name."""

    def make(place: str) -> Path:
        folder = tmp_path / place
        folder.mkdir(parents=True)
        for number, name in enumerate(NAMES):
            (folder / name).write_text(ENTRY.format(number, "a"))
        return folder

    return make


@pytest.mark.parametrize(
    ("place", "given", "layer"),
    [
        ("oak/.pi/agent/memory-auto", "oak/.pi/agent/memory-auto", "global"),
        ("oak/.pi/agent/memory-auto", "oak/.pi", "global"),
        (
            "oak/.pi/agent/memory-auto",
            "oak/.pi/agent/memory-auto/DECISIONS.md",
            "global",
        ),
        ("oak/shop/.pi/agent/memory-auto", "oak/shop", "beacon"),
        ("oak/shop/.pi/agent/memory-auto", "oak/shop/.pi/agent/memory-auto", "beacon"),
        (
            "oak/shop/.pi/agent/memory-auto",
            "oak/shop/.pi/agent/memory-auto/USER.md",
            "beacon",
        ),
        ("backup", "backup", "beacon"),
    ],
)
def test_the_store_says_which_layer_and_no_file_of_it(
    service: Service,
    tmp_path: Path,
    filled: Callable[[str], Path],
    place: str,
    given: str,
    layer: str,
) -> None:
    filled(place)
    done = service.imports.plan(tmp_path / given, "pi-memory-auto")

    assert layers(done) == {layer}


def test_a_project_that_has_only_files_as_the_global_store_is_a_project(
    service: Service, stores: Path, tmp_path: Path
) -> None:
    place = tmp_path / "shop/.pi/agent"
    place.mkdir(parents=True)
    (stores / "pi-memory-auto/global").rename(place / "memory-auto")

    assert layers(service.imports.plan(tmp_path / "shop")) == {"beacon"}


def test_the_global_store_is_known_where_pi_keeps_it(
    connected: Connect, tmp_path: Path, filled: Callable[[str], Path]
) -> None:
    kept = filled("dotfiles/kept")
    (tmp_path / "of-pi").mkdir()
    (tmp_path / "of-pi/memory-auto").symlink_to(kept)
    service = connected(PI_CODING_AGENT_DIR=str(tmp_path / "of-pi"))
    service.init()

    assert layers(service.imports.plan(tmp_path / "of-pi/memory-auto")) == {"global"}


def test_a_store_of_its_own_and_its_project_are_one(
    service: Service, stores: Path
) -> None:
    project = stores / "pi-memory-auto/project"
    service.imports.carry_out(project)

    assert not service.imports.plan(project / ".pi/agent/memory-auto").has_work
    assert not service.imports.plan(
        project / ".pi/agent/memory-auto/CONVENTIONS.md"
    ).has_work


def test_the_derived_table_and_an_entry_said_twice_are_named(
    service: Service, stores: Path
) -> None:
    done = service.imports.plan(stores / "pi-memory-auto/global")
    left = {each.origin: each.reason for each in done.steps if not each.path}

    assert left["MEMORY.md"] == "it is made from the entries"
    assert left["LESSONS.md, line 15"] == "the same entry stands there twice"
    assert left["TOOLING.md.bak"] == "it is not Markdown; it stays where it is"


def test_two_entries_under_one_id_are_two_memories(
    service: Service, stores: Path
) -> None:
    tooling = stores / TOOLING
    tooling.write_text(ENTRY.format(7, "a") + ENTRY.format(7, "b"))
    done = service.imports.carry_out(tooling.parent, "pi-memory-auto")
    (first, second) = [each for each in done.steps if "20260007" in each.id]

    assert first.path != second.path
    assert b"Note 7: a." in service.read(str(first.path)).data
    assert b"Note 7: b." in service.read(str(second.path)).data
    assert not service.imports.plan(tooling.parent).has_work


def test_a_byte_order_mark_hides_no_entry(service: Service, stores: Path) -> None:
    tooling = stores / TOOLING
    tooling.write_text("\ufeff" + ENTRY.format(7, "a"))
    done = service.imports.carry_out(tooling.parent)

    assert only(done, "20260007").action == "created"


def test_a_new_entry_is_all_that_a_second_import_brings(
    service: Service, stores: Path
) -> None:
    store = stores / "pi-memory-auto/global"
    service.imports.carry_out(store)
    tooling = stores / TOOLING
    tooling.write_text(ENTRY.format(9, "new") + tooling.read_text())
    again = service.imports.carry_out(store)

    assert again.counts["created"] == 1
    assert only(again, "20260009").action == "created"


def test_thousands_of_entries_become_one_commit(service: Service, stores: Path) -> None:
    tooling = stores / TOOLING
    tooling.write_text("".join(ENTRY.format(n, f"tag {n % 90}") for n in range(1_000)))
    done = service.imports.carry_out(tooling.parent)

    assert len([each for each in done.steps if "TOOLING" in each.id]) == 1_000
    assert len(service.log(limit=10)) == 2
    assert not service.imports.plan(tooling.parent).has_work


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("NUL.md", ENTRY.format(1, "a").encode() + b"\0", "NUL"),
        ("LATIN.md", ENTRY.format(1, "a").encode() + b"\xff", "not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_the_rest_goes_on(
    service: Service, stores: Path, name: str, data: bytes, reason: str
) -> None:
    store = stores / "pi-memory-auto/global"
    (store / name).write_bytes(data)
    done = service.imports.carry_out(store)
    (step,) = [each for each in done.steps if each.origin == name]

    assert reason in step.reason
    assert done.counts["created"] == 12


def test_a_file_may_be_larger_than_a_memory_and_an_entry_may_not(
    service: Service, stores: Path
) -> None:
    tooling = stores / TOOLING
    large, small = ENTRY.format(1, "a") + "x " * 500_001, ENTRY.format(2, "b")
    tooling.write_text(f"{large}\n{small}")
    done = service.imports.carry_out(tooling.parent)

    assert only(done, "20260001").action == "refused"
    assert only(done, "20260002").action == "created"


def test_links_and_pipes_are_named_and_never_followed(
    service: Service, stores: Path, tmp_path: Path
) -> None:
    store = stores / "pi-memory-auto/global"
    (tmp_path / "outside.md").write_text(ENTRY.format(1, "outside"))
    (store / "LINK.md").symlink_to(tmp_path / "outside.md")
    (store / "FOLDER.md").symlink_to(tmp_path)
    os.mkfifo(store / "PIPE.md")
    done = service.imports.carry_out(store)
    reasons = {each.origin: each.reason for each in done.steps if not each.path}

    assert reasons["LINK.md"] == "it is a link, and none is followed"
    assert reasons["FOLDER.md"] == "it is a link, and none is followed"
    assert reasons["PIPE.md"] == "it is not a regular file"
    assert "outside" not in "".join(memories(service).values())


def test_an_entry_with_a_credential_is_refused_and_the_rest_goes_on(
    service: Service, stores: Path
) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    tooling = stores / TOOLING
    tooling.write_text(ENTRY.format(1, "a") + token + "\n" + ENTRY.format(2, "b"))
    done = service.imports.carry_out(tooling.parent)

    assert only(done, "20260001").action == "refused"
    assert only(done, "20260002").action == "created"
    assert token not in "".join(memories(service).values())
    assert token not in str(done)


def test_comments_that_begin_no_entry_are_warned_of(
    service: Service, stores: Path
) -> None:
    store = stores / "odd"
    store.mkdir()
    (store / "LESSONS.md").write_text("<!-- id=7, 2026-05-01 -->\nOne lesson.\n")
    (step,) = service.imports.plan(store, "pi-memory-auto").steps

    assert step.warnings == (f"its comments begin no entry, as none is like {FORM}",)
