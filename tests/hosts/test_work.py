"""What was done in one session of a real host is told to the next one."""

import re
from dataclasses import dataclass

import pytest
from tests.hosts.agents import Claude, Codex, Pi, installed
from tests.hosts.model import say, use

CONTEXT = re.compile(r'<memory_context mode="tape">.*?</memory_context>', re.DOTALL)
BRIDGE = re.compile(r"<memory_bridge>.*?</memory_bridge>", re.DOTALL)
TRUSTING = ("exec", "--dangerously-bypass-hook-trust")
TAPE = {
    "GITMEM_TAPE__ENABLED": "true",
    "GITMEM_HOOKS__BEFORE_AGENT_START": '["session_bridge"]',
}
PATCH = (
    "*** Begin Patch\n*** Update File: src/app.py\n@@\n-line 8\n+eight\n*** End Patch"
)


@dataclass(frozen=True)
class Form:
    """A host, how it is asked, and how it changes the eighth line of a file."""

    program: str
    host: str
    kind: type[Claude | Codex | Pi]
    asks: tuple[str, ...]
    works: tuple[tuple[str, dict[str, object]], ...]
    focus: str


def pi(program):
    edits = [{"oldText": "line 8\n", "newText": "eight\n"}]
    return Form(
        program,
        "pi",
        Pi,
        ("-p",),
        (
            ("read", {"path": "src/app.py", "offset": 30, "limit": 5}),
            ("edit", {"path": "src/app.py", "edits": edits}),
        ),
        "  recent focus: edit 8-8, read 30-34\n",
    )


FORMS = {
    "pi": pi("pi"),
    "pi 1.6": pi("pi_1_6"),
    "claude": Form(
        "claude",
        "claude-code",
        Claude,
        ("--allowedTools", "Read,Edit", "-p"),
        (
            ("Read", {"file_path": "{}/src/app.py", "offset": 30, "limit": 5}),
            (
                "Edit",
                {
                    "file_path": "{}/src/app.py",
                    "old_string": "line 8\n",
                    "new_string": "eight\n",
                },
            ),
        ),
        "  recent focus: edit 8-8, read 30-34\n",
    ),
    "codex": Form(
        "codex",
        "codex",
        Codex,
        TRUSTING,
        (("exec_command", {"cmd": f"true <<'E'\n{PATCH}\nE"}),),
        "",
    ),
}


@pytest.fixture(params=list(FORMS.values()), ids=list(FORMS))
def form(request):
    return request.param


@pytest.fixture
def agent(form, make_machine):
    """Give a host on a machine whose project has a tape."""
    command = installed(form.program)
    machine = make_machine("oak", **TAPE)
    machine.remember("core/deploy.md", "Run make ship.\n", "how to deploy", "deploy")
    source = machine.project / "src" / "app.py"
    source.parent.mkdir()
    source.write_text("".join(f"line {each}\n" for each in range(1, 41)), "utf-8")
    made = form.kind(command, machine)
    made.configure()
    machine.gitmem("host", "install", form.host)
    machine.await_daemon(form.host)
    return made


def works(form, machine):
    for tool, arguments in form.works:
        given = {
            key: value.format(machine.project) if key == "file_path" else value
            for key, value in arguments.items()
        }
        yield use(tool, **given)


def test_the_next_session_is_told_of_the_work_and_of_what_was_said(form, agent, model):
    machine = agent.machine
    model.will(*works(form, machine), say("The eighth line was the culprit."))
    agent.ask(*form.asks, "Find the culprit in the parser.")
    model.will(say("Done."))
    agent.ask(*form.asks, "Why was the eighth line the culprit?")

    [context] = CONTEXT.findall(model.asked[-1].said())
    assert (
        f'<active_project_files directory="{machine.project}">\n'
        f"- path: src/app.py\n  priority: high\n{form.focus}</active_project_files>"
    ) in context
    [bridge] = BRIDGE.findall(model.asked[-1].said())
    assert "The eighth line was the culprit." in bridge
