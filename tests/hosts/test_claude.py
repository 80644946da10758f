"""Claude Code, as people have it, begins with the memory and adds to it."""

import json
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.hosts.machine import eventually, write_json
from tests.hosts.model import say, use

from gitmem.daemon import guard

if TYPE_CHECKING:
    from tests.hosts.agents import Done

ROOT = Path(__file__).parents[2]
START = '<memory_context mode="'
TRAILERS = "%(trailers:key=Gitmem-Machine,key=Gitmem-Host,key=Gitmem-Session)"
SERVER = "mcp__plugin_gitmem_gitmem__"
TOOLS = {
    *("memory_search", "memory_read", "memory_write", "memory_sync", "memory_check"),
    *("packet_archive", "memory_recall"),
}
SKILLS = {
    "memory-digest",
    "memory-import",
    "memory-init",
    "memory-resolve",
    "memory-search",
    "memory-sync",
    "memory-write",
}
COMMANDS = {
    "memory-check",
    "memory-refresh",
    "memory-review",
    "pause-memory",
    "resume-memory",
}
REGION = "---\ndescription: the region\n---\n\nEurope.\n"
MAY_WRITE = ("--allowedTools", "Write,Edit,Bash(gitmem:*)")


def starts(asked):
    """Find the start texts in what the model was shown."""
    return [each.text for each in asked.messages if START in each.text]


def turn(talk, text):
    """Have one turn with a Claude that is driven, to its end."""
    talk.tell(type="user", message={"role": "user", "content": text})
    return talk.until(type="result")


def asked_once(claude, *arguments, **more):
    """Run one session, and say its id."""
    said = claude.ask("-p", *arguments, "--output-format", "json", **more)
    return json.loads(said.stdout)["session_id"]


def told_at_last(claude, model):
    """Go on with a session until the start text came: late is fine, twice is not."""
    model.will(*[say("Done.")] * 9)
    dones: list[Done] = []

    def is_told():
        goes_on = ["--continue"] if dones else []
        dones.append(claude.ask("-p", "Go on.", *goes_on))
        return starts(model.asked[-1])

    assert len(eventually(is_told, 120)) == 1
    assert {each.stdout.strip() for each in dones} == {"Done."}


def write_region(machine):
    path = machine.memory / "beacon" / "core" / "region.md"
    return use("Write", file_path=str(path), content=REGION)


def committed_by(machine, remote):
    """Say who committed the region, once it has reached the remote."""
    format_ = f"--format={TRAILERS}"
    path = "beacon/core/region.md"
    return eventually(
        lambda: machine.git("log", format_, "main", "--", path, cwd=remote)
    ).split()


def described_as(skill):
    """Give how the list of skills begins to tell of one."""
    text = (ROOT / "skills" / skill / "SKILL.md").read_text("utf-8")
    [line] = [line for line in text.splitlines() if line.startswith("description: ")]
    return f"- gitmem:{skill}: {line.removeprefix('description: ')[:60]}"


@pytest.fixture
def installed(with_memory, claude):
    with_memory.gitmem("host", "install", "claude-code")
    with_memory.await_daemon("claude-code")
    return claude


@pytest.fixture
def talk(installed, with_memory):
    """Give a Claude that runs on, and is driven by the test."""
    talking = installed.talk(*MAY_WRITE, "--add-dir", str(with_memory.memory))
    yield talking
    talking.close()


def test_the_start_text_reaches_the_model_once_and_stays_as_it_was(talk, model):
    turn(talk, "one")
    turn(talk, "two")

    first, second = model.asked
    assert len(starts(first)) == 1
    assert "core/deploy.md" in starts(first)[0]
    assert starts(second) == starts(first)


def test_a_session_that_is_resumed_is_not_told_again(installed, model):
    installed.ask("-p", "one")
    installed.ask("-p", "two", "--continue")

    first, second = model.asked
    assert "one" in second.said("user")
    assert len(starts(first)) == 1
    assert starts(second) == starts(first)


def test_a_fork_is_not_told_again(installed, model):
    session = asked_once(installed, "one")
    installed.ask("-p", "two", "--resume", session, "--fork-session")

    first, second = model.asked
    assert "one" in second.said("user")
    assert len(starts(first)) == 1
    assert starts(second) == starts(first)


def test_a_session_is_told_again_after_a_compaction(installed, model):
    installed.ask("-p", "one")
    installed.ask("-p", "/compact keep little", "--continue")
    model.asked.clear()
    installed.ask("-p", "three", "--continue")

    [third] = model.asked
    assert len(starts(third)) == 1
    assert "core/deploy.md" in starts(third)[0]


def test_what_the_agent_writes_is_committed_in_its_name_and_pushed(
    installed, with_memory, model, remote
):
    model.will(write_region(with_memory), say("Kept."))
    folder = str(with_memory.memory)
    session = asked_once(installed, "Remember it.", *MAY_WRITE, "--add-dir", folder)

    assert committed_by(with_memory, remote) == [
        *("Gitmem-Machine:", "oak"),
        *("Gitmem-Host:", "claude-code"),
        *("Gitmem-Session:", session),
    ]


def test_a_second_machine_is_given_what_the_first_one_wrote(
    installed, with_memory, make_machine, make_claude, model
):
    model.will(write_region(with_memory), say("Kept."))
    folder = str(with_memory.memory)
    installed.ask("-p", "Remember it.", *MAY_WRITE, "--add-dir", folder)
    eventually(lambda: with_memory.service.status().unpushed == 0)
    other = make_machine("elm")
    there = make_claude(other)
    other.gitmem("host", "install", "claude-code")
    there.ask("-p", "Where do we deploy?")

    [told] = starts(model.asked[-1])
    assert "core/region.md" in told
    assert "the region" in told


def test_what_a_killed_claude_wrote_is_committed_and_pushed(
    talk, with_memory, model, remote
):
    model.will(write_region(with_memory), say("Kept."))
    turn(talk, "Remember it.")
    talk.process.send_signal(signal.SIGKILL)

    assert "claude-code" in committed_by(with_memory, remote)


def test_the_skills_and_commands_are_offered(installed, model):
    installed.ask("-p", "one")

    [asked] = model.asked
    listed = {f"gitmem:{name}" for name in SKILLS | COMMANDS}
    assert {name for name in listed if name in asked.system} == listed
    described = {name: described_as(name) for name in SKILLS}
    assert {name for name in SKILLS if described[name] in asked.system} == SKILLS


def test_a_skill_of_the_persons_own_is_offered_beside(installed, model):
    own = installed.folder / "skills" / "memory-write" / "SKILL.md"
    own.parent.mkdir(parents=True)
    own.write_text("---\nname: memory-write\ndescription: MY OWN\n---\nx\n", "utf-8")
    installed.ask("-p", "one")

    [asked] = model.asked
    assert "- memory-write: MY OWN" in asked.system
    assert "- gitmem:memory-write:" in asked.system


def test_the_tools_are_offered_without_a_search_for_them(installed, model):
    installed.ask("-p", "one")

    [asked] = model.asked
    assert {f"{SERVER}{name}" for name in TOOLS} <= asked.tools.keys()


def test_a_tool_finds_a_memory_and_another_reads_it(installed, model):
    model.will(
        use(f"{SERVER}memory_search", query="deploy"),
        use(f"{SERVER}memory_read", path="core/deploy.md"),
        say("Run make ship."),
    )
    installed.ask("-p", "How do we deploy?", "--allowedTools", f"{SERVER}*")

    _, found, read = model.asked
    assert "core/deploy.md" in found.said("tool")
    assert "Run make ship." in read.said("tool")


@pytest.mark.parametrize(
    ("action", "is_written"),
    [("accept", True), ("decline", False), (None, False)],
    ids=["accepted", "declined", "nobody there"],
)
def test_the_person_decides_about_a_write(
    installed, with_memory, model, action, is_written
):
    answer = {"hookEventName": "Elicitation", "action": action}
    answer["content"] = {"write": True}
    said = json.dumps({"hookSpecificOutput": answer})
    hook = {"type": "command", "command": f"echo '{said}'"}
    settings = json.loads((installed.folder / "settings.json").read_text("utf-8"))
    hooks = {"Elicitation": [{"hooks": [hook]}]} if action else {}
    write_json(installed.folder / "settings.json", {**settings, "hooks": hooks})
    written = use(
        f"{SERVER}memory_write",
        path="core/region.md",
        description="the region",
        tags=["deploy"],
        body="Europe.",
    )
    model.will(written, say("I see."))
    installed.ask("-p", "Remember it.", "--allowedTools", f"{SERVER}*")

    place = with_memory.memory / "beacon" / "core" / "region.md"
    assert model.script == []
    assert place.exists() == is_written


def test_the_shell_of_the_agent_knows_the_command(installed, with_memory, model):
    model.will(use("Bash", command="gitmem path", description="x"), say("There."))
    installed.ask("-p", "Where is it?", *MAY_WRITE)

    assert str(with_memory.memory) in model.asked[1].said("tool")


def test_a_refresh_gives_the_model_the_memory_as_it_is(talk, with_memory, model):
    turn(talk, "one")
    with_memory.remember("core/region.md", "Europe.\n", "the region", "deploy")
    turn(talk, "/gitmem:memory-refresh")
    turn(talk, "three")

    before, after = starts(model.asked[-1])
    assert "core/region.md" not in before
    assert "core/region.md" in after


def test_a_paused_session_is_told_nothing_more(talk, with_memory, model):
    turn(talk, "one")
    turn(talk, "/gitmem:pause-memory")
    with_memory.remember("core/region.md", "Europe.\n", "the region", "deploy")
    turn(talk, "/gitmem:memory-refresh")
    turn(talk, "three")

    assert len(starts(model.asked[-1])) == 1


def test_a_check_says_how_the_memory_is(installed, model):
    installed.ask("-p", "/gitmem:memory-check")

    assert "not pushed:" in model.asked[0].said()


@pytest.mark.parametrize("letter", ["a", "記", "😀"], ids=["latin", "cjk", "emoji"])
def test_a_start_text_is_never_too_long_for_the_host(
    installed, with_memory, model, letter
):
    for number in range(60):
        path = with_memory.memory / "beacon" / "core" / f"{number}.md"
        path.write_text(f"---\ndescription: {letter * 400}\n---\nx\n", "utf-8")
    installed.ask("-p", "one")

    [asked] = model.asked
    assert "persisted-output" not in asked.said()
    assert len(starts(asked)) == 1
    assert starts(asked)[0].count("</memory_context>") == 1


def test_its_own_memory_is_switched_off_only_if_the_person_likes(
    with_memory, claude, model
):
    with_memory.gitmem("host", "install", "claude-code")
    claude.ask("-p", "one")
    with_memory.gitmem(
        "host", "install", "claude-code", "--replace-auto-memory", "--yes"
    )
    claude.ask("-p", "two")

    first, second = model.asked
    assert "# Memory" in first.said()
    assert "# Memory" not in second.said()


def test_the_host_itself_finds_the_plugin_valid(installed, with_memory):
    [manifest] = with_memory.home.rglob("gitmem/.claude-plugin/plugin.json")
    plugin = manifest.parents[1]
    done = installed.ask("plugin", "validate", str(plugin))
    market = installed.ask("plugin", "validate", str(plugin.parents[1]))

    assert "Validation passed" in done.stdout
    assert "Validation passed" in market.stdout


def test_it_leaves_the_settings_as_they_were(claude, machine):
    settings = claude.folder / "settings.json"
    write_json(settings, {"model": "sonnet", "permissions": {"allow": []}})
    before = settings.read_bytes()
    machine.gitmem("host", "install", "claude-code")
    machine.gitmem("host", "install", "claude-code")
    claude.ask("-p", "one")
    assert b"gitmem" in settings.read_bytes()
    machine.gitmem("host", "uninstall", "claude-code")
    claude.ask("-p", "two")

    assert settings.read_bytes() == before
    assert "gitmem" not in claude.ask("plugin", "list").stdout
    assert "gitmem" not in claude.ask("plugin", "marketplace", "list").stdout


def test_a_turn_goes_on_without_gitmem(installed, with_memory, model):
    [hooks] = with_memory.home.rglob("hooks/hooks.json")
    gone = hooks.read_text("utf-8").replace("hook/client.py", "hook/nowhere.py")
    hooks.write_text(gone, "utf-8")
    model.will(say("Done."))

    assert installed.ask("-p", "one").stdout.strip() == "Done."


def test_a_turn_goes_on_while_the_daemon_hangs(installed, with_memory, model):
    pid = guard.holder(with_memory.state) or 0
    os.kill(pid, signal.SIGSTOP)
    try:
        told_at_last(installed, model)
    finally:
        os.kill(pid, signal.SIGCONT)
