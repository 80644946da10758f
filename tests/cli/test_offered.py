"""What the tab key offers, for what is in the memory."""

from pathlib import Path

import pytest
from click.shell_completion import BashComplete
from tests.cli.conftest import Gitmem

from gitmem.cli.group import commands

FINE = "core/deploy.md"
LINES = {
    "list --layer ": ["project", "global", "shared", "beacon"],
    "search --layer be": ["beacon"],
    "tags --layer be": ["beacon"],
    "import --layer pro": ["project"],
    "search --tag d": ["deploy"],
    "list --tag \u8a2d": ["\u8a2d\u8a08"],
    "list --layer global --tag ": ["people"],
    "write x.md --tag p": ["people"],
    "tags rename de": ["deploy"],
    "tags rename deploy pe": ["people"],
    "tags compact de": [],
    "read core/": [FINE],
    "rm shared/": ["shared/who.md"],
    "mv beacon/core": [f"beacon/{FINE}"],
    "history core/d": [FINE],
    "write core/d": [FINE],
    "recall --tags auth,b": ["auth,backend"],
    "packet list --tags a": ["auth"],
}


def offered(*line: str) -> list[str]:
    """Say what is offered behind a line, whose last word is only begun."""
    complete = BashComplete(commands(), {}, "gitmem", "_GITMEM_COMPLETE")
    found = complete.get_completions([*line[:-1]], line[-1])
    return [each.value for each in found]


@pytest.fixture
def filled(gitmem: Gitmem, monkeypatch: pytest.MonkeyPatch) -> Gitmem:
    """Write memories with tags, and a packet, in two layers."""
    monkeypatch.setenv("GITMEM_MEMORY_DIR__GLOBAL_MEMORY", "shared")
    gitmem("init")
    tags = ("--tag", "deploy", "--tag", "$(touch\u00a0x)", "--tag", "\u8a2d\u8a08")
    gitmem("write", FINE, "--description", "d", *tags, stdin="Text.\n")
    gitmem("write", "a;b.md", "--description", "d", stdin="Text.\n")
    shared = ("write", "shared/who.md", "--description", "d", "--tag", "people")
    gitmem(*shared, stdin="Text.\n")
    packet = ("--topic", "auth", "--summary", "s", "--tags", "auth,backend")
    gitmem("packet", "new", *packet)
    return gitmem


@pytest.mark.usefixtures("filled")
def test_names_in_the_memory_are_completed() -> None:
    assert {line: offered(*line.split(" ")) for line in LINES} == LINES


@pytest.mark.usefixtures("filled")
def test_packets_are_completed() -> None:
    (found,) = offered("packet", "show", "beacon/pack")

    assert "-handoff-auth" in found


@pytest.mark.usefixtures("filled")
def test_what_a_shell_could_run_is_never_offered() -> None:
    assert offered("search", "--tag", "$") == []
    assert offered("read", "a") == []


def test_another_folder_is_looked_at_where_it_is_named(
    filled: Gitmem, tmp_path: Path
) -> None:
    (tmp_path / "website").mkdir()

    assert filled("list").status == 0
    assert offered("read", "--cwd", str(tmp_path / "website"), "core/") == []


@pytest.mark.usefixtures("gitmem")
def test_without_a_memory_nothing_is_offered_and_nothing_said() -> None:
    assert offered("read", "") == []
    assert offered("search", "--tag", "") == []
    assert offered("list", "--layer", "") == []
