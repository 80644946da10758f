"""A session is told once of what its prompts bring to mind, as it is now."""

import json
from dataclasses import replace

import pytest

from gitmem.service.answers import Delivered, Visit

VISIT = Visit("claude-code", "s1", "startup")
DEPLOY = """---
description: how to deploy, and how to roll back
tags: [deploy]
updated: "2026-02-14"
{more}---
# Deploying
Run make ship.
"""


@pytest.fixture
def told(connected):
    """Say what a session is told at a turn, whose start gave it nothing."""
    service = connected(GITMEM_DELIVERY__START="[]")
    service.init()
    return Told(service)


class Told:
    """One session, and the files that it may be told of."""

    def __init__(self, service):
        self.service = service

    def put(self, path, more="", text=DEPLOY):
        file = self.service.rooms.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.format(more=more), "utf-8")
        return file

    def begin(self):
        self.service.index()
        self.service.session.text(VISIT)

    def turn(self, prompt, transcript="", visit=VISIT):
        return self.service.session.turn(visit, prompt, str(transcript)).text


def test_a_cue_says_what_where_and_why(told):
    file = told.put("beacon/notes/deploy.md")
    told.begin()

    assert told.turn("how do we deploy?") == (
        '<memory_context moment="turn">\n'
        "<memory_cues>\n"
        "Not read yet; open what bears on the task:\n"
        "- Deploying (note, 2026-02-14)\n"
        f"  path: {file}\n"
        "  description: how to deploy, and how to roll back\n"
        "  why: tag “deploy”; words “deploy”; its text\n"
        "</memory_cues>\n"
        "</memory_context>"
    )


def test_nothing_is_told_twice(told):
    told.put("beacon/notes/deploy.md")
    told.begin()

    assert told.turn("how do we deploy?") != ""
    assert told.turn("how do we deploy?") == ""


def test_a_start_text_that_was_empty_cannot_be_lost(told):
    told.put("beacon/notes/deploy.md")
    told.begin()
    told.turn("how do we deploy?")

    assert told.service.session.text(replace(VISIT, reason="lost")) == Delivered()
    assert told.turn("how do we deploy?") == ""


def test_what_came_with_a_start_text_that_is_lost_is_told_again(connected):
    service = connected()
    service.init()
    told = Told(service)
    told.put("beacon/core/deploy.md")
    told.begin()
    cue = told.turn("how do we deploy?")
    again = service.session.text(replace(VISIT, reason="lost"))

    assert "- path: core/deploy.md" in again.text
    assert told.turn("how do we deploy?") == cue != ""


def test_what_changed_since_is_told_again(told):
    file = told.put("beacon/notes/deploy.md")
    told.begin()
    told.turn("how do we deploy?")
    file.write_text(file.read_text("utf-8") + "\nAsk Kim.\n", "utf-8")

    assert str(file) in told.turn("how do we deploy?")


def test_it_is_told_again_after_a_compaction(told):
    told.put("beacon/notes/deploy.md")
    told.begin()
    first = told.turn("how do we deploy?")
    told.service.session.text(Visit("claude-code", "s1", "compact"))

    assert told.turn("how do we deploy?") == first


def test_a_resumed_session_and_its_fork_know_it(told):
    told.put("beacon/notes/deploy.md")
    told.begin()
    told.turn("how do we deploy?")
    fork = Visit("claude-code", "s2", "fork", parent="s1")
    told.service.session.text(Visit("claude-code", "s1", "resume"))
    told.service.session.text(fork)

    assert told.turn("how do we deploy?") == ""
    assert told.turn("how do we deploy?", visit=fork) == ""


def test_what_the_session_wrote_is_not_told(told):
    file = told.put("beacon/notes/deploy.md")
    told.begin()
    told.service.session.wrote(VISIT, [str(file)])

    assert told.turn("how do we deploy?") == ""


def test_what_binds_is_given_in_full_and_once(told):
    told.put("beacon/notes/deploy.md", "kind: policy\n")
    told.begin()

    text = told.turn("how do we deploy?")

    assert "# Deploying\nRun make ship.\n</memory_critical>" in text
    assert "memory_cues" not in text
    assert told.turn("how do we deploy?") == ""


def test_a_file_that_is_gone_is_not_told_of(told):
    file = told.put("beacon/notes/deploy.md")
    told.begin()
    file.unlink()

    assert told.turn("how do we deploy?") == ""


def test_the_file_decides_and_not_what_the_catalog_remembers(told):
    told.put("beacon/notes/deploy.md")
    told.begin()
    told.put("beacon/notes/deploy.md", "sensitivity: sensitive\n")

    assert "deploy.md" not in told.turn("deploy")


def test_a_changed_memory_is_cued_by_its_new_words_and_not_by_its_old_ones(told):
    old = "---\ntags: [glorify]\n---\n# Glorify\nHow to glorify.\n"
    file = told.put("beacon/notes/thing.md", text=old)
    told.begin()
    file.write_text(old.replace("lorify", "xylofize"), "utf-8")

    by_old_words = told.turn("please glorify it now")
    told.service.index()

    assert "thing.md" not in by_old_words
    assert f"path: {file}" in told.turn("please gxylofize it now")


def test_a_changed_memory_that_is_still_about_it_is_cued_for_what_it_says_now(told):
    file = told.put("beacon/notes/deploy.md")
    told.begin()
    file.write_text("---\ntags: [deploy]\n---\n# Of ships\nNone.\n", "utf-8")

    said = told.turn("how do we deploy?")

    assert "- Of ships (note" in said
    assert "why: tag “deploy”; words “deploy”\n" in said


def test_what_had_no_room_may_be_told_another_time(connected):
    service = connected(
        GITMEM_DELIVERY__START="[]", GITMEM_DELIVERY__BUDGET__TURN="700"
    )
    service.init()
    told = Told(service)
    [told.put(f"beacon/notes/deploy-{number}.md") for number in range(4)]
    told.begin()

    texts = [told.turn("how do we deploy?") for _ in range(4)]

    assert all(len(text) <= 700 for text in texts)
    assert [f"deploy-{n}.md\n" in "".join(texts) for n in range(4)] == [True] * 4


def test_counts_count_what_is_shown(told):
    [told.put(f"beacon/notes/deploy-{number}.md") for number in range(9)]
    told.begin()

    assert "9 about deploy; 6 shown" in told.turn("how do we deploy?")
    assert "about deploy" not in told.turn("how do we deploy?")


@pytest.mark.parametrize("sections", ["[]", '["recall"]'])
def test_sections_that_are_off_say_nothing(sections, connected):
    service = connected(GITMEM_DELIVERY__START="[]", GITMEM_DELIVERY__TURN=sections)
    service.init()
    told = Told(service)
    told.put("beacon/notes/deploy.md", "kind: policy\n")
    told.begin()

    assert told.turn("how do we deploy?") == ""


def test_a_thin_prompt_is_widened_from_the_transcript(told, tmp_path):
    told.put("beacon/notes/deploy.md")
    told.begin()
    said = {"role": "user", "content": "can you deploy this to staging"}
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(json.dumps({"type": "user", "message": said}), "utf-8")

    assert "before: tag “deploy”" in told.turn("yes please", transcript)


def test_a_thin_prompt_is_widened_from_what_the_host_tells_itself(told):
    told.put("beacon/notes/deploy.md")
    told.begin()
    visit = replace(VISIT, earlier=("can you deploy this to staging",))

    assert "before: tag “deploy”" in told.turn("yes please", visit=visit)


@pytest.mark.parametrize("prompt", ["", " \n", "\0", "\ud83d", "x" * 100_000, '"*('])
def test_no_prompt_breaks_a_turn(prompt, told):
    told.put("beacon/notes/deploy.md")
    told.begin()

    assert told.turn(prompt) == ""


@pytest.mark.parametrize(
    "said",
    ["", "\0", "\ud83d", "x" * 100_000, '"*(', "a\nb" * 9_000],
    ids=["none", "nul", "half", "long", "query", "lines"],
)
def test_nothing_that_was_said_before_breaks_a_turn(said, told):
    told.put("beacon/notes/deploy.md")
    told.begin()
    visit = replace(VISIT, earlier=(said,) * 9)

    assert told.turn("yes please", visit=visit) == ""


def test_without_a_catalog_nothing_is_told(told):
    told.put("beacon/notes/deploy.md")

    delivered = told.service.session.turn(Visit("cli", ""), "how do we deploy?")

    assert delivered == Delivered()


def test_a_preview_notes_nothing_as_told(told):
    told.put("beacon/notes/deploy.md")
    told.begin()

    seen = told.service.session.preview(VISIT, "how do we deploy?")

    assert seen.text == told.turn("how do we deploy?") != ""
    assert [each.verdict for each in seen.considered] == ["cue"]
    again = told.service.session.preview(VISIT, "how do we deploy?")
    assert [each.verdict for each in again.considered] == [
        "given: the session was told of it"
    ]
