"""Which kinds of packet there are, what each holds, and how much; pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gitmem.errors import UsageError
from gitmem.packets.quoting import quoted

HANDOFF: Final = "handoff"
CHECKPOINT: Final = "checkpoint"
KINDS: Final = (HANDOFF, CHECKPOINT)

TOPIC_LIMIT: Final = 160
SUMMARY_LIMIT: Final = 800
TEXT_LIMIT: Final = 1_000
ITEM_LIMIT: Final = 500
ITEMS_AT_MOST: Final = 64
FILES_AT_MOST: Final = 128
TAGS_AT_MOST: Final = 24


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a packet's text: its name, the heading it gets, text or list."""

    name: str
    heading: str
    is_list: bool = False


_NEXT: Final = Part("next", "Next step")
PARTS: Final[Mapping[str, tuple[Part, ...]]] = {
    HANDOFF: (
        Part("goal", "Goal"),
        Part("decisions", "Decisions", is_list=True),
        Part("commands", "Commands", is_list=True),
        Part("blockers", "Blockers", is_list=True),
        Part("questions", "Open questions", is_list=True),
        _NEXT,
    ),
    CHECKPOINT: (
        Part("task", "Current task"),
        Part("changes", "Changes since the last checkpoint", is_list=True),
        Part("risk", "Risk"),
        Part("pending", "Pending decisions", is_list=True),
        _NEXT,
    ),
}
COMMON: Final = ("topic", "summary", "tags", "files")


def kind(text: str) -> str:
    """Take a kind as it is named. Raises UsageError for any other."""
    if text in KINDS:
        return text
    raise UsageError(
        f"There is no kind of packet called {quoted(text)}.",
        f"Choose {' or '.join(KINDS)}.",
    )


def names(of_kind: str) -> tuple[str, ...]:
    """List the fields that an agent fills in for a kind."""
    return (*COMMON, *(part.name for part in PARTS[of_kind]))
