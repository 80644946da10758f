"""What Claude Code sends is understood, and what it is told is what it takes."""

import json

import pytest

from gitmem.errors import UsageError
from gitmem.hosts import registry
from gitmem.hosts.host import Event, Kind, Reply

SENT = {
    "session_id": "5f0c",
    "transcript_path": "/home/p/.claude/projects/-site/5f0c.jsonl",
    "cwd": "/home/p/site",
}


@pytest.fixture
def claude():
    return registry.host("claude-code")


def test_a_host_that_there_is_not_is_refused_with_those_that_there_are():
    with pytest.raises(UsageError, match="'emacs'") as refused:
        registry.host("emacs")

    assert "claude-code" in refused.value.hint


def test_what_speaks_through_files_only_has_no_hooks():
    with pytest.raises(UsageError):
        registry.host("agents-md")

    assert "agents-md" in registry.names()


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "fork"])
def test_a_session_starts(claude, source):
    event = claude.event("SessionStart", {**SENT, "source": source})

    assert event == Event(
        Kind.START, "5f0c", "/home/p/site", source, transcript=SENT["transcript_path"]
    )


def test_a_session_was_compacted(claude):
    event = claude.event("SessionStart", {**SENT, "source": "compact"})

    assert (event.kind, event.reason) == (Kind.COMPACTED, "compact")


def test_a_prompt_arrives(claude):
    event = claude.event("UserPromptSubmit", {**SENT, "prompt": "ship it"})

    assert (event.kind, event.prompt) == (Kind.TURN, "ship it")


@pytest.mark.parametrize("key", ["file_path", "notebook_path"])
def test_the_agent_wrote_a_file(claude, key):
    sent = {**SENT, "tool_name": "Write", "tool_input": {key: "/m/site/a.md"}}

    event = claude.event("PostToolUse", sent)

    assert (event.kind, event.paths) == (Kind.WROTE, ("/m/site/a.md",))


def test_a_session_ends(claude):
    event = claude.event("SessionEnd", {**SENT, "reason": "clear"})

    assert (event.kind, event.reason) == (Kind.END, "clear")


def test_compaction_is_announced(claude):
    event = claude.event("PreCompact", {**SENT, "trigger": "auto"})

    assert (event.kind, event.reason) == (Kind.COMPACTING, "auto")


@pytest.mark.parametrize("name", ["SessionStart", "UserPromptSubmit", "SessionEnd"])
def test_a_subagent_is_no_session_of_its_own(claude, name):
    event = claude.event(name, {**SENT, "agent_id": "a1"})

    assert event.kind is Kind.OTHER


def test_what_a_subagent_wrote_counts_for_its_session(claude):
    sent = {**SENT, "agent_id": "a1", "tool_input": {"file_path": "/m/a.md"}}

    event = claude.event("PostToolUse", sent)

    assert (event.kind, event.session) == (Kind.WROTE, "5f0c")


@pytest.mark.parametrize(
    "sent",
    [{}, {"session_id": 1, "tool_input": "x", "prompt": None, "cwd": []}],
    ids=["empty", "wrong types"],
)
@pytest.mark.parametrize("name", ["SessionStart", "PostToolUse", "Stop", ""])
def test_a_payload_that_makes_no_sense_is_no_error(claude, name, sent):
    assert claude.event(name, sent).session == ""


@pytest.mark.parametrize("name", ["SessionStart", "UserPromptSubmit", "PostToolUse"])
def test_the_model_is_given_the_text(claude, name):
    said = json.loads(claude.answer(name, Reply("a memory — 記憶")))

    assert said == {
        "hookSpecificOutput": {
            "hookEventName": name,
            "additionalContext": "a memory — 記憶",
        }
    }


def test_the_person_is_told_the_notice(claude):
    said = json.loads(claude.answer("SessionStart", Reply(notice="3 unpushed")))

    assert said == {"systemMessage": "3 unpushed"}


@pytest.mark.parametrize(
    ("name", "reply"),
    [("SessionStart", Reply()), ("SessionEnd", Reply("x")), ("PreCompact", Reply("x"))],
    ids=["nothing", "at the end", "before compaction"],
)
def test_where_nothing_is_to_be_said_nothing_is_printed(claude, name, reply):
    assert claude.answer(name, reply) == ""
