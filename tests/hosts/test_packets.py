"""A packet of a session on one machine is recalled in a session on another."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from tests.hosts.agents import Claude, Pi, installed
from tests.hosts.machine import eventually
from tests.hosts.model import say, use

SERVER = "mcp__plugin_gitmem_gitmem__"
AUTH = {
    "kind": "handoff",
    "topic": "認証 auth refactor",
    "summary": "JWT in place of cookies.",
    "tags": ["auth", "backend"],
    "decisions": ["an hour of life"],
    "next": "Write the migration.",
}
# Claude Code shows its model the data of an answer, pi its text.
WRITTEN = r'Archived beacon/packets/|"status":"written"'
NOT_WRITTEN = r'is NOT written yet|"status":"cancelled"'
RULE = "call `memory_recall` with its topic"


@dataclass
class Scene:
    """A host on a machine, and how its model names gitmem's tools."""

    host: Any
    machine: Any
    tools: str
    slash: str
    arguments: tuple[str, ...]

    def use(self, name: str, **given: object) -> Any:
        return use(f"{self.tools}{name}", **given)

    def ask(self, prompt: str) -> Any:
        return self.host.ask("-p", prompt, *self.arguments)

    def packets(self) -> list[str]:
        folder = self.machine.memory / "beacon" / "packets"
        return sorted(str(p.relative_to(folder)) for p in folder.rglob("*.md"))


@pytest.fixture(
    params=[
        ("pi", "message-append"),
        ("pi", "system-prompt"),
        ("pi_1_6", "message-append"),
        ("pi_1_6", "system-prompt"),
        ("claude", "message-append"),
    ],
    ids="-".join,
)
def make_scene(request, make_machine):
    """Install gitmem into the host of a machine: `make_scene("oak")`."""
    program, mode = request.param
    command = installed(program)
    is_claude = program == "claude"

    def make(name):
        machine = make_machine(name, GITMEM_DELIVERY__MODE=mode)
        made = Claude(command, machine) if is_claude else Pi(command, machine)
        made.configure()
        host = "claude-code" if is_claude else "pi"
        machine.gitmem("host", "install", host)
        machine.await_daemon(host)
        if is_claude:
            allowed = ("--allowedTools", f"{SERVER}*")
            return Scene(made, machine, SERVER, "/gitmem:", allowed)
        return Scene(made, machine, "", "/", ())

    return make


def test_a_packet_of_one_machine_is_recalled_on_another(make_scene, model):
    oak, elm = make_scene("oak"), make_scene("elm")
    (oak.machine.project / "auth.py").write_text("import jwt\n", "utf-8")
    model.will(oak.use("packet_archive", **AUTH), say("It is archived."))

    oak.ask(f"{oak.slash}archive-session hand off the auth work")

    asked, told = model.asked[0], model.asked[-1]
    assert "hand off the auth work" in asked.said("user")
    assert "packet_archive" in asked.said("user")
    assert re.search(WRITTEN, told.said("tool"))
    [name] = oak.packets()
    path = f"beacon/packets/{name}"
    text = (oak.machine.memory / path).read_text("utf-8")
    assert "-handoff-認証-auth-refactor-" in name
    assert "auth.py" in text
    log = ("log", "--format=%s %(trailers:key=Gitmem-Session,valueonly)", "--", path)

    def arrived():
        elm.machine.gitmem("sync")
        return elm.packets() == [name]

    eventually(arrived, 60)
    session = text.partition("session: ")[2].partition("\n")[0].strip('"')
    assert session in elm.machine.git(*log, cwd=elm.machine.memory)

    before = len(model.asked)
    if_asked = elm.use("memory_recall", query="auth refactor", kinds=["packet"])
    model.will(*([if_asked] * bool(elm.tools)), say("I go on from there."))
    elm.ask(f"{elm.slash}recall auth refactor --kind handoff")

    said = model.asked[-1].said()
    assert path in said
    assert "Read the one to three" in said
    assert RULE in model.asked[before].said() + model.asked[before].system


def test_a_packet_that_nobody_asked_for_waits_for_the_person(make_scene, model):
    oak = make_scene("oak")
    model.will(oak.use("packet_archive", **AUTH), say("I was asked to wait."))

    oak.ask("Do what you think is right.")

    assert re.search(NOT_WRITTEN, model.asked[-1].said("tool"))
    assert oak.packets() == []


def test_a_wrong_date_is_said_to_the_person(make_scene, model):
    oak = make_scene("oak")
    model.will(
        *([oak.use("memory_recall", query="auth", since="soon")] * bool(oak.tools)),
        say("That is no date."),
    )

    done = oak.ask(f"{oak.slash}recall auth --since soon")

    said = "".join(each.said() for each in model.asked) + done.stderr
    assert "soon is not a date" in said
