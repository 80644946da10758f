"""One boundary: a line and a hint for the person, the whole story in the log."""

import os
import subprocess
import sys

import pytest

from gitmem.cli.command import Call

RUN = [sys.executable, "-m", "gitmem"]


def test_an_error_is_one_line_and_one_hint(gitmem, empty_home):
    said = gitmem("log")

    assert said.status == 1
    assert said.out == ""
    assert said.err == (
        f"error: There is no memory repository at {empty_home}/gitmem/data/memory.\n"
        "hint: Create one with `gitmem init`, or clone yours: gitmem init URL\n"
    )


def test_an_error_as_json_is_one_document(gitmem):
    said = gitmem("log", "--json")

    assert said.status == 1
    assert said.json["error"]["kind"] == "NoRepository"
    assert set(said.json["error"]) == {"kind", "message", "hint", "exit_status"}


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nope"], "error: No such command 'nope'."),
        (["log", "--nope"], "error: No such option '--nope'."),
        (["read"], "error: Missing argument 'PATH'."),
        (["log", "--limit", "0"], "error: Invalid value for '--limit'"),
        (["log", "--cwd", "/dev/null/nowhere"], "error: Invalid value for '--cwd'"),
        (["search"], "error: There is nothing to search for."),
        (["sync", "--force"], "error: --force goes with `sync pull` only."),
        (["sync", "--keep", "--accept"], "error: --accept and --keep exclude"),
        (["restore", "core/a.md"], "error: 'core/a.md' does not say which version."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_ends_with_two(gitmem, arguments, line):
    said = gitmem(*arguments)

    assert said.status == 2
    assert said.err.startswith(line)
    assert said.err.count("\n") == 2


def test_wrong_usage_as_json_is_one_document(gitmem):
    said = gitmem("log", "--nope", "--json")

    assert said.status == 2
    assert said.json["error"]["kind"] == "UsageError"


def test_no_command_at_all_shows_the_help(gitmem):
    said = gitmem()

    assert said.status == 0
    assert said.out.startswith("Usage: gitmem")


def test_an_unexpected_failure_is_told_in_a_line_and_logged_in_full(
    gitmem, empty_home, monkeypatch
):
    secret = "ghp_" + "a1B2" * 9

    def fail(*_: object) -> None:
        raise RuntimeError(f"token {secret} leaked")

    monkeypatch.setattr(Call, "service", fail)
    log = empty_home / "gitmem" / "state" / "gitmem.log"

    said = gitmem("path", "--layer", "project")

    assert said.status == 1
    assert said.out == ""
    assert f"the whole story is in {log}" in said.err
    assert said.err.count("\n") == 2
    assert "Traceback" in log.read_text("utf-8")
    assert secret not in said.err + log.read_text("utf-8")


def test_an_interruption_ends_with_130(gitmem, monkeypatch):
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Call, "service", interrupt)

    said = gitmem("path", "--layer", "project")

    assert (said.status, said.out) == (130, "")


def test_a_reader_that_goes_away_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)

    done = subprocess.run(
        [*RUN, "settings"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("arguments", [["path"], ["log"]], ids=" ".join)
def test_a_home_that_is_no_place_is_told_by_every_way_in(
    gitmem, monkeypatch, arguments
):
    monkeypatch.setenv("GITMEM_HOME", "relative")

    said = gitmem(*arguments)

    assert said.status == 1
    assert said.err.startswith("error: GITMEM_HOME is not an absolute path")


def test_the_version_is_printed(gitmem):
    said = gitmem("--version")

    assert said.status == 0
    assert said.out.startswith("gitmem")
