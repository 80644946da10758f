"""pi-memory-md: layers stay layers, and the tape and the settings come along."""

import json
from pathlib import Path

import pytest
from tests.importers.conftest import memories
from tests.service.conftest import Connect

from gitmem.service.service import Service

PLACE = Path("pi-memory-md", "memory-md")
TOKEN = "ghp_" + "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8"
SECRET = "correct horse"


def test_each_folder_becomes_the_layer_of_its_name(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / PLACE)
    made = {path for path in memories(service) if path.endswith(".md")}

    assert made == {
        "beacon/loose.md",
        "global/MEMORY.md",
        "global/USER.md",
        "my-app/core/TASK.md",
        "my-app/core/USER.md",
        "my-app/core/project/tech-stack.md",
        "my-app/daily/2026-02-14.md",
        "my-app/notes/デプロイ.md",
        "website/core/USER.md",
        "website/notes/no-head.md",
    }


def test_a_memory_keeps_its_head_and_its_text(service: Service, stores: Path) -> None:
    service.imports.carry_out(stores / PLACE)
    head, _, text = (
        (stores / PLACE / "my-app/core/TASK.md").read_text("utf-8").partition("\n---\n")
    )
    written = memories(service)["my-app/core/TASK.md"]

    assert written.startswith(head + "\nsource: import\n")
    assert written.endswith(text)


def test_one_project_alone_goes_where_the_person_stands(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / PLACE / "my-app")

    assert "beacon/core/TASK.md" in memories(service)


def test_anchors_are_on_the_tape_with_their_moment_and_place(
    service: Service, stores: Path
) -> None:
    done = service.imports.carry_out(stores / PLACE)
    records = {each.id: each for each in service.rooms.journal("my-app").records()}

    assert done.anchors == 7
    assert records["a1"].name == "task/begin"
    assert records["a1"].at.isoformat() == "2026-04-04T12:00:00+00:00"
    assert records["a1"].entry == "446b6c33"
    assert records["a1"].meta["summary"] == "Working on feature X"
    assert records["e9:2026-03-01T08:00:00.000Z:old/one"].type == "handoff"


def test_a_thread_stands_as_it_stood(
    connected: Connect, stores: Path, tmp_path: Path
) -> None:
    service = connected(
        project="my-app",
        TMPDIR=str(tmp_path / "tmp"),
        GITMEM_TAPE__ENABLED="true",
        GITMEM_TAPE__ONLY_GIT="false",
    )
    service.init()
    service.imports.carry_out(stores / PLACE)
    (thread,) = service.rooms.tape().threads()

    assert thread.title == "tape dev"
    assert thread.heads == ("n1",)
    assert [(each.id, each.parent) for each in thread.nodes] == [
        ("n1", ""),
        ("n2", "n1"),
    ]
    assert thread.nodes[0].decisions == ("append only",)
    assert thread.nodes[0].next == ("write the store",)
    assert thread.nodes[0].files == ("tape/store.ts",)
    assert thread.nodes[0].memories == ("core/project/tech-stack.md",)
    assert thread.nodes[1].summary == "review panel"


def test_lines_of_the_tape_that_say_nothing_are_named(
    service: Service, stores: Path
) -> None:
    done = service.imports.carry_out(stores / PLACE)
    left = {each.origin: each.reason for each in done.steps if each.action == "left"}

    assert left["TAPE/my-app__anchors.jsonl, line 6"] == "it is no anchor"


def test_its_settings_are_told_and_never_written(
    service: Service, stores: Path, tmp_path: Path
) -> None:
    done = service.imports.carry_out(stores / PLACE)

    assert (
        "pi-memory-md's delivery is called delivery.mode here; "
        'it was "system-prompt"' in done.advice
    )
    assert (
        "pi-memory-md's tape.anchor.keywords.global is called "
        'tape.anchor.keywords.global here; it was ["refactor"]' in done.advice
    )
    assert not list((tmp_path / "oak" / "gitmem").rglob("config.toml"))


def test_a_credential_in_its_settings_is_not_repeated(
    service: Service, stores: Path
) -> None:
    settings = stores / "pi-memory-md" / "agent" / "settings.json"
    address = f"https://sam:{TOKEN}@example.org/memory.git"
    settings.write_text('{"pi-memory-md": {"repoUrl": "' + address + '"}}', "utf-8")
    done = service.imports.plan(stores / PLACE)

    assert any("repoUrl" in each for each in done.advice)
    assert TOKEN not in repr(done)


def test_where_no_shared_layer_is_set_the_person_is_told(
    connected: Connect, stores: Path
) -> None:
    service = connected(GITMEM_MEMORY_DIR__GLOBAL_MEMORY="")
    service.init()
    done = service.imports.carry_out(stores / PLACE)

    assert "global/USER.md" in memories(service)
    assert any("gitmem init --shared global" in each for each in done.advice)


def test_an_anchor_with_a_credential_is_refused_and_the_others_are_kept(
    service: Service, stores: Path
) -> None:
    anchors = stores / PLACE / "TAPE" / "my-app__anchors.jsonl"
    text = anchors.read_text("utf-8").replace("Working on feature X", TOKEN)
    anchors.write_text(text, "utf-8")
    done = service.imports.carry_out(stores / PLACE)

    assert done.counts["refused"] == 1
    assert done.anchors == 6
    assert done.report
    assert not done.report.refused
    assert not [each for each in memories(service).values() if TOKEN in each]


def settled(stores: Path, block: dict[str, object]) -> None:
    settings = stores / "pi-memory-md" / "agent" / "settings.json"
    settings.write_text(json.dumps({"pi-memory-md": block}), "utf-8")


@pytest.mark.parametrize(
    "block",
    [
        {"token": SECRET},
        {"password": SECRET},
        {"apiKey": [SECRET]},
        {"sync": {"auth": {"value": SECRET}}},
        {"tape": {"context": {"whitelist": [{"key": SECRET}]}}},
        {"repoUrl": f"https://sam:{SECRET.replace(' ', '-')}@example.org/memory.git"},
        {TOKEN: True},
    ],
    ids=["token", "password", "list", "nested", "known", "address", "name"],
)
def test_no_value_is_told_that_may_be_a_secret(
    service: Service, stores: Path, block: dict[str, object]
) -> None:
    settled(stores, block)
    done = service.imports.plan(stores / PLACE)

    assert done.advice
    assert "horse" not in repr(done)
    assert TOKEN not in repr(done)


def test_a_key_without_a_counterpart_is_named(service: Service, stores: Path) -> None:
    settled(stores, {"autoSync": {"onTurn": True}})
    done = service.imports.plan(stores / PLACE)

    assert done.advice == ("pi-memory-md's autoSync.onTurn has no counterpart here",)


@pytest.fixture
def shared_store(tmp_path: Path) -> Path:
    """Give a store far from `~/.pi`, whose shared folder has a name of its own."""
    store = tmp_path / "elsewhere" / "mem"
    for path in ("shared/USER.md", "shop/core/deploy.md"):
        (store / path).parent.mkdir(parents=True)
        (store / path).write_text(f"---\ndescription: {path}\n---\n\nIt is so.\n")
    return store


def written_at_home(folder: Path, local_path: str) -> Path:
    settings = folder / "settings.json"
    folder.mkdir(parents=True, exist_ok=True)
    memory_dir = {"localPath": local_path, "globalMemory": "shared"}
    settings.write_text(json.dumps({"pi-memory-md": {"memoryDir": memory_dir}}))
    return settings


def test_the_settings_at_home_tell_the_shared_folder_wherever_the_store_is(
    service: Service, tmp_path: Path, shared_store: Path
) -> None:
    written_at_home(tmp_path / "oak/.pi/agent", str(shared_store))
    done = service.imports.carry_out(shared_store)

    assert {"global/USER.md", "shop/core/deploy.md"} <= memories(service).keys()
    assert any("globalMemory" in each for each in done.advice)


def test_the_settings_at_home_may_be_a_link_and_name_the_store_by_one(
    service: Service, tmp_path: Path, shared_store: Path
) -> None:
    (tmp_path / "oak/mem").symlink_to(shared_store)
    kept = written_at_home(tmp_path / "dotfiles", "~/mem")
    (tmp_path / "oak/.pi/agent").mkdir(parents=True)
    (tmp_path / "oak/.pi/agent/settings.json").symlink_to(kept)
    service.imports.carry_out(shared_store)

    assert "global/USER.md" in memories(service)


def test_pi_may_keep_its_settings_in_another_folder(
    connected: Connect, tmp_path: Path, shared_store: Path
) -> None:
    written_at_home(tmp_path / "of-pi", str(shared_store))
    service = connected(PI_CODING_AGENT_DIR=str(tmp_path / "of-pi"))
    service.init()
    service.imports.carry_out(shared_store)

    assert "global/USER.md" in memories(service)


def test_settings_that_speak_of_another_store_say_nothing_of_this_one(
    service: Service, tmp_path: Path, shared_store: Path
) -> None:
    written_at_home(tmp_path / "oak/.pi/agent", "~/.pi/memory-md")
    done = service.imports.carry_out(shared_store)

    assert "shared/USER.md" in memories(service)
    assert not any("is called" in each for each in done.advice)
    assert any("none of its folders is taken" in each for each in done.advice)


@pytest.mark.parametrize("place", ["elsewhere/mem", "oak/beacon/.pi"])
def test_no_settings_of_a_store_or_a_project_say_where_memories_go(
    service: Service, tmp_path: Path, shared_store: Path, place: str
) -> None:
    written_at_home(tmp_path / place, str(shared_store))
    service.imports.carry_out(shared_store)

    assert "shared/USER.md" in memories(service)
