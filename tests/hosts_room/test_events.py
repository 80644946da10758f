"""What Codex and opencode send is understood, and what they are told they take."""

import json

import pytest

from gitmem.hosts import registry
from gitmem.hosts.host import Kind, Reply

PATCH = """\
*** Begin Patch
*** Add File: /m/site/notes/a.md
+text
*** Update File: b c.md
*** Move to: d.md
@@
*** Delete File: e.md
*** End Patch
"""


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("SessionStart", Kind.START),
        ("UserPromptSubmit", Kind.TURN),
        ("PreCompact", Kind.COMPACTING),
        ("Stop", Kind.WROTE),
        ("SubagentStop", Kind.OTHER),
    ],
)
def test_codex_tells_what_happened(name, kind):
    event = registry.host("codex").event(name, {"session_id": "s", "cwd": "/w"})

    assert (event.kind, event.session, event.cwd) == (kind, "s", "/w")


def test_codex_was_compacted():
    sent = {"session_id": "s", "source": "compact"}

    assert registry.host("codex").event("SessionStart", sent).kind is Kind.COMPACTED


def test_codex_names_files_in_a_patch():
    sent = {"tool_name": "apply_patch", "tool_input": {"command": PATCH}}

    event = registry.host("codex").event("PostToolUse", sent)

    assert event.paths == ("/m/site/notes/a.md", "b c.md", "d.md", "e.md")


def test_a_stop_of_codex_is_answered_with_nothing_that_makes_it_go_on():
    assert registry.host("codex").answer("Stop", Reply("text")) == ""


def test_codex_is_given_the_text():
    said = json.loads(registry.host("codex").answer("SessionStart", Reply("memory")))

    assert said["hookSpecificOutput"]["additionalContext"] == "memory"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("session.start", Kind.START),
        ("chat.message", Kind.TURN),
        ("tool.execute.after", Kind.WROTE),
        ("session.idle", Kind.WROTE),
        ("session.compacted", Kind.COMPACTED),
        ("session.deleted", Kind.END),
        ("session.error", Kind.OTHER),
    ],
)
def test_opencode_tells_what_happened(name, kind):
    sent = {
        "session_id": "s",
        "cwd": "/w",
        "source": "resume",
        "prompt": "p",
        "paths": ["/m/a.md", 1],
        "earlier": ["where?", None, "in Oslo?"],
    }

    event = registry.host("opencode").event(name, sent)

    assert (event.kind, event.session, event.reason) == (kind, "s", "resume")
    assert (event.prompt, event.paths) == ("p", ("/m/a.md",))
    assert event.earlier == ("where?", "in Oslo?")


def test_opencode_is_told_each_thing_by_its_name():
    reply = Reply("text", "notice", "standing")

    said = json.loads(registry.host("opencode").answer("session.start", reply))

    assert said == {"text": "text", "notice": "notice", "standing": "standing"}
    assert registry.host("opencode").answer("chat.message", Reply()) == ""


@pytest.mark.parametrize("name", ["codex", "opencode", "claude-code"])
def test_a_payload_without_anything_in_it_is_no_error(name):
    event = registry.host(name).event("x", {"paths": 3, "tool_input": {"command": 1}})

    assert (event.kind, event.paths) == (Kind.OTHER, ())
