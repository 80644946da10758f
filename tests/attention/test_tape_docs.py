"""The page about the tape says what the code does."""

from pathlib import Path

from gitmem.attention import activity, bridge, focus
from gitmem.delivery.sections.bridge import LIMIT_CHARACTERS, TEXT_LIMIT
from gitmem.service import bridging, selecting, working
from gitmem.settings.model import TapeContext

PAGE = (Path(__file__).parents[2] / "docs" / "tape.md").read_text("utf-8")
WORDS = {3: "three", 5: "five"}


def test_the_points_are_those_in_the_code():
    rows = [
        (
            "a memory was written with gitmem's own tool",
            activity.POINTS["memory_write"],
        ),
        ("a file was read", activity.POINTS["read"]),
        ("a file was edited", activity.POINTS["edit"]),
        ("a file was written", activity.POINTS["write"]),
    ]
    near = f"beside that, within the {activity.ANCHOR_ENTRIES} entries after"
    rows += [
        (f"{near} the latest handoff", activity.HANDOFF_POINTS),
        (
            f"{near} the latest handoff that a keyword led to",
            activity.KEYWORD_POINTS,
        ),
    ]

    assert "\n".join(f"| {what} | {points:.0f} |" for what, points in rows) in PAGE
    assert f"after {activity.ANCHOR_DECAY_HOURS:.0f} hours" in PAGE
    assert f"adds {activity.KIND_POINTS:.0f} points" in PAGE
    assert (activity.DECAY_HOURS, activity.STEP_HOURS) == (24, 24)


def test_the_numbers_in_the_text_are_those_in_the_code():
    first, most = TapeContext().memory_scan
    least, ranges = WORDS[activity.LEAST_ACCESSES], WORDS[focus.MOST_RANGES]
    messages, anchors = WORDS[bridge.MOST_MESSAGES], WORDS[bridge.MOST_ANCHORS]

    assert f"the last {first} hours" in PAGE
    assert f"show fewer than {least}, a day more" in PAGE
    assert f"up to {most} hours" in PAGE
    assert f"the first {WORDS[selecting.HIGH]} with high priority" in PAGE
    assert f"at most {ranges} ranges" in PAGE
    assert f"within {bridging.GAP.total_seconds():.0f} seconds" in PAGE
    assert f"at most {messages} messages and {anchors} anchors" in PAGE
    assert f"{TEXT_LIMIT} characters of each and {LIMIT_CHARACTERS:,} in all" in PAGE
    assert working.PATIENCE_SECONDS == 1.0
