"""opencode begins with the memory and adds to it."""

import json

import pytest
from tests.hosts.machine import eventually
from tests.hosts.model import confirm, say, use

START = '<memory_context mode="'
TRAILERS = "%(trailers:key=Gitmem-Machine,key=Gitmem-Host,key=Gitmem-Session)"
REGION = "---\ndescription: the region\n---\n\nEurope.\n"


def starts(asked):
    """Find the start texts in what the model was shown."""
    return [each.text for each in asked.messages if START in each.text]


@pytest.fixture
def installed(with_memory, opencode):
    with_memory.gitmem("host", "install", "opencode")
    with_memory.await_daemon("opencode")
    return opencode


def test_the_start_text_reaches_the_model_once_and_stays_over_a_resume(
    installed, model
):
    installed.ask("run", "one")
    installed.ask("run", "-c", "two")

    first, second = model.asked
    assert len(starts(first)) == 1
    assert "core/deploy.md" in starts(first)[0]
    assert "one" in second.said("user")
    assert starts(second) == starts(first)


def test_the_start_text_stands_in_the_system_prompt_if_the_person_likes(
    make_machine, model, opencode, with_memory
):
    with_memory.more["GITMEM_DELIVERY__MODE"] = "system-prompt"
    with_memory.gitmem("host", "install", "opencode")
    opencode.ask("run", "one")
    opencode.ask("run", "-c", "two")

    first, second = model.asked
    assert [first.system.count(START), second.system.count(START)] == [1, 1]
    assert START not in second.said("user")


def test_what_the_agent_writes_is_committed_in_its_name_and_pushed(
    installed, with_memory, model, remote
):
    path = with_memory.memory / "beacon" / "core" / "region.md"
    written = use("bash", command=f"printf '%s' '{REGION}' > {path}", description="x")
    model.will(written, say("Kept."))
    installed.ask("run", "Remember it.", OPENCODE_PERMISSION='{"*": "allow"}')

    format_ = f"--format={TRAILERS}"
    place = "beacon/core/region.md"
    shown = eventually(
        lambda: with_memory.git("log", format_, "main", "--", place, cwd=remote)
    ).split()
    assert shown[:4] == ["Gitmem-Machine:", "oak", "Gitmem-Host:", "opencode"]


@pytest.mark.parametrize("is_allowed", [True, False], ids=["allowed", "not allowed"])
def test_its_own_tools_reach_the_memory_where_the_person_allows_it(
    installed, with_memory, model, is_allowed
):
    allowed = {f"{with_memory.memory}/*": "allow"} if is_allowed else {}
    path = with_memory.memory / "beacon" / "core" / "region.md"
    model.will(use("write", filePath=str(path), content=REGION), say("Kept."))
    permission = json.dumps({"external_directory": allowed})
    installed.ask("run", "Remember it.", OPENCODE_PERMISSION=permission)

    assert path.exists() == is_allowed


def test_the_tools_and_skills_are_offered(installed, model):
    installed.ask("run", "one")

    [asked] = model.asked
    assert {"gitmem_memory_search", "gitmem_memory_write"} <= asked.tools.keys()
    offered = asked.system + "".join(str(tool) for tool in asked.tools.values())
    assert "memory-import" in offered + str(asked.body)


def test_a_tool_finds_a_memory(installed, model):
    model.will(use("gitmem_memory_search", query="deploy"), say("Run make ship."))
    installed.ask("run", "How do we deploy?")

    assert "core/deploy.md" in model.asked[1].said("tool")


def test_a_write_takes_two_steps_where_nobody_can_be_asked(
    installed, with_memory, model
):
    tool = "gitmem_memory_write"
    written = use(tool, path="core/region.md", description="it", body="x")
    place = with_memory.memory / "beacon" / "core" / "region.md"
    model.will(written, say("I see."))
    installed.ask("run", "Remember the region.")
    was_written = place.exists()
    model.will(written, confirm(written), say("I see."))
    installed.ask("run", "Remember the region.")

    assert "NOT written yet" in model.asked[1].said("tool")
    assert [was_written, place.exists()] == [False, True]


def test_it_leaves_the_settings_as_they_were(opencode, machine):
    before = {path: path.read_bytes() for path in opencode.folder.glob("*.*")}
    machine.gitmem("host", "install", "opencode")
    machine.gitmem("host", "install", "opencode")
    machine.gitmem("host", "uninstall", "opencode")

    assert {path: path.read_bytes() for path in opencode.folder.glob("*.*")} == before
    assert not (opencode.folder / "plugin").exists()
    assert not (opencode.folder / "skill").exists()


def test_a_turn_goes_on_without_gitmem(installed, model):
    plugin = installed.folder / "plugin" / "gitmem.js"
    text = plugin.read_text("utf-8").replace("hook/client.py", "hook/nowhere.py")
    plugin.write_text(text, "utf-8")
    model.will(say("Done."))

    assert "Done." in installed.ask("run", "one").stdout


def test_a_command_archives_a_packet_and_another_recalls_it(installed, model, machine):
    said = {"kind": "handoff", "topic": "auth refactor", "summary": "JWT now."}
    model.will(use("gitmem_packet_archive", **said), say("It is archived."))
    installed.ask("run", "--command", "archive-session", "hand off the auth work")
    archived = model.asked[-1]
    model.will(
        use("gitmem_memory_recall", query="auth refactor", kinds=["packet"]),
        say("I go on from there."),
    )

    installed.ask("run", "--command", "recall", "auth refactor")

    assert "hand off the auth work" in archived.said("user")
    assert "Archived beacon/packets/" in archived.said("tool")
    [path] = (machine.memory / "beacon" / "packets").rglob("*.md")
    assert path.name in model.asked[-1].said("tool")
