"""Codex begins with the memory and adds to it, once it is told to trust the hooks."""

import json

import pytest
from tests.hosts.machine import Lines, eventually
from tests.hosts.model import confirm, say, use

START = '<memory_context mode="'
TRAILERS = "%(trailers:key=Gitmem-Machine,key=Gitmem-Host,key=Gitmem-Session)"
TRUSTING = "--dangerously-bypass-hook-trust"
REGION = "---\ndescription: the region\n---\n\nEurope.\n"
# Codex begins a turn without the tools of a server that is still starting.
SERVER_READY = use("exec_command", cmd="sleep 8")
SKILLS = {"memory-import", "memory-init", "memory-search", "memory-write"}


def starts(asked):
    """Find the start texts in what the model was shown."""
    found = [each.text for each in asked.messages if each.role == "developer"]
    return [text for text in found if START in text]


@pytest.fixture
def installed(with_memory, codex):
    with_memory.gitmem("host", "install", "codex")
    with_memory.await_daemon("codex")
    return codex


@pytest.fixture
def server(installed, with_memory):
    """Give a Codex that answers questions about itself."""
    talking = Lines(with_memory, [*installed.command, "app-server"])
    about = {"name": "test", "title": "test", "version": "1"}
    talking.tell(id=1, method="initialize", params={"clientInfo": about})
    talking.until(id=1)
    talking.tell(method="initialized")
    yield talking
    talking.close()
    with_memory.model.strayed.clear()


def asked_about(server, machine, method):
    server.tell(id=2, method=method, params={"cwds": [str(machine.project)]})
    return server.until(id=2)["result"]["data"][0]


def written_by(machine, remote):
    """Say who committed the region, as soon as the remote knows."""
    shown = ["log", f"--format={TRAILERS}", "main", "--", "beacon/core/region.md"]
    return machine.git(*shown, cwd=remote)


def trust(codex, hooks):
    """Note what Codex notes when the person trusts the hooks."""
    with (codex.folder / "config.toml").open("a", encoding="utf-8") as settings:
        settings.writelines(
            f'\n[hooks.state."{each["key"]}"]\ntrusted_hash = "{each["currentHash"]}"\n'
            for each in hooks
        )


def test_the_start_text_reaches_the_model_once_and_stays_over_a_resume(
    installed, model
):
    installed.ask("exec", TRUSTING, "one")
    installed.ask("exec", TRUSTING, "resume", "--last", "two")

    first, second = model.asked
    assert len(starts(first)) == 1
    assert "core/deploy.md" in starts(first)[0]
    assert "one" in second.said("user")
    assert starts(second) == starts(first)


def test_hooks_that_are_not_trusted_do_not_run_and_doctor_says_so(
    installed, with_memory, model
):
    told = with_memory.gitmem("host", "list")
    installed.ask("exec", "one")

    assert starts(model.asked[0]) == []
    assert "gitmem context" in model.asked[0].said("user")
    assert "/hooks" in told


def test_hooks_that_are_trusted_run(installed, server, with_memory, model):
    trust(installed, asked_about(server, with_memory, "hooks/list")["hooks"])
    installed.ask("exec", "one")

    assert len(starts(model.asked[0])) == 1
    assert "/hooks" not in with_memory.gitmem("host", "list")


def test_what_the_agent_writes_is_committed_in_its_name_and_pushed(
    installed, with_memory, model, remote
):
    path = with_memory.memory / "beacon" / "core" / "region.md"
    command = f"printf '%s' '{REGION}' > {path}"
    model.will(use("exec_command", cmd=command), say("Kept."))
    mode = ("--sandbox", "danger-full-access")
    installed.ask("exec", TRUSTING, *mode, "Remember it.")

    shown = eventually(lambda: written_by(with_memory, remote)).split()
    assert shown[:4] == ["Gitmem-Machine:", "oak", "Gitmem-Host:", "codex"]
    assert shown[4] == "Gitmem-Session:"


def test_the_skills_are_offered(server, with_memory):
    found = asked_about(server, with_memory, "skills/list")["skills"]

    assert {each["name"] for each in found} >= SKILLS


def test_a_tool_finds_a_memory(installed, model):
    model.will(SERVER_READY, use("*memory_search", query="deploy"), say("Done."))
    installed.ask("exec", "How do we deploy?")

    assert "core/deploy.md" in model.asked[2].said("tool")


MAY_CALL = ("-c", 'mcp_servers.gitmem.default_tools_approval_mode="approve"')


@pytest.mark.parametrize(
    "may_call", [(), MAY_CALL], ids=["not even called", "not confirmed"]
)
def test_nothing_is_written_where_nobody_can_be_asked(
    installed, with_memory, model, may_call
):
    written = use("*memory_write", path="core/a.md", description="it", body="x")
    model.will(SERVER_READY, written, say("I see."))
    installed.ask("exec", *may_call, "Remember it.")

    assert model.script == []
    assert not (with_memory.memory / "beacon" / "core" / "a.md").exists()


def test_a_write_takes_two_steps_where_nobody_can_be_asked(
    installed, with_memory, model, remote
):
    written = use("*memory_write", path="core/region.md", description="it", body="x")
    model.will(SERVER_READY, written, confirm(written), say("Kept."))
    installed.ask("exec", TRUSTING, *MAY_CALL, "Remember it.")

    *_, first, second = model.asked
    assert '"status":"unconfirmed"' in first.said("tool")
    assert '"status":"written"' in second.said("tool")
    shown = eventually(lambda: written_by(with_memory, remote)).split()
    [rollout] = installed.folder.glob("sessions/*/*/*/rollout-*.jsonl")
    assert shown[2:4] == ["Gitmem-Host:", "codex"]
    assert rollout.stem.endswith(shown[5])


@pytest.mark.parametrize("letter", ["a", "記", "😀"], ids=["latin", "cjk", "emoji"])
def test_a_start_text_is_never_too_long_for_the_host(
    installed, with_memory, model, letter
):
    for number in range(60):
        path = with_memory.memory / "beacon" / "core" / f"{number}.md"
        path.write_text(f"---\ndescription: {letter * 400}\n---\nx\n", "utf-8")
    installed.ask("exec", TRUSTING, "one")

    [asked] = model.asked
    assert "Full hook output saved" not in asked.said()
    assert starts(asked)[0].count("</memory_context>") == 1


def test_it_leaves_the_settings_as_they_were(codex, machine):
    before = {path: path.read_bytes() for path in codex.folder.glob("*.*")}
    machine.gitmem("host", "install", "codex")
    machine.gitmem("host", "install", "codex")
    assert b"gitmem" in (codex.folder / "config.toml").read_bytes()
    machine.gitmem("host", "uninstall", "codex")

    assert {path: path.read_bytes() for path in codex.folder.glob("*.*")} == before
    assert list(codex.folder.glob("skills/memory-*")) == []


def test_a_turn_goes_on_without_gitmem(installed, with_memory, model):
    hooks = installed.folder / "hooks.json"
    gone = hooks.read_text("utf-8").replace("hook/client.py", "hook/nowhere.py")
    hooks.write_text(gone, "utf-8")
    assert json.loads(gone)
    model.will(say("Done."))

    assert "Done." in installed.ask("exec", TRUSTING, "one").stdout
