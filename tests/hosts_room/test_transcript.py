"""The last turns are read from the end of a transcript, whatever else is in it."""

import json
import os

import pytest

from gitmem.hosts.transcript import TAILS_BYTES, last_turns


def claude(role, content, **more):
    return {"type": role, "message": {"role": role, "content": content}, **more}


def pi(role, content):
    return {"type": "message", "message": {"role": role, "content": content}}


def codex(kind, content):
    item = {"type": kind, "content": content}
    return {"type": "event_msg", "payload": {"type": "item_completed", "item": item}}


def text(said):
    return [{"type": "text", "text": said}]


ENTRIES = {
    "claude-code": [
        {"type": "queue-operation", "content": "no"},
        claude("user", "where do I sleep"),
        claude("user", "<command-name>/no</command-name>"),
        claude("user", text("no"), isMeta=True),
        claude("assistant", text("no"), isSidechain=True),
        claude("assistant", [{"type": "tool_use", "name": "no"}, *text("in Oslo?")]),
        claude("user", [{"type": "tool_result", "content": "no"}]),
        {"type": "attachment", "attachment": {"content": ["no"]}},
    ],
    "pi": [
        {"type": "session", "cwd": "/no"},
        pi("user", text("where do I sleep")),
        {"type": "custom_message", "content": "no"},
        pi("assistant", [{"type": "thinking", "thinking": "no"}, *text("in Oslo?")]),
        pi("toolResult", text("no")),
    ],
    "codex": [
        {"type": "session_meta", "payload": {"id": "no"}},
        {"type": "response_item", "payload": {"type": "message", "role": "user"}},
        {"type": "turn_context", "payload": ["no"]},
        codex("UserMessage", [{"type": "text", "text": "where do I sleep"}]),
        codex("Reasoning", [{"type": "Text", "text": "no"}]),
        {"type": "event_msg", "payload": {"type": "item_completed", "item": "no"}},
        codex("AgentMessage", [{"type": "Text", "text": "in Oslo?"}]),
    ],
}


@pytest.fixture
def transcript(tmp_path):
    """Write a transcript, one entry a line."""

    def make(entries):
        path = tmp_path / "session.jsonl"
        path.write_text("".join(f"{json.dumps(each)}\n" for each in entries), "utf-8")
        return str(path)

    return make


@pytest.mark.parametrize("host", ENTRIES)
def test_only_what_was_said_is_read(host, transcript):
    assert last_turns(host, transcript(ENTRIES[host])) == (
        "where do I sleep",
        "in Oslo?",
    )


def test_only_the_end_of_a_long_transcript_is_read(transcript):
    entries = [claude("user", f"{number} " + "x" * 400_000) for number in range(9)]

    found = last_turns("claude-code", transcript(entries))

    assert [said[0] for said in found] == ["7", "8"]
    assert sum(map(len, found)) < max(TAILS_BYTES)


def test_what_a_host_notes_of_its_tools_hides_no_turn(transcript):
    noted = {"type": "attachment", "attachment": {"tools": "x" * 100_000}}

    found = last_turns("claude-code", transcript([*ENTRIES["claude-code"], noted]))

    assert found == ("where do I sleep", "in Oslo?")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe\0",
        b"[1]\n{}\n",
        b'{"type":"user"}\n',
        b'{"type":"user","message":3}',
    ],
    ids=["empty", "binary", "no objects", "no message", "odd"],
)
def test_what_is_not_understood_is_nothing(data, tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(data)

    assert last_turns("claude-code", str(path)) == ()
    assert last_turns("pi", str(path)) == ()


def test_a_line_that_is_cut_is_passed_over(transcript, tmp_path):
    path = transcript(ENTRIES["pi"])
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"type":"message","mess')

    assert last_turns("pi", path) == ("where do I sleep", "in Oslo?")


@pytest.mark.parametrize("path", ["", "/nowhere/at/all", "a\0b", "/"])
def test_no_file_is_no_turns(path):
    assert last_turns("claude-code", path) == ()


def test_a_pipe_or_a_link_holds_nobody_up(tmp_path, transcript):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(transcript(ENTRIES["pi"]))

    assert last_turns("pi", str(tmp_path / "pipe")) == ()
    assert last_turns("pi", str(tmp_path / "link")) == ()


@pytest.mark.parametrize("host", ["opencode", "agents-md", "cli", ""])
def test_a_host_whose_transcripts_are_not_known_has_none(host, transcript):
    assert last_turns(host, transcript(ENTRIES["pi"])) == ()
