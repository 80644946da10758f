"""Anchors in real sessions: asked for by a keyword or the person, and led back to."""

import json
import re

import pytest
from tests.hosts.agents import Claude, Pi, installed
from tests.hosts.machine import eventually
from tests.hosts.model import say, use

NAME = re.compile(r"handoff/keyword-migration-\d{6}")
SERVER = "mcp__plugin_gitmem_gitmem__"
TAPE = {
    "GITMEM_TAPE__ENABLED": "true",
    "GITMEM_TAPE__ANCHOR__KEYWORDS__GLOBAL": '["migration"]',
}
PROMPT = "Begin the migration of the database now."


class Scene:
    """A host with the tape, whose model does as it was told in the turn."""

    def __init__(self, host, tools, *arguments):
        self.host = host
        self.machine = host.machine
        self.tools = tools
        self.arguments = arguments

    @property
    def model(self):
        return self.machine.model

    def handoff(self, name, **said):
        return use(f"{self.tools}tape_handoff", name=name, **said)

    def as_told(self, asked):
        """Set the anchor whose name was told."""
        [name] = set(NAME.findall(asked.said()))
        return self.handoff(name, summary="begin the migration", purpose="migration")

    def ask(self, prompt, *arguments):
        return self.host.ask(*arguments, "-p", prompt, *self.arguments)

    def lines(self):
        paths = sorted((self.machine.memory / "tape" / "beacon").glob("*.jsonl"))
        return [
            json.loads(line)
            for path in paths
            for line in path.read_text("utf-8").splitlines()
        ]

    def handoffs(self):
        return [each for each in self.lines() if each["type"] == "handoff"]

    def transcript(self):
        """Read the lines of the only session."""
        [path] = {
            *self.host.folder.glob("sessions/*/*.jsonl"),
            *self.host.folder.glob("projects/*/*.jsonl"),
        }
        return path, list(map(json.loads, path.read_text("utf-8").splitlines()))


@pytest.fixture(params=["pi", "pi_1_6", "claude"])
def make_scene(request, make_machine):
    """Give a host where gitmem is installed, with settings of the test's."""
    command = installed(request.param)
    is_claude = request.param == "claude"

    def make(**more):
        machine = make_machine(**{**TAPE, **more})
        made = Claude(command, machine) if is_claude else Pi(command, machine)
        made.configure()
        name = "claude-code" if is_claude else "pi"
        machine.gitmem("host", "install", name)
        machine.await_daemon(name)
        if is_claude:
            return Scene(made, SERVER, "--allowedTools", f"{SERVER}*")
        return Scene(made, "")

    return make


def test_a_keyword_leads_to_an_anchor_and_back(make_scene):
    scene = make_scene()
    scene.model.will(scene.as_told, say("It has begun."))

    scene.ask(PROMPT)

    [line] = eventually(scene.handoffs)
    path, entries = scene.transcript()
    assert list(line) == [
        *("id", "timestamp", "name", "type", "meta", "sessionId", "sessionEntryId")
    ]
    assert NAME.fullmatch(line["name"])
    assert line["meta"] == {
        "trigger": "keyword",
        "keywords": ["migration"],
        "summary": "begin the migration",
        "purpose": "migration",
    }
    assert line["sessionId"] in path.name
    ids = {each.get("id") or each.get("uuid") for each in entries}
    assert line["sessionEntryId"] in ids
    read = ["tape", "read", "--after-anchor", line["name"], "--json"]
    played = json.loads(scene.machine.gitmem(*read))
    assert [each["text"] for each in played["entries"]] == ["It has begun."]


def test_the_instruction_is_for_the_model_and_not_for_the_person(make_scene):
    scene = make_scene()
    scene.model.will(say("I would rather not."))

    done = scene.ask(PROMPT)

    [asked] = scene.model.asked
    assert "<tape_leave>" in asked.said()
    assert done.stdout.strip() == "I would rather not."
    assert scene.handoffs() == []


def test_manual_mode_refuses_until_the_person_asks(make_scene):
    scene = make_scene(GITMEM_TAPE__ANCHOR__MODE="manual")
    scene.model.will(scene.handoff("task/begin"), say("Refused."))
    scene.ask("Set an anchor, whatever you are told.")
    refused = scene.model.asked[-1].said()
    is_pi = not scene.tools
    command = "/memory-anchor" if is_pi else "/gitmem:memory-anchor"
    scene.model.will(
        scene.handoff("task/begin"), scene.handoff("task/end"), say("Set.")
    )

    scene.ask(f"{command} the migration", "-c")

    assert "Only the person may set an anchor here" in refused
    [line] = scene.handoffs()
    assert (line["name"], line["meta"]["trigger"]) == ("task/begin", "manual")


def test_a_session_notes_its_beginning_and_its_end(make_scene):
    scene = make_scene()
    scene.model.will(say("Done."))

    scene.ask("Go on.")

    def names():
        found = [each["name"] for each in scene.lines()]
        return found if "session/end" in found else []

    assert eventually(names) == ["session/startup", "session/end"]


def test_without_a_tape_its_tools_are_not_offered(make_scene):
    scene = make_scene(GITMEM_TAPE__ENABLED="false")
    scene.model.will(say("Done."))

    scene.ask(PROMPT)

    [asked] = scene.model.asked
    assert [name for name in asked.tools if "tape" in name] == []
    assert "tape" not in asked.said("user")


SHOW_LABELS = """
export default function (pi) {
  pi.registerCommand("labels", {
    description: "Show the labels of the tree",
    handler: async (_, ctx) => {
      const manager = ctx.sessionManager;
      const labels = manager.getEntries().map((each) => manager.getLabel(each.id));
      ctx.ui.notify("labels: " + JSON.stringify(labels.filter(Boolean)), "info");
    },
  });
}
"""


def labels(talk):
    """Say which labels the tree shows, once that of the anchor is there."""
    talk.tell(id="2", type="prompt", message="/labels")
    while not (said := talk.until(method="notify")["message"]).startswith("labels"):
        continue
    return said if "task/begin" in said else ""


@pytest.mark.parametrize("name", ["pi", "pi_1_6"])
def test_anchors_are_labels_in_the_tree_and_not_in_the_file(name, make_machine):
    machine = make_machine(**TAPE)
    pi = Pi(installed(name), machine)
    pi.configure()
    machine.gitmem("host", "install", "pi")
    machine.await_daemon("pi")
    extension = pi.folder / "extensions" / "labels.ts"
    extension.parent.mkdir()
    extension.write_text(SHOW_LABELS, "utf-8")
    scene = Scene(pi, "")
    scene.model.will(scene.handoff("task/begin"), say("Set."))
    talk = pi.talk()
    talk.tell(id="1", type="prompt", message="Set an anchor.")
    talk.until(type="agent_end")

    shown = eventually(lambda: labels(talk), 60)
    talk.close()
    _, lines = scene.transcript()
    assert "\u2693 " in shown
    assert [each for each in lines if each["type"] == "label"] == []
