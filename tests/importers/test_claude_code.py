"""Claude Code's auto memory: what its index says comes along, one layer a project."""

from pathlib import Path

import pytest
from tests.importers.conftest import memories

from gitmem.importers.foreign import Foreign
from gitmem.importers.sources import claude_code
from gitmem.service.service import Service

PROJECT = Path("claude-code", "projects", "-home-sam-beacon")


def test_what_the_index_listed_is_listed_at_a_session_start(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / PROJECT)
    told = service.context().text

    assert "core/user_sam.md" in told
    assert "Sam writes Go and is new to React" in told
    assert "no merges after the fifth" in told
    assert "連絡先の一覧" in told


def test_a_topic_file_keeps_its_text_and_every_field(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / PROJECT)
    source = (stores / PROJECT / "memory" / "user_sam.md").read_text("utf-8")
    text = memories(service)["beacon/core/user_sam.md"]

    assert text.endswith(source.partition("\n---\n")[2])
    assert "\nname: user-sam\n" in text
    assert "\nmetadata:\n  type: user\n" in text


def test_a_hook_is_told_and_found_beside_the_description_of_its_file(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / PROJECT)
    found = [str(hit.path) for hit in service.search("frontend engineer", limit=9).hits]

    assert "beacon/core/user_sam.md" in found
    assert (
        "backend engineer, new to the frontend — Sam writes Go and is new to React"
        in service.context().text
    )


@pytest.mark.parametrize(
    ("hook", "described", "told"),
    [
        ("use just", "", "use just"),
        ("use just", "How to build", "use just — How to build"),
        ("How to Build", "how to build, and when", "how to build, and when"),
        ("how to build, and when", "How to build", "how to build, and when"),
    ],
    ids=["alone", "both", "in the description", "in the hook"],
)
def test_nothing_of_a_hook_or_a_description_is_lost_or_told_twice(
    service: Service, tmp_path: Path, hook: str, described: str, told: str
) -> None:
    store = tmp_path / "memory"
    store.mkdir()
    head = f"metadata:\n  description: {described}\n" if described else "name: a\n"
    (store / "a.md").write_text(f"---\n{head}---\n\nText.\n")
    (store / "MEMORY.md").write_text(f"- [A](a.md) — {hook}\n")
    service.imports.carry_out(store, "claude-code")

    (row,) = service.newest(limit=9)

    assert row.description == told


def test_of_a_hook_that_is_too_long_the_whole_stands_in_the_text(
    service: Service, tmp_path: Path
) -> None:
    store = tmp_path / "memory"
    store.mkdir()
    (store / "a.md").write_text(f"---\ndescription: {'old ' * 50}\n---\n\nText.\n")
    (store / "MEMORY.md").write_text(f"- [A](a.md) — {'new ' * 90}last\n")
    service.imports.carry_out(store, "claude-code")
    memory = memories(service)["beacon/core/a.md"]

    assert "new last — old old" in memory.partition("\n---\n")[2]


def test_lines_of_the_index_that_lead_nowhere_are_named_and_kept(
    service: Service, stores: Path
) -> None:
    done = service.imports.carry_out(stores / PROJECT)
    left = {each.origin: each.reason for each in done.steps if each.action == "left"}

    assert left == {
        "MEMORY.md, line 6": "it points to gone.md, which is not there",
        "MEMORY.md, line 7": "it points out of the store: ../../../secrets.md",
    }
    kept = memories(service)["beacon/MEMORY.md"]
    assert "[Gone](gone.md)" in kept
    assert "Deploys are announced in the channel first." in kept
    assert "Deploys are announced" in service.context().text


def test_the_memory_of_a_project_is_the_same_by_either_path(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / PROJECT)

    assert not service.imports.plan(stores / PROJECT / "memory").has_work


def test_all_projects_at_once_get_the_layers_of_their_names(
    service: Service, stores: Path
) -> None:
    done = service.imports.carry_out(stores / "claude-code")
    paths = {str(each.path) for each in done.steps if each.path}

    assert "beacon/core/user_sam.md" in paths
    assert "my-site/core/user_sam.md" in paths
    assert not service.imports.plan(stores / PROJECT).has_work


def test_the_memories_of_two_projects_in_one_layer_are_two(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / PROJECT, layer="global")
    other = stores / PROJECT.with_name("-home-sam-my-site")
    done = service.imports.carry_out(other, layer="global")

    assert [str(each.path) for each in done.steps if each.path] == [
        "global/core/user_sam-2.md"
    ]


def test_a_folder_of_notes_called_memory_is_not_taken_for_one(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "MEMORY.md").write_text("- a\n", "utf-8")

    store = Foreign(tmp_path / "memory", file_limit_bytes=1_000)
    assert not claude_code.looks(store)
