"""pi-warm-memory: its packets are packets here, and what its index knows is kept."""

import json
import os
from datetime import date
from pathlib import Path

import pytest
from tests.importers.conftest import memories
from tests.service.conftest import Connect

from gitmem.packets import read as packets
from gitmem.packets.packet import Packet
from gitmem.service.importing import Imported
from gitmem.service.packet_answers import Wanted
from gitmem.service.service import Service

PLACE = "pi-warm-memory"
HISTORY = f"{PLACE}/.pi/history"
AUTH = "2026-05-05T05-47-04.250Z-handoff-auth-refactor.md"


def packet(service: Service, done: Imported, name: str) -> Packet:
    (path,) = [
        each.path for each in done.steps if name in each.origin + each.id and each.path
    ]
    found = packets.read(service.read(str(path)).data)
    assert found is not None
    return found


def named(done: Imported) -> dict[str, str]:
    return {each.origin: each.reason for each in done.steps if not each.path}


def test_a_handoff_keeps_every_field(service: Service, stores: Path) -> None:
    found = packet(service, service.imports.carry_out(stores / PLACE), AUTH)
    told, origin = found.told, found.origin

    assert found.at.isoformat() == "2026-05-05T05:47:04.250000+00:00"
    assert (told.kind, told.topic) == ("handoff", "auth refactor")
    assert told.goal == "Replace the session cookie by a signed token"
    assert told.decisions == (
        "JWT with RS256, keys rotated monthly",
        "Old cookies stay valid until 2026-06-01",
    )
    assert told.files == ("src/auth.ts", "src/session-validator.ts")
    assert told.commands == ("`pnpm test auth`",)
    assert (told.blockers, told.questions) == ((), ("Who rotates the keys?",))
    assert told.next == "Write the rotation job"
    assert told.tags == ("auth", "backend")
    assert told.summary.endswith("rotation of keys is next.")
    assert origin.session == "019dc293-286f-7000-bdee-8e943b88d6a5"
    assert origin.parent == "019dc100-0000-7000-bdee-000000000001"
    assert (origin.repo, origin.cwd) == ("my-project", "/home/me/code/my-project")


def test_a_checkpoint_keeps_every_field(service: Service, stores: Path) -> None:
    done = service.imports.carry_out(stores / PLACE)
    told = packet(service, done, "checkpoint-token-rotation.md").told

    assert (told.kind, told.task) == ("checkpoint", "token rotation")
    assert told.changes == ("The rotation job runs in staging",)
    assert told.risk == "The clock of the staging host drifts by a minute"
    assert told.pending == ("Keep two keys or three?",)
    assert told.next == "Measure the drift"
    assert told.files == ("src/rotate.ts",)


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        (Wanted("auth refactor"), "auth-refactor"),
        (Wanted("rotation", tags=("auth", "rotation")), "token-rotation"),
        (Wanted("検索"), "検索の改善"),
        (Wanted("索引を作り直す"), "検索の改善"),
        (Wanted("compress logs"), "disk-usage"),
        (Wanted("disk", since=date(2026, 6, 2)), "disk-usage"),
        (Wanted("staging", kind="checkpoint"), "token-rotation"),
        (Wanted("only this line is left"), "the-packet-that-is-gone"),
        (Wanted("heron"), "a-task-with-a-very-long-name"),
    ],
)
def test_every_packet_is_recalled(
    service: Service, stores: Path, wanted: Wanted, name: str
) -> None:
    service.imports.carry_out(stores / PLACE)
    hits = service.packets.recall(wanted).hits

    assert any(name in str(hit.path) for hit in hits)


def test_a_packet_of_more_than_a_packet_may_have_loses_nothing(
    service: Service, stores: Path
) -> None:
    done = service.imports.carry_out(stores / PLACE)
    told = packet(service, done, "checkpoint-long.md").told

    assert len(told.changes) == 70
    assert {f"tag{number}" for number in range(30)} <= set(told.tags)
    assert len(told.summary) > 800


def test_what_fits_into_no_head_stands_in_the_notes(
    service: Service, stores: Path
) -> None:
    tags = [f"tag{number}" for number in range(20_000)]
    names = [f"{number}-{'字' * 400}.md" for number in range(128)]
    (stores / HISTORY / "packets" / "2026" / "05" / "many-handoff-many.md").write_text(
        f"# Handoff Packet\n- Topic: many\n- Tags: {', '.join(tags)}\n"
        "- Files Touched:\n" + "".join(f"  - {name}\n" for name in names)
    )
    done = service.imports.carry_out(stores / PLACE)
    found = packet(service, done, "many-handoff-many.md")
    text = next(text for text in memories(service).values() if tags[-1] in text)

    assert found.told.tags == tuple(tags[:100])
    assert found.told.files == tuple(names[: len(found.told.files)])
    assert all(name in text for name in (*tags, *names))


def test_a_file_outside_the_project_is_told_in_the_notes(
    service: Service, stores: Path
) -> None:
    done = service.imports.carry_out(stores / PLACE)
    told = packet(service, done, "not-in-the-index.md").told
    text = "".join(memories(service).values())

    assert told.files == ("scripts/compress.sh",)
    assert "- /etc/logrotate.conf\n- ../outside/of/the/project.sh" in text


def test_lines_of_the_index_that_lead_nowhere_are_named(
    service: Service, stores: Path
) -> None:
    left = named(service.imports.plan(stores / PLACE))

    assert "index.jsonl, line 5" not in left
    assert "leads out of the store" in left["index.jsonl, line 6"]
    assert "leads out of the store" in left["index.jsonl, line 7"]
    assert left["index.jsonl, line 8"] == "it names no packet"
    assert left["index.jsonl, line 9"] == "it is not JSON"
    assert left["index.jsonl, line 10"] == "it is no object"


def test_a_packet_that_is_gone_is_told_once(service: Service, stores: Path) -> None:
    steps = service.imports.plan(stores / PLACE).steps
    (gone,) = (each for each in steps if each.id.endswith("-lost.md"))

    assert gone.action == "created"
    assert gone.warnings == (
        "it is not there, so this is what line 5 of index.jsonl says",
    )


def test_a_history_and_its_project_are_one_store(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / PLACE)

    assert not service.imports.plan(stores / HISTORY).has_work


def test_packets_without_an_index_and_an_index_without_packets_are_stores(
    connected: Connect, stores: Path
) -> None:
    oak, elm = connected("oak"), connected("elm")
    oak.init()
    elm.init()
    other = stores / "other"
    other.mkdir()
    (stores / HISTORY / "index.jsonl").rename(other / "index.jsonl")

    bare = oak.imports.carry_out(stores / HISTORY)
    told = packet(oak, bare, AUTH).told
    assert (told.topic, told.tags) == ("auth refactor", ("auth", "backend"))
    lines = elm.imports.carry_out(other, layer="project")
    assert packet(elm, lines, AUTH).told.summary.startswith("Replaced the session")


@pytest.mark.parametrize(
    "repos", [("oak-app", "elm-app"), ("oak-app",)], ids=["two", "one"]
)
def test_a_history_that_lies_in_no_project_is_shared_out(
    service: Service, stores: Path, repos: tuple[str, ...]
) -> None:
    lines = [
        {
            "version": 1,
            "kind": "packet-ref",
            "packetKind": "handoff",
            "timestamp": "2026-05-05T05:47:04Z",
            "path": f"packets/2026/05/{repo}.md",
            "topic": f"of {repo}",
            "summary": "s",
            "repo": repo,
        }
        for repo in repos
    ]
    history = stores / "history"
    history.mkdir()
    (history / "index.jsonl").write_text("\n".join(map(json.dumps, lines)))
    done = service.imports.carry_out(history)

    assert done.layers == tuple(sorted(repos))


def test_the_index_that_is_printed_again_names_the_same_packets(
    service: Service, stores: Path
) -> None:
    service.imports.carry_out(stores / PLACE)
    printed = [each for each in service.packets.index() if each.get("topic")]
    topics = {each["topic"]: each["timestamp"] for each in printed}

    assert topics["auth refactor"] == "2026-05-05T05:47:04.250Z"
    assert topics["検索の改善"] == "2026-06-01T00:00:00.000Z"
    assert len(topics) == 6


def test_what_is_hostile_is_named_and_the_rest_goes_on(
    service: Service, stores: Path, tmp_path: Path
) -> None:
    history = stores / HISTORY
    folder = history / "packets" / "2026" / "08"
    folder.mkdir()
    (tmp_path / "outside.md").write_text("# Handoff Packet\n- Topic: outside\n")
    (folder / "link-handoff-a.md").symlink_to(tmp_path / "outside.md")
    os.mkfifo(folder / "pipe-handoff-b.md")
    (folder / "nul-handoff-c.md").write_bytes(b"# Handoff Packet\n- Topic: c\0\n")
    (folder / "latin-handoff-d.md").write_bytes(b"# Handoff Packet\n- Topic: \xe9\n")
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (folder / "e.md").write_text(f"# Handoff Packet\n- Topic: e\n- Goal: {token}\n")
    (folder / "f.md").write_text("# Handoff Packet\n- Goal: " + " x" * 300_000 + "\n")
    (folder / "readme.md").write_text("Only words among the packets: pelican.\n")
    with (history / "index.jsonl").open("ab") as index:
        index.write(b'{"kind":' * 50_000 + b"\n" + b"\xff\xfe\0\n" + b"x" * 2_000_000)
    done = service.imports.carry_out(stores / PLACE)
    said = {each.origin.rpartition("/")[2]: each.action for each in done.steps}
    whole = "".join(memories(service).values())

    odd = ("link-handoff-a.md", "pipe-handoff-b.md", "nul-handoff-c.md")
    assert [said[name] for name in (*odd, "latin-handoff-d.md")] == ["left"] * 4
    assert said["e.md"] == "refused"
    assert said["f.md"] == "created"
    assert "pelican" in whole
    assert token not in whole
    assert "outside\n" not in whole
