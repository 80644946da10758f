"""What was said after an anchor is read on the screen, and gone on with."""

import re
from pathlib import Path

import pytest

from gitmem.tape.anchor import HANDOFF, Meta, draft

RECORDED = Path(__file__).parents[2] / "fixtures/transcripts/claude-code-2.1.332"
SESSION = "47496f63-02aa-46be-8142-daeffed6e874"
WORK = "/home/sam/code/beacon"


@pytest.fixture
def recorded(empty, tmp_path):
    """Lay a session of Claude Code down, with an anchor at its beginning."""
    root = str(empty.rooms.project.root)
    folder = tmp_path / ".claude/projects" / re.sub("[^A-Za-z0-9]", "-", root)
    folder.mkdir(parents=True)
    [found] = RECORDED.rglob(f"{SESSION}.jsonl")
    text = found.read_text("utf-8").replace(WORK, root)
    (folder / f"{SESSION}.jsonl").write_text(text, "utf-8")
    meta = Meta("manual", (), "the eighth line is wrong")
    empty.rooms.tape().add(draft("task/line", HANDOFF, meta, session=SESSION))
    return f"cd {root} && claude --resume {SESSION}"


def test_the_agents_first_answer_stands_on_top(recorded, empty, press):
    lines = press(empty, "enter", size=(240, 30)).lines

    assert [each.rstrip() for each in lines[:4]] == [
        "task/line  2026-04-01 12:30",
        "the eighth line is wrong",
        f"Go on: {recorded}",
        "─" * 240,
    ]
    assert lines[4].startswith("assistant  2026-")
    assert "  Done with it." in lines
    assert lines[-2] == "Esc back  y copy the command  r leave, and print it"


def test_one_leaves_with_the_hosts_own_command(recorded, empty, press):
    assert press(empty, "enter", "r").left_with == recorded


def test_the_command_is_copied(recorded, empty, press):
    seen = press(empty, "enter", "y")

    assert seen.lines[-2] == "Copied, if your terminal allows it."
    assert seen.copied == recorded


def test_one_comes_back_to_where_one_was(recorded, empty, press):
    assert press(empty, "enter", "down", "escape").text == press(empty).text
