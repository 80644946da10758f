"""A home that cannot be written to, streams that are closed, a full disk."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.cli.command import Call

READING = [
    ["context"],
    ["context", "--session", "s1"],
    ["search", "ship"],
    ["search", "--rg", "ship"],
    ["sync", "status"],
    ["check"],
    ["log"],
    ["history", "core/deploy.md"],
    ["read", "core/deploy.md"],
    ["remote"],
    ["path"],
    ["path", "--layer", "project"],
    ["settings"],
    ["refresh"],
]
FULL = Path("/dev/full")
CLOSED = 'exec "$0" -m gitmem "$@" '


@pytest.fixture
def stuck(gitmem, memory, empty_home):
    """Put a file where gitmem's state and cache would lie: not even root writes."""
    gitmem("sync")
    for name in ("state", "cache"):
        folder = empty_home / "gitmem" / name
        folder.rename(folder.with_suffix(".before"))
        folder.write_text("no folder", "utf-8")
    return empty_home / "gitmem"


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_what_only_reads_works_without_state_and_cache(gitmem, stuck, arguments):
    said = gitmem(*arguments)

    assert (said.status, said.err) == (0, "")
    assert (stuck / "state").read_text("utf-8") == "no folder"


def test_a_search_without_a_cache_finds_and_leaves_nothing_behind(
    gitmem, stuck, tmp_path, monkeypatch
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    said = gitmem("search", "ship")

    assert said.out.startswith("1. beacon/core/deploy.md\n")
    assert list(tmp_path.iterdir()) == []


def test_without_any_place_for_an_index_a_search_says_so(gitmem, stuck, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", "/dev/null/nowhere")

    said = gitmem("search", "ship")

    assert said.status == 1
    assert said.err.startswith("error: Neither the cache folder nor a temporary")


@pytest.mark.parametrize(
    "arguments", [["sync"], ["sync", "pull"], ["undo"]], ids=" ".join
)
def test_what_needs_the_state_says_in_a_line_that_it_cannot_be_written(
    gitmem, stuck, arguments
):
    said = gitmem(*arguments)

    assert (said.status, said.out) == (1, "")
    assert said.err == (
        f"error: {stuck}/state cannot be made: File exists.\n"
        "hint: Look at what lies there; gitmem needs a folder in that place.\n"
    )


def test_the_doctor_names_state_and_cache_that_cannot_be_written(gitmem, stuck):
    said = gitmem("doctor")

    assert said.status == 1
    assert f"broken  state: {stuck}/state cannot be written" in said.out
    assert f"worry   cache: {stuck}/cache cannot be written" in said.out


def test_a_story_that_could_not_be_logged_is_not_said_to_be_in_the_log(
    gitmem, stuck, monkeypatch
):
    def fail(*_: object) -> None:
        raise RuntimeError("odd")

    monkeypatch.setattr(Call, "service", fail)

    said = gitmem("path", "--layer", "project")

    assert said.err.startswith("error: RuntimeError: odd; it could not be logged")
    assert "look there" not in said.err


def test_a_refusal_of_the_disk_is_told_wherever_it_is_met(gitmem, monkeypatch):
    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "/somewhere")

    monkeypatch.setattr(Call, "service", fail)

    said = gitmem("path", "--layer", "project")

    assert said.err == (
        "error: /somewhere cannot be written: Permission denied.\n"
        "hint: Check the owner and the permissions of its folder.\n"
    )


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "arguments",
    [["settings"], ["path"], ["--help"], ["settings", "--json"]],
    ids=" ".join,
)
def test_an_answer_for_which_there_is_no_room_is_told_in_a_line(arguments):
    with FULL.open("wb") as full:
        done = _run(CLOSED, *arguments, stdout=full)

    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments", [["settings"], ["path"], ["settings", "--json"]], ids=" ".join
)
def test_a_closed_stdout_is_told_in_a_line(arguments):
    done = _run(CLOSED + ">&-", *arguments)

    assert done.returncode == 2
    assert done.stderr == (
        "error: The answer could not be written to standard output: it is closed.\n"
        "hint: What the command does was done; only its answer is lost.\n"
    )


def test_a_closed_stderr_swallows_the_complaint_alone():
    done = _run(CLOSED + "2>&-", "log", stdout=subprocess.PIPE)

    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_a_closed_stdin_counts_as_an_empty_one():
    _run(CLOSED, "init")

    done = _run(CLOSED + "<&-", "write", "core/a.md")

    assert done.returncode == 1
    assert done.stderr.startswith("error: There is no text to write")


def _run(shell, *arguments, stdout=subprocess.DEVNULL):
    return subprocess.run(
        ["/bin/sh", "-c", shell, sys.executable, *arguments],
        env=dict(os.environ),
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
