"""What may become a packet, and what is refused in one line."""

from datetime import date

import pytest
from tests.packets.conftest import CHECKPOINT, HANDOFF

from gitmem.errors import GitmemError, InvalidMemory, PathRefused, UsageError
from gitmem.packets.check import day, told

FULL = {
    "topic": "t" * 160,
    "summary": "s" * 800,
    "goal": "g" * 1_000,
    "decisions": ["d" * 500] * 64,
    "files": [f"src/{number}.py" for number in range(128)],
    "tags": [f"tag {chr(97 + number)}" for number in range(24)],
}


def test_a_packet_may_say_as_much_as_the_limits_allow():
    found = told("handoff", FULL)
    assert len(found.topic) == 160
    assert len(found.summary) == 800
    assert len(found.goal) == 1_000
    assert len(found.decisions) == 64
    assert len(found.files) == 128
    assert len(found.tags) == 24


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("topic", "t" * 161),
        ("summary", "s" * 801),
        ("goal", "g" * 1_001),
        ("next", "n" * 1_001),
        ("decisions", ["d" * 501]),
        ("blockers", ["b"] * 65),
        ("files", ["f"] * 129),
        ("files", ["f" * 501]),
        ("tags", [f"tag {number}" for number in range(25)]),
        ("tags", ["a, b"]),
        ("tags", ["t" * 101]),
        ("tags", [1]),
        ("goal", ["a list"]),
        ("decisions", {"not": "a list"}),
        ("topic", " \n "),
        ("summary", ""),
        ("summary", None),
    ],
)
def test_what_is_too_long_or_of_another_kind_is_refused_in_one_line(name, value):
    with pytest.raises(InvalidMemory) as raised:
        told("handoff", {**HANDOFF, name: value})
    assert name in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../other/a.py",
        "src/../../a.py",
        "~/notes.md",
        "src\\auth.ts",
        "C:/Users/me/a.py",
        "src/a\x1b[2J.py",
        ".",
    ],
)
def test_a_file_outside_the_project_is_refused_in_one_line(name):
    with pytest.raises(PathRefused) as raised:
        told("handoff", {**HANDOFF, "files": ["src/a.py", name]})
    assert "\n" not in str(raised.value)
    assert "\x1b" not in str(raised.value)


@pytest.mark.parametrize("name", ["👩\u200d💻.md", "می\u200cخواهم.md"])
def test_a_name_that_needs_a_joiner_is_one_like_any_other(name):
    assert told("handoff", {**HANDOFF, "files": [name]}).files == (name,)


@pytest.mark.parametrize("files", [["字" * 500] * 128, ["👩\u200d💻" * 160] * 128])
def test_what_fits_into_no_head_is_refused_by_the_name_of_its_field(files):
    numbered = [f"{name[:480]}{number}" for number, name in enumerate(files)]
    with pytest.raises(InvalidMemory) as raised:
        told("handoff", {**HANDOFF, "files": numbered})
    assert str(raised.value).startswith("The packet's field files has ")
    assert "57,344 is the most for topic, summary, tags, files" in str(raised.value)


def test_the_longest_of_all_but_files_fits_into_a_head():
    wide = "\U0001f4a5"
    tags = [f"{wide * 90}{number}" for number in range(24)]
    said = {"topic": wide * 160, "summary": wide * 800, "tags": tags}
    assert told("handoff", said).tags == tuple(tags)


def test_an_empty_text_is_seen_in_what_refuses_it():
    with pytest.raises(UsageError, match='"" is not a date'):
        day("")
    with pytest.raises(PathRefused, match='"" is not a path'):
        told("handoff", {**HANDOFF, "files": [""]})


def test_an_unknown_kind_is_refused():
    with pytest.raises(UsageError, match="no kind of packet") as raised:
        told("summary", HANDOFF)
    assert "handoff or checkpoint" in raised.value.hint


def test_a_field_of_the_other_kind_is_not_silently_dropped():
    with pytest.raises(UsageError, match="has no field goal"):
        told("checkpoint", {**CHECKPOINT, "goal": "more"})


def test_a_checkpoint_is_named_after_its_task():
    assert told("checkpoint", CHECKPOINT).topic == "auth refactor"
    long = told("checkpoint", {**CHECKPOINT, "task": "w" * 999})
    assert len(long.topic) == 160
    assert long.task == "w" * 999


def test_one_text_stands_for_a_list_of_one():
    assert told("handoff", {**HANDOFF, "decisions": "JWT"}).decisions == ("JWT",)


def test_what_moves_a_cursor_is_dropped_and_line_breaks_are_spelled_one_way():
    found = told("handoff", {**HANDOFF, "goal": "one\r\ntwo\x1b[2J\rthree\ud800 "})
    assert found.goal == "one\ntwo [2J\nthree"


def test_a_file_named_twice_is_kept_once():
    found = told("handoff", {**HANDOFF, "files": ["a.py", "./a.py", "b//c.py"]})
    assert found.files == ("a.py", "b/c.py")


def test_a_day_is_read_in_one_form_only():
    assert day("2026-06-01") == date(2026, 6, 1)


@pytest.mark.parametrize(
    "text",
    [
        "2026-6-1",
        "2026-02-30",
        "yesterday",
        "",
        "20260601",
        "2026-06-01T10:00",
        "２026-06-01",
    ],
)
def test_another_form_of_a_date_is_a_usage_error(text):
    with pytest.raises(UsageError) as raised:
        day(text)
    assert isinstance(raised.value, GitmemError)
    assert "2026-04-30" in raised.value.hint
