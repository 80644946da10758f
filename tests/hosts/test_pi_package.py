"""The package that is put into pi says what gitmem says elsewhere."""

import json
from pathlib import Path, PurePosixPath

import pytest
from tests.hosts import tools

import gitmem
from gitmem.hosts.host import Event, Kind, Reply
from gitmem.hosts.pi import install
from gitmem.hosts.pi.events import Pi
from gitmem.hosts.place import Installation, Where, Wishes

PACKAGE = Path(gitmem.__file__).parent


@pytest.fixture
def installation(tmp_path):
    return Installation(
        version="1.0",
        python=Path("/opt/gitmem/bin/python"),
        package=PACKAGE,
        command=("/opt/gitmem/bin/gitmem",),
        data=tmp_path / "data",
        state=tmp_path / "state",
    )


def test_the_tools_are_those_of_the_mcp_server():
    assert tools.PLACE.read_text("utf-8") == tools.offered(), (
        "write them anew: python -m tests.hosts.tools"
    )


def test_it_holds_an_extension_the_skills_and_how_to_call_gitmem(installation):
    found = install.files(installation)

    manifest = json.loads(found[PurePosixPath("package.json")])
    named = [*manifest["pi"]["extensions"], "./skills/memory-write/SKILL.md"]
    assert [each for each in named if PurePosixPath(each) not in found] == []
    assert json.loads(found[PurePosixPath("installation.json")]) == {
        "version": "1.0",
        "hook": [*installation.hook("pi", "event")[:-1]],
        "command": ["/opt/gitmem/bin/gitmem"],
    }


def test_it_depends_on_nothing_but_node(installation):
    scripts = [
        data.decode()
        for path, data in install.files(installation).items()
        if path.suffix == ".ts"
    ]
    imported = {
        line.split('"')[-2]
        for line in "\n".join(scripts).splitlines()
        if line.startswith("import ")
    }

    assert {each for each in imported if not each.startswith(("node:", "./"))} == set()


def test_it_is_named_in_the_settings_of_pi(installation, tmp_path):
    variables = {"PI_CODING_AGENT_DIR": str(tmp_path / "elsewhere")}
    plan = install.plan(Where(tmp_path, variables), installation, Wishes())
    [edit] = plan.edits

    assert edit.path == tmp_path / "elsewhere" / "settings.json"
    assert json.loads(edit.apply('{"packages": ["npm:other"]}')) == {
        "packages": ["npm:other", str(installation.assets("pi"))]
    }


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("session_start", Kind.START),
        ("before_agent_start", Kind.TURN),
        ("tool_result", Kind.WROTE),
        ("session_before_compact", Kind.COMPACTING),
        ("session_compact", Kind.COMPACTED),
        ("context_lost", Kind.LOST),
        ("session_shutdown", Kind.END),
        ("agent_end", Kind.OTHER),
    ],
)
def test_every_event_has_its_kind(name, kind):
    assert Pi().event(name, {}) == Event(kind)


def test_an_event_is_read_whole():
    payload = {
        "session": "s1",
        "cwd": "/work",
        "reason": "fork",
        "parent": "s0",
        "prompt": "hello",
        "transcript": "/s1.jsonl",
        "paths": ["a.md", 7, ""],
        "pid": 42,
    }

    assert Pi().event("session_start", payload) == Event(
        kind=Kind.START,
        session="s1",
        cwd="/work",
        reason="fork",
        prompt="hello",
        transcript="/s1.jsonl",
        paths=("a.md",),
        host_pid=42,
        parent="s0",
    )


@pytest.mark.parametrize(
    "payload", [{"pid": "x", "paths": "y"}, {"session": 1, "pid": -1}], ids=str
)
def test_what_is_of_another_type_is_left_out(payload):
    assert Pi().event("before_agent_start", payload) == Event(Kind.TURN)


def test_an_answer_says_what_there_is_by_its_place():
    assert Pi().answer("session_start", Reply()) == ""
    assert json.loads(Pi().answer("x", Reply("a", "b", "c"))) == {
        "text": "a",
        "notice": "b",
        "standing": "c",
    }
