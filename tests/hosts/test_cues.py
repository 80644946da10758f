"""What a prompt brings to mind reaches the model of each host in the same turn."""

import re
from dataclasses import dataclass

import pytest
from tests.hosts.agents import Claude, Codex, OpenCode, Pi, installed
from tests.hosts.model import say

TURN = re.compile(r'<memory_context moment="turn">.*?</memory_context>', re.DOTALL)
TRUSTING = ("exec", "--dangerously-bypass-hook-trust")
STANDING = "system-prompt"


@dataclass(frozen=True)
class Form:
    """A host, how it is asked for the first time and how again, and a mode."""

    program: str
    host: str
    kind: type[Claude | Codex | OpenCode | Pi]
    begins: tuple[str, ...]
    goes_on: tuple[str, ...]
    mode: str = "message-append"


def pi(program, mode="message-append"):
    return Form(program, "pi", Pi, ("-p",), ("-c", "-p"), mode)


def opencode(mode="message-append"):
    return Form("opencode", "opencode", OpenCode, ("run",), ("run", "-c"), mode)


FORMS = {
    "claude": Form("claude", "claude-code", Claude, ("-p",), ("--continue", "-p")),
    "pi": pi("pi"),
    "pi, standing": pi("pi", STANDING),
    "pi 1.6": pi("pi_1_6"),
    "pi 1.6, standing": pi("pi_1_6", STANDING),
    "codex": Form("codex", "codex", Codex, TRUSTING, (*TRUSTING, "resume", "--last")),
    "opencode": opencode(),
    "opencode, standing": opencode(STANDING),
}


@dataclass(frozen=True)
class Talk:
    """A session with an agent, which is asked one thing after the other."""

    form: Form
    agent: Claude | Codex | OpenCode | Pi

    def begin(self, prompt):
        assert self.agent.ask(*self.form.begins, prompt).returncode == 0

    def go_on(self, prompt):
        assert self.agent.ask(*self.form.goes_on, prompt).returncode == 0


@pytest.fixture
def crane(machine):
    """Give a memory of which no start text holds more than that it is there."""
    about = {"notes/crane.md": "the harbour crane and its bolts"}
    about["notes/paint.md"] = "the colour of the harbour crane"
    for path, description in about.items():
        machine.service.write(
            path, b"Bolt 7.\n", {"description": description, "tags": ["crane"]}
        )
    rule = {"description": "a limit", "tags": ["crane"], "kind": "constraint"}
    machine.service.write("notes/limit.md", b"Lift no more than 7 t.\n", rule)
    over = {"description": "sold", "tags": ["crane"], "attention": "closed-loop"}
    machine.service.write("notes/sold.md", b"No.\n", over)
    machine.service.sync()
    return machine


@pytest.fixture(params=FORMS)
def talk(request, crane):
    """Give a session of each host in each mode, where a daemon is at work."""
    form = FORMS[request.param]
    agent = form.kind(installed(form.program), crane)
    crane.more["GITMEM_DELIVERY__MODE"] = form.mode
    agent.configure()
    crane.gitmem("host", "install", form.host)
    crane.await_daemon(form.host)
    return Talk(form, agent)


def told(asked):
    """Find what the model was told at turns so far."""
    return TURN.findall(asked.said())


def test_what_a_prompt_brings_to_mind_is_told_in_its_turn_and_once(talk, crane, model):
    prompt = "What do we know about the harbour crane?"
    talk.begin(prompt)
    talk.go_on(f"Once more: {prompt}")

    first, second = model.asked
    assert told(first) == [crane.gitmem("context", "--prompt", prompt).strip()]
    assert "path: " in told(first)[0]
    assert "Lift no more than 7 t." in told(first)[0]
    assert "4 about crane; 3 shown" in told(first)[0]
    assert told(second) == told(first)


def test_a_thin_prompt_is_read_with_what_was_said_before_it(talk, model):
    model.will(say("The harbour crane is free tomorrow. Shall I book it?"))
    talk.begin("Hello there.")
    talk.go_on("yes, book it")

    first, second = model.asked
    assert told(first) == []
    [cue] = told(second)
    assert "before: " in cue
    assert "notes/crane.md" in cue


def test_a_prompt_that_brings_nothing_to_mind_is_told_nothing(talk, model):
    talk.begin("Sort these numbers by size.")

    assert told(model.asked[0]) == []
