"""The transcripts of real hosts are found and read, whatever else lies among them."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from gitmem.hosts.entry import branch
from gitmem.hosts.lines import LONGEST_BYTES, Place, lines
from gitmem.hosts.place import Where
from gitmem.hosts.transcripts import Transcripts, follow, last_entry, root_of

RECORDED = Path(__file__).parents[2] / "fixtures" / "transcripts"
BEACON = "/home/sam/code/beacon"
PI = ".pi/agent/sessions"
CLAUDE = ".claude/projects"
CODEX = ".codex/sessions"


@pytest.fixture
def home(tmp_path):
    """Lay recorded transcripts where their hosts keep them: `home("pi-1.6.0")`."""
    places = {"pi": PI, "claude": CLAUDE, "codex": CODEX}

    def make(*recorded):
        for name in recorded:
            place = tmp_path / places[name.split("-")[0]]
            shutil.copytree(RECORDED / name, place, dirs_exist_ok=True)
        return tmp_path

    return make


def transcripts(home, folder=BEACON, **variables):
    where = Where(home, variables)
    return Transcripts(where, (Path(folder),), lambda cwd: cwd == folder)


def written(path, *entries):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(each)}\n" for each in entries), "utf-8")
    return path


def shown(entries):
    return [(each.kind, each.role, each.text) for each in entries]


def touched(entries):
    calls = [call for each in entries for call in each.calls if call.touch]
    return [(each.touch.kind, each.touch.path, each.touch.lines) for each in calls]


SAID = [
    ("message", "user", "Change the eighth line."),
    ("message", "assistant", "Done with it."),
    ("message", "user", "Go on with it."),
    ("message", "assistant", "Went on."),
]


@pytest.mark.parametrize(
    "recorded", ["pi-0.73.1", "pi-1.6.0", "claude-code-2.1.332", "codex-0.171.0"]
)
def test_what_was_said_is_read_in_its_order(recorded, home):
    found = transcripts(home(recorded))
    first = min(found.sessions(), key=lambda each: each.started)
    said = [each for each in found.entries(first) if each.kind == "message"]
    texts = [each for each in shown(said) if each[2]]

    assert first.cwd == BEACON
    assert [each for each in texts if "no tool" not in each[2]] == [
        each for each in SAID if recorded[:5] != "codex" or each[2] != "Done with it."
    ]


@pytest.mark.parametrize("recorded", ["pi-0.73.1", "pi-1.6.0"])
def test_pi_tells_which_lines_were_read_and_changed(recorded, home):
    found = transcripts(home(recorded))

    assert touched(found.entries(found.sessions()[-1])) == [
        ("read", "src/app.py", ((5, 14),)),
        ("edit", "src/app.py", ()),
        ("edit", "", ((8, 9), (30, 30))),
        ("write", "notes.md", ()),
        ("read", "src/missing.py", ()),
    ]


def test_claude_code_tells_which_lines_were_read_and_changed(home):
    found = transcripts(home("claude-code-2.1.332"))
    first = min(found.sessions(), key=lambda each: each.started)

    assert touched(found.entries(first)) == [
        ("read", f"{BEACON}/src/app.py", ((5, 14),)),
        ("edit", f"{BEACON}/src/app.py", ()),
        ("edit", "", ((8, 9),)),
        ("write", f"{BEACON}/notes.md", ()),
        ("read", f"{BEACON}/notes.md", ()),
    ]


@pytest.mark.parametrize("recorded", ["pi-0.73.1", "pi-1.6.0"])
def test_a_fork_names_its_parent_and_a_compaction_its_summary(recorded, home):
    found = transcripts(home(recorded))
    parent, fork = sorted(found.sessions(), key=lambda each: each.started)
    entries = list(found.entries(fork))
    compacted = [each for each in entries if each.kind == "compaction"]

    assert fork.parent == parent.id
    assert [each.text[:11] for each in compacted] == ["Said aside."]
    assert branch(entries)[-1].text == "After."


def test_a_compaction_of_claude_code_is_no_message_of_the_person(home):
    found = transcripts(home("claude-code-2.1.332"))
    fork = max(found.sessions(), key=lambda each: each.started)
    kinds = [each.kind for each in found.entries(fork)]

    assert kinds.count("compaction") == 1
    assert ("message", "user", "And after.") in shown(found.entries(fork))


def test_what_a_subagent_or_the_program_says_is_no_message(tmp_path):
    def line(number, role, content, **more):
        message = {"role": role, "content": content}
        of = {"uuid": str(number), "timestamp": "2026-03-02T09:00:00Z", "cwd": BEACON}
        return {"type": role, "message": message, **of, **more}

    slug = "-home-sam-code-beacon"
    written(
        tmp_path / CLAUDE / slug / "s.jsonl",
        line(1, "user", "<command-name>/clear</command-name>"),
        line(2, "user", "meta", isMeta=True),
        line(3, "assistant", [{"type": "text", "text": "aside"}], isSidechain=True),
        line(4, "user", "What I said."),
    )
    found = transcripts(tmp_path)
    [session] = found.sessions()

    assert [each.kind for each in found.entries(session)] == [*["other"] * 3, "message"]


def test_what_a_subagent_did_lies_beside_its_session_and_is_no_session(home):
    folder = home("claude-code-2.1.332") / CLAUDE / "-home-sam-code-beacon"
    whole = min(folder.glob("*.jsonl"))
    read = {"type": "tool_use", "name": "Read", "input": {"file_path": "/x"}}
    said = {"role": "assistant", "content": [{**read, "id": "c"}]}
    at = {"timestamp": "2026-03-02T09:00:00Z", "cwd": BEACON, "isSidechain": True}
    part = written(
        folder / whole.stem / "subagents" / "agent-1.jsonl",
        {"type": "assistant", "uuid": "u", "message": said, **at},
    )
    found = transcripts(home())
    sessions = {each.path for each in found.sessions()}
    [session] = [found.opened(each) for each in found.files() if each.path == str(part)]

    assert str(whole) in sessions
    assert str(part) not in sessions
    assert session is not None
    assert session.is_part
    assert touched(found.entries(session)) == [("read", "/x", ())]
    assert root_of("claude-code", str(part)) == root_of("claude-code", str(whole))


def test_a_patch_of_codex_names_every_file_that_it_changes(tmp_path):
    patch = (
        "*** Begin Patch\n*** Update File: a.py\n@@\n-1\n+2\n*** Add File: b.md\n+x\n"
    )
    stamp = {"timestamp": "2026-03-02T09:00:00Z"}
    call = {"type": "custom_tool_call", "name": "apply_patch", "call_id": "c"}
    shell = {"type": "function_call", "name": "shell", "call_id": "d"}
    command = json.dumps({"command": ["apply_patch", patch]})
    written(
        tmp_path / CODEX / "2026/03/02/rollout-x.jsonl",
        {"type": "session_meta", "payload": {"id": "s", "cwd": BEACON}, **stamp},
        {"type": "response_item", "payload": {**call, "input": patch}, **stamp},
        {"type": "response_item", "payload": {**shell, "arguments": command}, **stamp},
    )
    found = transcripts(tmp_path)
    [session] = found.sessions()

    changed = [("edit", "a.py", ()), ("write", "b.md", ())]
    assert touched(found.entries(session)) == [*changed, *changed]


def test_only_the_branch_that_was_gone_on_with_is_given(tmp_path):
    def entry(found, parent, text):
        message = {"role": "user", "content": text}
        return {"type": "message", "id": found, "parentId": parent, "message": message}

    path = written(
        tmp_path / PI / "--home-sam-code-beacon--" / "t_s.jsonl",
        {"type": "session", "id": "s", "cwd": BEACON},
        entry("a", None, "root"),
        entry("b", "a", "left"),
        entry("c", "a", "right"),
    )
    found = transcripts(tmp_path)
    [session] = found.sessions()

    assert session.path == str(path)
    assert [each.text for each in branch(found.entries(session))] == ["root", "right"]


def test_a_branch_that_bites_its_tail_ends(tmp_path):
    path = written(
        tmp_path / "s.jsonl",
        {"type": "session", "id": "s", "cwd": BEACON},
        {"type": "label", "id": "a", "parentId": "b"},
        {"type": "label", "id": "b", "parentId": "a"},
    )
    found = transcripts(tmp_path / "x", PI_CODING_AGENT_SESSION_DIR=str(path.parent))
    [session] = found.sessions()

    assert [each.id for each in branch(found.entries(session))] == ["a", "b"]


@pytest.mark.parametrize(
    ("variable", "recorded", "below"),
    [
        ("PI_CODING_AGENT_DIR", "pi-1.6.0", "sessions"),
        ("PI_CODING_AGENT_SESSION_DIR", "pi-1.6.0", "."),
        ("CLAUDE_CONFIG_DIR", "claude-code-2.1.332", "projects"),
        ("CODEX_HOME", "codex-0.171.0", "sessions"),
    ],
)
def test_a_variable_of_the_host_moves_its_transcripts(
    variable, recorded, below, tmp_path
):
    shutil.copytree(RECORDED / recorded, tmp_path / "moved" / below)
    found = transcripts(tmp_path / "home", **{variable: str(tmp_path / "moved")})

    assert found.sessions()


def test_a_root_that_a_session_came_from_is_looked_into(home, tmp_path):
    moved = home("pi-1.6.0") / PI
    path = next(moved.glob("*/*.jsonl"))
    known = {"pi": (root_of("pi", str(path)),)}
    found = Transcripts(
        Where(tmp_path / "else"), (Path(BEACON),), lambda cwd: cwd == BEACON, known
    )

    assert root_of("pi", str(path)) == str(moved)
    assert len(found.sessions()) == 2


def test_another_project_whose_name_begins_alike_is_left_alone(home, tmp_path):
    folder = home("pi-1.6.0") / PI
    header = {"type": "session", "id": "other", "cwd": f"{BEACON}-two"}
    written(folder / "--home-sam-code-beacon-two--" / "t_other.jsonl", header)

    assert "other" not in {each.id for each in transcripts(tmp_path).sessions()}


def test_a_session_is_found_by_its_id(home):
    found = transcripts(home("pi-1.6.0", "claude-code-2.1.332"))

    assert [found.session(each.host, each.id) for each in found.sessions()] == list(
        found.sessions()
    )
    assert found.session("pi", "") is None


@pytest.mark.parametrize("recorded", ["pi-0.73.1", "claude-code-2.1.332"])
def test_the_last_entry_is_read_from_the_end(recorded, home):
    found = transcripts(home(recorded))
    session = found.sessions()[0]
    *_, last = found.entries(session)

    assert found.last_entry(session.host, session.id) == replace(last, position=0)


def test_a_last_entry_longer_than_the_usual_end_is_read_all_the_same(tmp_path):
    message = {"role": "user", "content": "x" * 100_000}
    path = written(
        tmp_path / "s.jsonl",
        {"type": "session", "id": "s", "cwd": BEACON},
        {"type": "message", "id": "long", "message": message},
    )

    found = last_entry("pi", "s", str(path))

    assert found is not None
    assert found.id == "long"
    assert last_entry("opencode", "s", str(path)) is None
    assert last_entry("pi", "s", "/nowhere") is None


def test_what_is_no_line_of_the_host_is_passed_over(home):
    folder = home("pi-1.6.0") / PI / "--home-sam-code-beacon--"
    path = min(folder.iterdir())
    before = path.read_bytes()
    path.write_bytes(before + b'\xff\xfe\n[1]\n{"type":"no","id":"n"}\nnull\n{"a":1}\n')
    found = transcripts(home())
    session = found.session("pi", path.stem.split("_")[1])

    assert [each.id for each in found.entries(session)][-1] == "n"


def test_text_that_is_not_utf8_is_read_as_far_as_it_is(tmp_path):
    path = written(tmp_path / "s.jsonl", {"type": "session", "id": "s", "cwd": BEACON})
    with path.open("ab") as file:
        file.write(b'{"type":"custom_message","id":"a","content":"caf\xe9 \\ud83d"}\n')
    found = transcripts(tmp_path / "x", PI_CODING_AGENT_SESSION_DIR=str(tmp_path))
    [session] = found.sessions()

    assert [each.text for each in found.entries(session)] == ["caf\ufffd ?"]


def test_a_line_that_is_torn_is_read_once_it_is_whole(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_bytes(b'{"a":1}\n{"b"')
    [first] = lines(str(path))
    path.write_bytes(b'{"a":1}\n{"b":2}\n{"c":')
    [second] = lines(str(path), first.behind)

    assert (first.behind, second.read()) == (Place(8, 1), {"b": 2})


def test_a_line_of_a_hundred_megabytes_is_passed_over_but_for_its_beginning(tmp_path):
    path = tmp_path / "s.jsonl"
    with path.open("wb") as file:
        file.write(b'{"type":"message","id":"long","parentId":"p","message":"')
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b'"}\n{"type":"label","id":"next"}\n')
    long, after = lines(str(path))

    assert len(long.data) < LONGEST_BYTES // 100
    assert long.read() == {"type": "message", "id": "long", "parentId": "p"}
    assert (after.read()["id"], after.place.position) == ("next", 1)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' + "9" * 5_000 + "}", "NaN"])
def test_json_that_would_break_a_reader_is_no_entry(text, tmp_path):
    (tmp_path / "s.jsonl").write_text(f"{text}\n", "utf-8")
    [line] = lines(str(tmp_path / "s.jsonl"))

    assert line.read() == {}


def test_a_link_is_no_transcript(home, tmp_path):
    folder = home("pi-1.6.0") / PI / "--home-sam-code-beacon--"
    path = min(folder.iterdir())
    path.rename(tmp_path / "elsewhere.jsonl")
    path.symlink_to(tmp_path / "elsewhere.jsonl")

    assert len(transcripts(tmp_path).sessions()) == 1


def test_a_grown_transcript_is_followed_from_where_it_ended(home):
    found = transcripts(home("pi-1.6.0"))
    session = found.sessions()[-1]
    *_, last = follow(session)
    with Path(session.path).open("ab") as file:
        file.write(b'{"type":"label","id":"new"}\n')
    [new] = follow(session, last.behind)

    assert new.entry is not None
    assert (new.entry.id, new.entry.position) == ("new", last.behind.position)


@pytest.mark.parametrize("host", ["pi", "claude-code", "codex", "opencode", ""])
@pytest.mark.parametrize("path", ["", "x", "/", "/x", "/subagents/x", "/a/b", "/a\0/b"])
def test_whatever_a_hook_calls_a_transcript_has_a_root_or_none(host, path):
    assert root_of(host, path) == "" or root_of(host, path).startswith("/")
