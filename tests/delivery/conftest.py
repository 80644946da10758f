"""A small memory of two layers, as sections see it."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import PurePosixPath

import pytest

from gitmem.delivery.view import Document, Entry, Layer, TagCount, View

TEXTS = {
    "global/USER.md": Document("# Sam\n\n- writes Python and Go\n- two-space YAML\n"),
    "global/daily/2026-03-02.md": Document("Rotating the staging keys.\n"),
    "beacon/MEMORY.md": Document(
        "# Beacon\n\nDeploys go through `make ship`.\n", origin="Robin"
    ),
}


def day(number: int) -> datetime:
    return datetime(2026, 2, number, tzinfo=UTC)


@pytest.fixture
def view() -> View:
    return View(
        layers=(
            Layer(
                folder="global",
                directory="/home/sam/memory/global",
                is_shared=True,
                entries=(
                    Entry(
                        PurePosixPath("global/USER.md"),
                        "who Sam is and how Sam likes to work",
                        ("preferences",),
                        day(1),
                    ),
                ),
                tags=(TagCount("preferences", 1),),
            ),
            Layer(
                folder="beacon",
                directory="/home/sam/memory/beacon",
                is_shared=False,
                entries=(
                    Entry(
                        PurePosixPath("beacon/core/stack.md"),
                        "languages, frameworks and why they were chosen",
                        ("stack", "decisions"),
                        day(3),
                    ),
                    Entry(
                        PurePosixPath("beacon/core/deploy.md"),
                        "how to deploy, and how to roll back when it fails",
                        ("deploy", "rsync"),
                        day(2),
                        is_pinned=True,
                    ),
                    Entry(
                        PurePosixPath("beacon/core/keys.md"),
                        "where the staging keys are kept",
                        ("deploy",),
                        day(9),
                        origin="Robin",
                    ),
                ),
                tags=(
                    TagCount("stack", 1),
                    TagCount("deploy", 3),
                    TagCount("rsync", 1),
                ),
            ),
        ),
        read=lambda path: TEXTS.get(str(path)),
        today=date(2026, 3, 2),
        status=("2 commits are not pushed yet: run `gitmem sync push`.",),
    )


@pytest.fixture
def reading() -> Callable[[str, str], View]:
    """Make a view of a shared layer that holds one text at one path."""

    def make(path: str, text: str) -> View:
        return View(
            layers=(Layer("global", "/m/global", is_shared=True),),
            read={PurePosixPath(path): Document(text)}.get,
            today=date(2026, 3, 2),
        )

    return make
