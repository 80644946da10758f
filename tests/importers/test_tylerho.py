"""@tylerho/pi-memory: files as they are, with what the index says of each."""

import os
from pathlib import Path

import pytest
from tests.importers.conftest import fields, memories, named

from gitmem.importers import registry
from gitmem.importers.foreign import Foreign
from gitmem.service.service import Service

SLUG = "--home-me-code-website--"
PLACE = f"tylerho/{SLUG}"
CORE = "beacon/core"
HEAD = "---\nname: n\ndescription: d\n---\n\n"


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("Integration tests must hit a real database", "feedback_testing.md"),
        ("mocked tests passed", "feedback_testing.md"),
        ("Testing rules", "feedback_testing.md"),
        ("data scientist new to React", "user_role.md"),
        ("train 9", "reference release board.md"),
        ("release train is tracked", "reference release board.md"),
        ("snapshot tests", "topics/feedback_testing.md"),
        ("no merges from 2026-03-05", "topics/merge_freeze.md"),
        ("略語の一覧", "日本語メモ.md"),
        ("検収", "日本語メモ.md"),
        ("foo2zjs", "no_frontmatter.md"),
        ("second one deploy two steps", "broken.md"),
        ("frontmatter is never closed", "unclosed.md"),
        ("PowerShell", "windows.md"),
        ("quokka", "../MEMORY.md"),
        ("a pointer to a file that was removed", "../MEMORY.md"),
    ],
)
def test_everything_is_found(
    service: Service, stores: Path, query: str, path: str
) -> None:
    service.imports.carry_out(stores / PLACE)
    found = [str(hit.path) for hit in service.search(query, limit=5).hits]

    assert os.path.normpath(f"{CORE}/{path}") in found


def test_a_hook_is_the_description_of_a_file_that_has_none(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / PLACE)
    found = fields(service, f"{CORE}/user_role.md")

    assert found["description"] == "data scientist, new to React"
    assert found["title"] == "Who the user is"
    assert found["metadata"] == {"type": "user"}


def test_a_hook_that_says_something_else_is_told_before_the_description(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / PLACE)
    found = fields(service, f"{CORE}/feedback_testing.md")

    assert found["description"] == (
        "integration tests hit a real database, never mocks"
        " — Integration tests must hit a real database"
    )


def test_the_date_is_the_one_that_it_says_or_that_of_its_file(
    service: Service, stores: Path
) -> None:
    os.utime(stores / PLACE / "user_role.md", (1_700_000_000, 1_700_000_000))
    service.imports.carry_out(stores / PLACE)

    assert fields(service, f"{CORE}/user_role.md")["updated"] == "2023-11-14"
    board = fields(service, f"{CORE}/reference release board.md")
    assert board["updated"] == "2026-09-03"


def test_a_pointer_that_is_dead_or_leads_out_is_named(
    service: Service, stores: Path
) -> None:
    left = named(service.imports.plan(stores / PLACE))

    assert left["MEMORY.md, line 8"].startswith("it points to feedback_gone.md")
    assert left["MEMORY.md, line 9"].startswith("it points out of the store")
    assert "dreams.jsonl" in left
    assert ".consolidate-lock" in left


def test_a_link_by_name_still_leads_somewhere(service: Service, stores: Path) -> None:
    service.imports.carry_out(stores / PLACE)
    dead = [
        each.message
        for each in service.check().checked.findings
        if each.path.name == "feedback_testing.md"
    ]

    assert dead == ["This link leads nowhere. (not-written-yet)"]


def test_an_index_of_nothing_but_hooks_is_no_memory(
    service: Service, stores: Path
) -> None:
    index = stores / PLACE / "MEMORY.md"
    index.write_text("# Memory\n\n- [Who](user_role.md) — data scientist\n")
    done = service.imports.carry_out(stores / PLACE)

    assert named(done)["MEMORY.md"].startswith("its lines are the descriptions")
    assert "beacon/MEMORY.md" not in memories(service)


def test_each_folder_of_several_gets_a_layer_named_by_its_sessions(
    service: Service, stores: Path
) -> None:
    agent = stores / "agent"
    other = agent / "memory" / "--home-me-code-my-app--"
    other.mkdir(parents=True)
    (other / "fact.md").write_text(f"{HEAD}A fact of the app.\n")
    (stores / PLACE).rename(agent / "memory" / SLUG)
    sessions = agent / "sessions" / SLUG
    sessions.mkdir(parents=True)
    (sessions / "a.jsonl").write_text(
        '{"type":"session","cwd":"/home/me/code/website"}\n'
    )
    done = service.imports.carry_out(agent)
    layers = {each.path.parts[0] for each in done.steps if each.path}

    assert done.kind == "tylerho"
    assert layers == {"website", "home-me-code-my-app"}


def test_a_folder_is_known_by_the_log_of_its_dreams(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "a.md").write_text(HEAD)
    (tmp_path / "kept" / "dreams.jsonl").write_text("{}\n")

    store = Foreign(tmp_path / "kept", file_limit_bytes=1_000_000)
    assert registry.recognised(store) == "tylerho"


def test_what_is_hostile_is_named_and_the_rest_goes_on(
    service: Service, stores: Path, tmp_path: Path
) -> None:
    store = stores / PLACE
    (tmp_path / "outside.md").write_text(f"{HEAD}outside\n")
    (store / "link.md").symlink_to(tmp_path / "outside.md")
    (store / "loop").symlink_to(store)
    os.mkfifo(store / "pipe.md")
    (store / "nul.md").write_bytes(HEAD.encode() + b"\0")
    (store / "latin.md").write_bytes(HEAD.encode() + b"caf\xe9")
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (store / "secret.md").write_text(f"{HEAD}token {token}\n")
    index = store / "MEMORY.md"
    index.write_text(
        index.read_text() + "- [x](" + "(" * 90_000 + "\n" + "- [" * 90_000
    )
    done = service.imports.carry_out(store)
    said = {each.origin: each for each in done.steps}
    whole = "".join(memories(service).values())

    for_nothing = [said[n].action for n in ("link.md", "loop", "pipe.md", "nul.md")]
    assert for_nothing == ["left"] * 4
    assert said["latin.md"].action == "left"
    assert said["secret.md"].action == "refused"
    assert done.counts["created"] == 11
    assert token not in whole
    assert "outside\n" not in whole
