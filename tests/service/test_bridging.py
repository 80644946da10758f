"""A session that follows another at once is told what that had to say."""

import json
import os
from datetime import timedelta

import pytest
from tests.service.conftest import NOW

from gitmem.service.answers import Visit

SETTINGS = {
    "GITMEM_TAPE__ENABLED": "true",
    "GITMEM_TAPE__ONLY_GIT": "false",
    "GITMEM_HOOKS__BEFORE_AGENT_START": '["session_bridge"]',
}
PROMPT = "Why does the parser fail on an empty query?"
SAID = ("The parser fails on an empty query.", "I mended the empty query.", "Lunch.")


class Following:
    """Sessions of pi, and the prompts of the one that follows them."""

    def __init__(self, service):
        self.service = service
        slug = str(service.rooms.project.root).replace("/", "-")
        self.folder = service.rooms.home / f".pi/agent/sessions/-{slug}--"
        self.folder.mkdir(parents=True)

    def left(self, *texts, seconds=30, name="before", cwd=None):
        at = NOW - timedelta(seconds=seconds)
        header = {
            "type": "session",
            "id": name,
            "cwd": str(cwd or self.service.rooms.project.root),
        }
        lines = [header]
        for number, text in enumerate(texts):
            message = {"role": "user", "content": [{"type": "text", "text": text}]}
            entry = {"type": "message", "id": f"{number}", "timestamp": str(at)}
            lines.append({**entry, "message": message})
        path = self.folder / f"t_{name}.jsonl"
        path.write_text("".join(f"{json.dumps(each)}\n" for each in lines), "utf-8")
        os.utime(path, (NOW.timestamp(), NOW.timestamp()))

    def begin(self, reason="startup", name="next"):
        self.service.session.start(Visit("pi", name, reason))

    def told(self, prompt=PROMPT, name="next"):
        text = self.service.session.turn(Visit("pi", name), prompt).text
        return [line for line in text.splitlines() if line.startswith("- user, ")]


@pytest.fixture
def following(connected, tmp_path):
    def make(**settings):
        made = connected(TMPDIR=str(tmp_path / "t"), **{**SETTINGS, **settings})
        made.init()
        return Following(made)

    return make


@pytest.mark.parametrize("reason", ["startup", "new", "clear", "resume", "fork"])
def test_the_first_prompt_is_told_what_answers_to_it_and_only_the_first(
    reason, following
):
    made = following()
    made.left(*SAID)
    made.begin(reason)

    assert [each[27:] for each in made.told()] == list(SAID[:2])
    assert made.told() == []


@pytest.mark.parametrize(
    ("seconds", "reason"),
    [(61, "startup"), (30, "compact"), (30, "reload"), (30, "lost")],
)
def test_what_is_long_ago_or_goes_on_anyway_is_not_told(seconds, reason, following):
    made = following()
    made.left(*SAID, seconds=seconds)
    made.begin(reason)

    assert made.told() == []


def test_a_minute_counts_from_the_start_not_from_the_prompt(following):
    made = following()
    made.left(*SAID, seconds=60)
    made.begin()
    made.left(*SAID, seconds=600)

    assert len(made.told()) == 2


def test_a_session_is_not_told_of_itself_nor_of_another_project(following):
    made = following()
    made.left(*SAID, name="next")
    made.left(*SAID, name="other", cwd="/somewhere/else")
    made.begin()

    assert made.told() == []


def test_what_a_fork_holds_itself_is_not_told_again(following):
    made = following()
    made.left(*SAID)
    made.begin("fork")
    made.left(SAID[0], name="next")

    assert [each[27:] for each in made.told()] == [SAID[1]]


def test_a_prompt_that_nothing_answers_to_is_told_nothing(following):
    made = following()
    made.left(*SAID)
    made.begin()

    assert made.told("Something else altogether.") == []


@pytest.mark.parametrize(
    "settings",
    [
        {"GITMEM_HOOKS__BEFORE_AGENT_START": "[]"},
        {"GITMEM_TAPE__ENABLED": "false"},
        {"GITMEM_TAPE__ONLY_GIT": "true"},
    ],
    ids=["not wanted", "no tape", "outside Git"],
)
def test_where_it_is_not_wanted_nothing_is_told(settings, following):
    made = following(**settings)
    made.left(*SAID)
    made.begin()

    assert made.told() == []


def test_a_transcript_that_is_gone_meanwhile_tells_nothing(following):
    made = following()
    made.left(*SAID)
    made.begin()
    (made.folder / "t_before.jsonl").unlink()

    assert made.told() == []
